export const cliAgents = {
  asksFirst: 'It asks before it tells anything.',
  created: 'Made agent {name}.',
  failedFor: '{agent}: {why}',
  imported: 'Imported {id}, paused.',
  mayNow: '{name} may {rule} from now on.',
  modelsNotListed: 'The models could not be listed: {why}',
  notImported: '{id} was not imported: {why}',
  runtimeSaved: 'Saved the runtime of {id}.',
  saved: 'Saved {id}.',
  startImported: 'Start it with "kennel agent resume {id}".',
} as const;
