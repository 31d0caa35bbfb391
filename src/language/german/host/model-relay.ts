import type { HostPart } from '../../host-part.ts';

export const modelRelay: HostPart<'modelRelay'> = {
  noTurn: 'Der Agent ist gerade nicht an der Reihe, daher darf sein Programm das Modell nicht fragen.',
  otherFormat: 'Das Modell des Agenten liegt bei {provider}; damit kann dieses Programm nicht sprechen.',
  notListening: 'Der Zugang der Agentenprogramme zu Modellen ließ sich nicht öffnen: {why}.',
  stopped: 'Das Programm hat seine Anfrage beendet.',
  tokenRequired: 'Die Anfrage braucht das Token eines laufenden Agentenprogramms.',
  tooLarge: 'Das Gespräch ist zu groß: mehr als 32 MiB.',
  unreachable: '{server} war nicht erreichbar oder hat seine Antwort vorzeitig beendet.',
  unreadable: 'Die Anfrage nennt kein Modell, oder sie nennt es zweimal.',
};
