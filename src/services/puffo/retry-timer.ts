/** Plans one retry after a back-off with jitter; a new plan replaces the last one. */
import { type BackoffPolicy, backoffMs } from '../../core/lib/backoff.ts';
import type { Random, Timer } from '../../core/ports.ts';
import type { Wheel } from './wheel.ts';

export interface RetryTimer {
  /** `attempt` counts from 0; `leastMs` is the delay that the server asked for. */
  plan(attempt: number, leastMs: number, run: () => void): void;
  cancel(): void;
}

export function createRetryTimer(
  policy: BackoffPolicy,
  { wheel, random }: { readonly wheel: Wheel; readonly random: Pick<Random, 'fraction'> },
): RetryTimer {
  let timer: Timer | null = null;
  const cancel = (): void => {
    timer?.cancel();
    timer = null;
  };
  return {
    plan(attempt, leastMs, run) {
      const backoff = backoffMs(policy, attempt, random.fraction());
      cancel();
      timer = wheel.after(Math.max(backoff, leastMs), run);
    },
    cancel,
  };
}
