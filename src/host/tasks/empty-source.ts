import type { TaskWorkers } from '../../contract/task-methods.ts';
import { noTasks, type TaskSource } from './task-feed.ts';
import { type TaskSettings, workerCount } from './task-settings.ts';

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
