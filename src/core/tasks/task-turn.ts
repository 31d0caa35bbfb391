import { threadKey } from '../agents/thread-key.ts';

/**
 * Turn id of a task in the approval centre, ledger and outbox, the same in all attempts; 0 if the task does
 * not exist yet.
 */
export const taskTurn = (task: number): string => `task-${task}`;

/** Key of the task's read log. */
export const taskThread = (task: number): string => threadKey({ kind: 'task', task });

/** `null` if the turn is not one of a task. */
export function taskOfTurn(turnId: string): number | null {
  const task = /^task-(\d+)$/.exec(turnId)?.[1];
  return task === undefined ? null : Number(task);
}

export const isTaskTurn = (turnId: string): boolean => taskOfTurn(turnId) !== null;
