export const modelRelay = {
  noTurn: 'The agent has no turn now, so its program may not ask the model.',
  otherFormat: 'The agent’s model is at {provider}, which this program cannot talk to.',
  notListening: 'The access of agent programs to models could not be opened: {why}.',
  stopped: 'The program ended its request.',
  tokenRequired: 'The request needs the token of a running agent program.',
  tooLarge: 'The conversation is too large: more than 32 MiB.',
  unreachable: '{server} could not be reached, or ended its answer early.',
  unreadable: 'The request names no model, or names it twice.',
} as const;
