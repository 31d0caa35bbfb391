import type { Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { TaskRun } from '../../core/supervisor/task-worker-pool.ts';
import type { TaskJournal } from '../../core/tasks/task-journal.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import type { Journal, RunRow } from '../../core/workflows/engine/engine-ports.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import type { AwaitedRun, HeldTasks } from './held-tasks.ts';
import type { TaskQuestions } from './task-questions.ts';

/** The workflow runs that tasks wait for. */
export interface TaskWorkflows {
  runs(): Promise<
    Result<{
      readonly journal: Pick<Journal, 'run'>;
      readonly book: { name(row: RunRow): string };
    }>
  >;
}

/** Lets a task wait without a worker. */
export interface TaskPause {
  /** Returns false if the question is answered already, or the claim is over. */
  forApproval(approvalId: string): boolean;
  /** Resolves to false if the run has ended already, or the claim is over. */
  forRun(run: string): Promise<boolean>;
}

export interface TaskPausesDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly held: Pick<HeldTasks, 'hold'>;
  readonly questions: Pick<TaskQuestions, 'isOpen'>;
  readonly store: Pick<TaskStore, 'change'>;
  readonly workflows: TaskWorkflows;
}

export type TaskPauses = (
  run: Pick<TaskRun, 'task' | 'claim'>,
  journal: Pick<TaskJournal, 'halt' | 'requestFailed'>,
) => TaskPause;

/** `null` if the run has ended or is not readable. */
async function awaitedRun(workflows: TaskWorkflows, id: string): Promise<AwaitedRun | null> {
  const runs = await workflows.runs();
  const row = runs.ok ? runs.value.journal.run(id) : null;
  if (!runs.ok || !row) return null;
  const { book, journal } = runs.value;
  const over = (): boolean => isFinished(journal.run(id)?.status ?? 'failed');
  return over() ? null : { run: id, name: book.name(row), over };
}

export const createTaskPauses =
  ({ clock, held, questions, store, workflows }: TaskPausesDeps): TaskPauses =>
  ({ task, claim }, journal) => ({
    forApproval(approvalId) {
      // Just answered: the answer is on its way to the step.
      if (!questions.isOpen(approvalId)) return false;
      // A request that a crash interrupted starts again after the answer.
      journal.requestFailed('Interrupted.');
      if (!store.change(task.id, { type: 'approval-asked', by: claim, approvalId }, clock.now()).ok)
        return false;
      journal.halt({ type: 'waiting' });
      return true;
    },
    async forRun(id) {
      const awaited = await awaitedRun(workflows, id);
      if (awaited === null || !held.hold(task.id, claim, awaited)) return false;
      journal.halt({ type: 'waiting' });
      return true;
    },
  });
