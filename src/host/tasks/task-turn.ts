import { threadKey } from '../../core/agents/thread-key.ts';

/** The turn of a task (0: of none that is there already), for the approval centre, the ledger and the outbox: the same in all its attempts. */
export const taskTurn = (task: number): string => `task-${task}`;

/** Under which name what it has read is kept. */
export const taskThread = (task: number): string => threadKey({ kind: 'task', task });

export const isTaskTurn = (turnId: string): boolean => /^task-\d+$/.test(turnId);
