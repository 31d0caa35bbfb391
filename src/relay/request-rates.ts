/** Rate limits of requests, by identity or address. */
import type { Clock } from '../core/ports.ts';
import type { RelayLimits } from './limits.ts';
import { RateLimit } from './rate-limit.ts';

export interface RequestRates {
  /** Signed requests, by identity. */
  readonly requests: RateLimit;
  /** Failures, by address and by claimed key. */
  readonly failures: RateLimit;
  /** Unsigned reads, by address. */
  readonly unsignedReads: RateLimit;
  /** Forgets full buckets. */
  sweep(): void;
}

export function createRequestRates(clock: Clock, limits: RelayLimits): RequestRates {
  const requests = new RateLimit(clock, limits.requestBurst, limits.requestsPerSecond);
  const failures = new RateLimit(clock, limits.failureBurst, limits.failuresPerSecond);
  const unsignedReads = new RateLimit(clock, limits.failureBurst, limits.failuresPerSecond);
  return {
    requests,
    failures,
    unsignedReads,
    sweep: () => {
      for (const rate of [requests, failures, unsignedReads]) rate.sweep();
    },
  };
}
