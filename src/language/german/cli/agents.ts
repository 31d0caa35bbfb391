import type { CliPart } from '../../cli-message.ts';

export const cliAgents: CliPart<'cliAgents'> = {
  asksFirst: 'Er fragt, bevor er etwas weitergibt.',
  created: 'Agent {name} ist angelegt.',
  failedFor: '{agent}: {why}',
  imported: '{id} ist importiert und pausiert.',
  mayNow: '{name} darf ab jetzt {rule}.',
  modelsNotListed: 'Die Liste der Modelle fehlt: {why}',
  notImported: '{id} wurde nicht importiert: {why}',
  runtimeSaved: 'Die Laufzeit von {id} ist gespeichert.',
  saved: '{id} ist gespeichert.',
  startImported: 'Starte ihn mit „kennel agent resume {id}“.',
};
