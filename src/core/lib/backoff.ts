/** Exponential back-off in ms, with jitter in the upper half of the delay. */
import type { Clock, Random } from '../ports.ts';
import { sleep } from './sleep.ts';

export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** `attempt` counts from 0; `random` is in [0, 1). The result lies in [delay/2, delay]. */
export function backoffMs(policy: BackoffPolicy, attempt: number, random: number): number {
  const delay = Math.min(policy.maxMs, policy.firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(delay / 2 + (delay / 2) * random);
}

export interface Backoff {
  /** Sleeps for the delay of this attempt, counted from 0; returns early on abort. */
  wait(attempt: number, signal: AbortSignal): Promise<void>;
}

export const createBackoff = (
  policy: BackoffPolicy,
  { clock, random }: { readonly clock: Clock; readonly random: Pick<Random, 'fraction'> },
): Backoff => ({
  async wait(attempt, signal) {
    await sleep(clock, backoffMs(policy, attempt, random.fraction()), signal);
  },
});
