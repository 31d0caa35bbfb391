/**
 * Computes when a failed step is retried. The time is stored in the journal, so a crash neither shortens nor
 * repeats the wait.
 */
import type { Retry } from '../file/definition.ts';
import type { EnginePorts } from './engine-ports.ts';

/** `failures`: number of failures, this one included. */
function retryDelay(retry: Retry, failures: number, random: number): number {
  const factor = retry.backoff === 'exponential' ? 2 ** Math.min(failures - 1, 30) : 1;
  const delay = Math.min(retry.maxDelayMs, retry.delayMs * factor);
  return Math.round(retry.jitter ? delay / 2 + (delay / 2) * random : delay);
}

export const retryTime = (
  { clock, random }: Pick<EnginePorts, 'clock' | 'random'>,
  retry: Retry,
  failures: number,
): number => clock.now() + retryDelay(retry, failures, random.fraction());
