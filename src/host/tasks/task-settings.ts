import { availableParallelism } from 'node:os';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';

export type TaskSettings = Pick<DaemonSettings, 'config'>;

/** Default step budget: answers of the model, each with the maximum number of calls. */
export function defaultStepLimit(settings: TaskSettings): number {
  const { max_steps: answers, tools_per_step: calls } = settings.config().limits;
  return answers * (1 + calls);
}

/** Number of workers: the setting, else by the number of processors. */
export const workerCount = (settings: TaskSettings): number =>
  settings.config().tasks.workers ?? Math.min(8, Math.max(1, availableParallelism()));
