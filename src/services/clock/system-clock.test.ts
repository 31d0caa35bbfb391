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

describe('System clock', () => {
  it('fires once and on the ms after 30 days and after a year, beyond the limit of one Node timer (F8)', () => {
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

  it('can cancel a long timer at any time, and an unref timer never keeps the process alive', () => {
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

  it('accepts a time in the past, and a cancel after the timer has fired', async () => {
    const clock = createSystemClock();
    const timer = await new Promise<{ cancel(): void }>((resolve) => {
      const past = clock.after(-5, () => resolve(past));
    });
    timer.cancel();
  });
});
