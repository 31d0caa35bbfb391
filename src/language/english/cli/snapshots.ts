export const cliSnapshots = {
  before: 'Snapshot of the state before: {id}',
  conversation: 'Messages stay as they are. The agent is told in {count} {count|conversation|conversations}.',
  created: 'Snapshot {name}: {files} {files|file|files}, {size}.',
  moreFiles: 'and {count} more {count|file|files}',
  none: 'This agent has no snapshots.',
  reason_asked: 'asked for',
  reason_restore: 'before a restore',
  reason_turn: 'before a turn',
  removed: 'Removed the snapshot {name}.',
  same: 'Nothing changed since.',
} as const;
