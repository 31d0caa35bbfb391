import { availableParallelism } from 'node:os';
import type { TasksView, TaskWorkers } from '../../contract/task-methods.ts';
import type { HostContext } from '../context.ts';
import type { TaskSource } from './task-feed.ts';

/** State before the first task. */
export const noTasks: TasksView = {
  tasks: {},
  counts: { pending: 0, running: 0, waiting: 0, paused: 0, done: 0, error: 0 },
  cancelled: 0,
  workers: { workers: [], running: 0, ready: 0, forWorker: 0, forAgent: 0, freeAgents: 0, lanes: [] },
};

/** Number of workers: the setting, else by the number of processors. */
export function wantedWorkers({ settings }: Pick<HostContext, 'settings'>): number {
  return settings.config().tasks.workers ?? Math.min(8, Math.max(1, availableParallelism()));
}

export function idleWorkers(context: Pick<HostContext, 'settings'>): TaskWorkers {
  const workers = Array.from({ length: wantedWorkers(context) }, (_, worker) => {
    return { worker, task: null, runnerName: '' };
  });
  return { ...noTasks.workers, workers };
}

/** Data of the topics while the task store does not exist. */
export function createEmptySource(context: () => Pick<HostContext, 'settings'>): TaskSource {
  const { tasks, counts, cancelled } = noTasks;
  const totals = () => ({ counts, cancelled, workers: idleWorkers(context()) });
  return {
    totals,
    overview: () => ({ tasks, ...totals() }),
    summary: () => null,
    whole: () => ({ task: null, steps: {} }),
  };
}
