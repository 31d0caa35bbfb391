/** A clock whose wall time tests change, as sleep or a changed system time does; its timers fire early. */
import type { Clock } from '../../src/core/ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';

export interface JumpingClock extends Clock {
  /** Moves the wall clock by `ms`; monotonic time stays as it is. */
  jump(ms: number): void;
  set(at: number): void;
}

export function createJumpingClock(factor: number, startsAt: number): JumpingClock {
  const real = createSystemClock();
  let shift = startsAt - real.now();
  return {
    now: () => real.now() + shift,
    monotonic: () => real.monotonic() * factor,
    after: (ms, run, options) => real.after(ms / factor, run, options),
    jump: (ms) => {
      shift += ms;
    },
    set: (at) => {
      shift = at - real.now();
    },
  };
}
