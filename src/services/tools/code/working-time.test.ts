import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../test/fakes/virtual-clock.ts';
import { WorkingTime } from './working-time.ts';

describe('working time', () => {
  it('does not count while calls are open, and continues after the last one', async () => {
    const clock = createVirtualClock();
    let ended = 0;
    const time = new WorkingTime(clock, 1_000, () => {
      ended += 1;
    });
    await clock.advance(600);
    const ends: (() => void)[] = [];
    const open = (): Promise<void> => time.outside(() => new Promise((resolve) => ends.push(resolve)));
    const calls = [open(), open()];
    await clock.advance(60_000);
    ends[0]?.();
    await calls[0];
    await clock.advance(60_000);
    expect([ended, time.isOver]).toEqual([0, false]);
    ends[1]?.();
    await calls[1];
    await clock.advance(399);
    expect(ended).toBe(0);
    await clock.advance(1);
    expect([ended, time.isOver]).toEqual([1, true]);
  });

  it('never ends after it was stopped, also in an open call', async () => {
    const clock = createVirtualClock();
    let ended = 0;
    const time = new WorkingTime(clock, 10, () => {
      ended += 1;
    });
    await time.outside(async () => time.stop());
    await clock.advance(1_000);
    expect(ended).toBe(0);
  });
});
