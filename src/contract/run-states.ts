/** States of a run and answers to its gates; plain lists, so that stores read them without the schemas. */
export const runStatuses = ['running', 'waiting', 'ok', 'failed', 'cancelled'] as const;

export const gateDecisions = [
  'approve',
  'reject',
  'answer',
  'done',
  'repeat',
  'cancel',
  'timeout',
  'withdrawn',
] as const;
