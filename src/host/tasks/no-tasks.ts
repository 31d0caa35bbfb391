import type { TasksView, TaskWorkers } from '../../contract/task-methods.ts';
import type { TaskSource } from './task-feed.ts';
import { type TaskSettings, workerCount } from './task-settings.ts';

/** State before the first task. */
export const noTasks: TasksView = {
  tasks: {},
  counts: { pending: 0, running: 0, waiting: 0, paused: 0, done: 0, error: 0 },
  cancelled: 0,
  workers: { workers: [], running: 0, ready: 0, forWorker: 0, forAgent: 0, freeAgents: 0, lanes: [] },
};

export function idleWorkers(settings: TaskSettings): TaskWorkers {
  const workers = Array.from({ length: workerCount(settings) }, (_, worker) => {
    return { worker, task: null, runnerName: '' };
  });
  return { ...noTasks.workers, workers };
}

/** Data of the topics while the task store does not exist. */
export function createEmptySource(settings: TaskSettings): TaskSource {
  const { tasks, counts, cancelled } = noTasks;
  const totals = () => ({ counts, cancelled, workers: idleWorkers(settings) });
  return {
    totals,
    overview: () => ({ tasks, ...totals() }),
    summary: () => null,
    whole: () => ({ task: null, steps: {} }),
  };
}
