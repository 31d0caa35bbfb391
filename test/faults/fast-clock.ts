/**
 * A clock with faster timers and a correct wall clock, so that a test can wait for deadlines of half a
 * minute.
 */
import type { Clock } from '../../src/core/ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';

export function createFastClock(factor: number): Clock {
  const real = createSystemClock();
  return {
    now: () => real.now(),
    monotonic: () => real.monotonic() * factor,
    after: (ms, run, options) => real.after(ms / factor, run, options),
  };
}
