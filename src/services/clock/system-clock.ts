/** The machine's own clock and timers behind the `Clock` port. */
import type { Clock } from '../../core/ports.ts';

/** setTimeout wraps around above this: ms. */
const longestTimeoutMs = 2_147_483_647;

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms, run, options) {
      const timer = setTimeout(run, Math.min(Math.max(0, ms), longestTimeoutMs));
      if (options?.unref) timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
