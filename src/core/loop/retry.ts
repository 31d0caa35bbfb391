/**
 * Decides whether and when to retry a failed request. A failed try leaves no message: the started message
 * continues with the text of the next try from its first block, and ends once.
 */
import { backoffMs } from '../lib/backoff.ts';
import type { ModelFailure } from '../models/model-ports.ts';

export interface RetryPolicy {
  /** Number of retries. */
  readonly tries: number;
  /** Delay before the first retry in ms; doubles. */
  readonly firstMs: number;
  readonly maxMs: number;
}

export interface RetryReport {
  /** 1 is the first retry. */
  readonly attempt: number;
  readonly tries: number;
  readonly inMs: number;
  readonly failure: ModelFailure;
}

/** Longest wait that a server may request, in ms. Beyond it the run fails at once with an explanation. */
const longestServerDelayMs = 60_000;

export const defaultRetry: RetryPolicy = { tries: 3, firstMs: 2_000, maxMs: 60_000 };

/** Errors about money: waiting does not help. */
const aboutMoney =
  /\b(quota|billing|credit balance|insufficient[_ ](?:funds|balance|credits?)|payment|spending limit|budget)\b/i;

/** ms before retry number `attempt` (1 is the first), or `null` for no retry. */
export function retryDelay(
  policy: RetryPolicy,
  attempt: number,
  failure: ModelFailure,
  fraction: number,
): number | null {
  if (!failure.retryable || failure.overflow || attempt > policy.tries) return null;
  if (aboutMoney.test(failure.error.message)) return null;
  if (failure.retryAfterMs !== undefined) {
    return failure.retryAfterMs > longestServerDelayMs ? null : Math.max(0, failure.retryAfterMs);
  }
  return backoffMs({ firstMs: policy.firstMs, maxMs: policy.maxMs }, attempt - 1, fraction);
}
