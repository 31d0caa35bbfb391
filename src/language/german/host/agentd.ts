import type { HostPart } from '../../host-part.ts';

export const agentd: HostPart<'agentd'> = {
  badUri:
    '„{uri}“ ist keine Adresse, die beobachtet werden kann. Nimm die Adresse einer Ressource, etwa „docs://news“, oder „tool://NAME/?a=1#poll=5“.',
  noServerFor: '„{uri}“ kann nicht beobachtet werden: Der Agent hat keinen MCP-Server.',
  serverTwice: 'Zwei Server dieses Agenten heißen „{name}“.',
  agentTwice: 'Zwei Agenten heißen „{name}“.',
  missingVariable: 'Die Variable {name} ist nicht gesetzt.',
  ended: 'Der Server wurde beendet.',
  toolFailed: 'Das Werkzeug hat einen Fehler gemeldet: {why}',
  noSuchTool: 'Kein Server dieses Agenten hat ein Werkzeug „{tool}“.',
  noSuchResource: 'Kein Server dieses Agenten hat die Ressource „{uri}“.',
  fileMissing: 'Die Datei {path} gibt es nicht.',
  stateInUse: 'Die Agenten dieser Datei laufen schon in einem anderen Prozess.',
  unknownAgent: 'Die Datei hat keinen Agenten „{name}“.',
  listAgents: 'Sie hat: {names}.',
  noModelKey: 'Es gibt keinen Schlüssel für {provider}: Setze {variable}.',
  turnFailed: 'Der Arbeitsgang ist fehlgeschlagen: {why}',
  noProgram: 'Das Programm „{command}“ gibt es nicht.',
  noAuthorization:
    'Agenten einer Datei können sich nicht bei einem Server anmelden. Gib unter „headers“ ein Token an.',
};
