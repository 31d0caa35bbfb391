import { describe, expect, it } from 'vitest';
import { createSystemClock, type SetTimer } from './system-clock.ts';

const day = 86_400_000;

/** Node's timers on a virtual clock: like there, a delay longer than 32 bits fires at once. */
function nodeTimers() {
  const waiting: { readonly at: number; readonly run: () => void; held: boolean }[] = [];
  let now = 0;
  const set: SetTimer = (run, ms) => {
    const timer = { at: now + (ms > 2 ** 31 - 1 ? 1 : ms), run, held: true };
    waiting.push(timer);
    return {
      unref: () => {
        timer.held = false;
      },
      cancel: () => {
        waiting.splice(waiting.indexOf(timer), 1);
      },
    };
  };
  /** Fires all timers up to this time, in order. */
  const until = (end: number): void => {
    for (;;) {
      const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      waiting.splice(waiting.indexOf(next), 1);
      now = next.at;
      next.run();
    }
    now = end;
  };
  return { set, until, waiting, now: () => now };
}

describe('the clock of the machine', () => {
  it('rings after 30 days and after a year on the ms, once, not where one timer of Node ends (F8)', () => {
    for (const ms of [1, day, 2 ** 31 - 1, 2 ** 31, 30 * day, 2 * (2 ** 31 - 1), 365 * day]) {
      const timers = nodeTimers();
      const rung: number[] = [];
      createSystemClock(timers.set).after(ms, () => rung.push(timers.now()));
      timers.until(ms - 1);
      expect(rung, `${ms} ms, one before`).toEqual([]);
      timers.until(3 * 365 * day);
      expect(rung).toEqual([ms]);
    }
  });

  it('a long timer can be taken back in each of its parts, and never holds the program when it must not', () => {
    for (const after of [0, 25 * day, 60 * day]) {
      const timers = nodeTimers();
      let rung = 0;
      const timer = createSystemClock(timers.set).after(90 * day, () => rung++, { unref: true });
      timers.until(after);
      expect(timers.waiting.map(({ held }) => held)).toEqual([false]);
      timer.cancel();
      expect(timers.waiting).toEqual([]);
      timers.until(365 * day);
      expect(rung).toBe(0);
    }
  });

  it('takes a time that is past, and may be cancelled after it rang', async () => {
    const clock = createSystemClock();
    const timer = await new Promise<{ cancel(): void }>((resolve) => {
      const past = clock.after(-5, () => resolve(past));
    });
    timer.cancel();
  });
});
