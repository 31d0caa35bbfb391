/** The machine's own clock and timers behind the `Clock` port; a timer may be as long as anybody likes. */
import type { Clock, Timer } from '../../core/ports.ts';

/** `setTimeout` rings at once above this: ms, 24.8 days. */
const longestTimeoutMs = 2_147_483_647;

/** One timer of Node's, of at most `longestTimeoutMs`. */
export type SetTimer = (run: () => void, ms: number) => Timer & { unref(): void };

const ofNode: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return { unref: () => timer.unref(), cancel: () => clearTimeout(timer) };
};

/** Longer than one timer of Node's holds is several, one after the other. */
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
    // `performance` would load a room of Node that nothing else here asks for, at the start of each command.
    monotonic: () => Number(process.hrtime.bigint()) / 1e6,
    after: (ms, run, options) => armed(set, ms, run, options?.unref === true),
  };
}
