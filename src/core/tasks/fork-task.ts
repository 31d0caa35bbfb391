/** Forks a task after one of its steps. The original stays unchanged. */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { newTask, type Task, type TaskBody } from './task.ts';
import { patchMemory, type TaskStep } from './task-step.ts';

export interface TaskFork {
  readonly task: TaskBody;
  /** Steps to copy; all have ended, so none runs again. */
  readonly steps: readonly TaskStep[];
}

/** `steps`: all steps of the task, in order. `after`: 0 starts from the beginning. */
export function forkTask(
  task: Task,
  steps: readonly TaskStep[],
  after: number,
  at: number,
): Result<TaskFork> {
  const kept = steps.slice(0, after);
  if (!Number.isInteger(after) || after < 0 || after > steps.length) {
    return err(fail('not_found', 'tasks.unknownForkStep', { id: task.id, after, steps: steps.length }));
  }
  const open = kept.find(({ endedAt }) => endedAt === null);
  if (open) return err(fail('conflict', 'tasks.stepNotEnded', { step: open.number }));
  const { goal, agent, project, priority, origin, budget, seed } = task;
  // Each task has a worktree of its own.
  const worktree = task.worktree && task.worktree.state !== 'off';
  const draft = { goal, agent, project, priority, origin, budget, memory: seed, parent: task.id, worktree };
  const memory = kept.reduce<Record<string, unknown>>((all, step) => patchMemory(all, step.memory), seed);
  return ok({ task: { ...newTask(draft, at), steps: after, forkedAt: after, memory }, steps: kept });
}
