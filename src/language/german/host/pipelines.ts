import type { HostPart } from '../../host-part.ts';

export const pipelines: HostPart<'pipelines'> = {
  answerBreaksSchema: 'Die Antwort passt nicht zum Schema der Frage: {where} {why}.',
  notApproved: 'Es wurde nicht freigegeben.',
  pipelineCancelled: 'Die Pipeline wurde abgebrochen.',
  puppyOutputTooLarge: 'Die Ausgabe von puppy überschritt maxStdoutBytes ({n}). Die Pipeline wurde beendet.',
};
