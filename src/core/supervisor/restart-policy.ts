/**
 * Restart delays of a failed agent: they double with jitter up to five minutes, and five failures within ten
 * minutes end the retries (F22).
 */
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';

export interface FailureHistory {
  /** Monotonic ms of the failures inside the window, oldest first. */
  readonly recent: readonly number[];
  /** Consecutive failures; a run longer than the window resets them. */
  readonly inARow: number;
}

export type RestartDecision =
  | { readonly type: 'retry'; readonly inMs: number; readonly history: FailureHistory }
  | { readonly type: 'give_up'; readonly history: FailureHistory };

export const noFailures: FailureHistory = { recent: [], inARow: 0 };
export const failureWindowMs = 10 * 60_000;
export const failureLimit = 5;
const delays: BackoffPolicy = { firstMs: 1_000, maxMs: 5 * 60_000 };

/** `now` and `startedAt` (of the failed run) in monotonic ms, `random` in [0, 1). */
export function restartPolicy(
  history: FailureHistory,
  failure: { readonly now: number; readonly startedAt: number; readonly random: number },
): RestartDecision {
  const recent = [...history.recent.filter((at) => failure.now - at < failureWindowMs), failure.now];
  const ranLong = failure.now - failure.startedAt >= failureWindowMs;
  const inARow = ranLong ? 1 : history.inARow + 1;
  const next = { recent, inARow };
  if (recent.length >= failureLimit) return { type: 'give_up', history: next };
  return { type: 'retry', inMs: backoffMs(delays, inARow - 1, failure.random), history: next };
}
