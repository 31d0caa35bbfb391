/**
 * When a failed request is worth another try, and how long to wait. A try that failed leaves no message behind: the
 * message that was begun goes on with the next try's text from its first block, and is ended once.
 */
import { backoffMs } from '../lib/backoff.ts';
import type { ModelFailure } from '../model-ports.ts';

export interface RetryPolicy {
  /** How many further tries. */
  readonly tries: number;
  /** ms before the first of them; doubles. */
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

/** Longest wait a server may ask for: ms. Above it the run fails at once and says so. */
const longestServerDelayMs = 60_000;

export const defaultRetry: RetryPolicy = { tries: 3, firstMs: 2_000, maxMs: 60_000 };

/** Waiting does not fill an account. */
const aboutMoney =
  /\b(quota|billing|credit balance|insufficient[_ ](?:funds|balance|credits?)|payment|spending limit|budget)\b/i;

/** ms to wait before try number `attempt` (1 is the first retry), or null when there is to be none. */
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
