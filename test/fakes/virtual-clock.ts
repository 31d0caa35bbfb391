/** Time that moves only on request; timers run by due time, then by creation. */
import type { Clock, Timer } from '../../src/core/ports.ts';

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

export interface VirtualClock extends Clock {
  /** Moves both clocks forward, runs due timers, and lets promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Advances to each next timer until none is left or `limitMs` has passed. */
  runAll(limitMs?: number): Promise<void>;
  /** Moves only the wall clock. */
  jump(ms: number): void;
  pending(): number;
}

/** Lets pending promises settle: several rounds of the macrotask queue. */
export async function settle(rounds = 8): Promise<void> {
  for (let i = 0; i < rounds; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function createVirtualClock(startMs = 1_778_790_000_000): VirtualClock {
  let elapsed = 0;
  let wall = startMs;
  let made = 0;
  const timers = new Set<Pending>();
  const next = (): Pending | undefined => [...timers].sort((a, b) => a.due - b.due || a.order - b.order)[0];
  const moveTo = (at: number): void => {
    wall += Math.max(0, at - elapsed);
    elapsed = Math.max(elapsed, at);
  };
  const clock: VirtualClock = {
    now: () => wall,
    monotonic: () => elapsed,
    after(ms, run): Timer {
      const timer: Pending = { due: elapsed + Math.max(0, ms), order: made, run };
      made += 1;
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    async advance(ms) {
      const end = elapsed + ms;
      await settle();
      for (let timer = next(); timer && timer.due <= end; timer = next()) {
        timers.delete(timer);
        moveTo(timer.due);
        timer.run();
        await settle();
      }
      moveTo(end);
      await settle();
    },
    async runAll(limitMs = 3_600_000) {
      const end = elapsed + limitMs;
      await settle();
      for (let timer = next(); timer && timer.due <= end; timer = next()) {
        await clock.advance(timer.due - elapsed);
      }
    },
    jump: (ms) => {
      wall += ms;
    },
    pending: () => timers.size,
  };
  return clock;
}
