/** The system clock and timers behind the `Clock` port; a timer may have any length. */
import type { Clock, Timer } from '../../core/ports.ts';

/** ms (24.8 days); `setTimeout` fires at once above this. */
const longestTimeoutMs = 2_147_483_647;

/** One Node timer of at most `longestTimeoutMs`. */
export type SetTimer = (run: () => void, ms: number) => Timer & { unref(): void };

const ofNode: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return { unref: () => timer.unref(), cancel: () => clearTimeout(timer) };
};

/** Chains several Node timers for a delay that one cannot hold. */
function armed(set: SetTimer, ms: number, run: () => void, unref: boolean): Timer {
  const arm = (left: number): ReturnType<SetTimer> => {
    const part = Math.min(left, longestTimeoutMs);
    const timer = set(() => {
      if (left > part) current = arm(left - part);
      else run();
    }, part);
    if (unref) timer.unref();
    return timer;
  };
  let current = arm(Math.max(0, ms));
  return { cancel: () => current.cancel() };
}

export function createSystemClock(set: SetTimer = ofNode): Clock {
  return {
    now: () => Date.now(),
    // `performance` would load a Node module that no other code needs, at the start of each command.
    monotonic: () => Number(process.hrtime.bigint()) / 1e6,
    after: (ms, run, options) => armed(set, ms, run, options?.unref === true),
  };
}
