import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createWheel } from './timer-wheel.ts';

describe('Shared timer', () => {
  it('fires each alarm once, never early and less than a second late, with one clock timer for all', async () => {
    const clock = createVirtualClock();
    const wheel = createWheel(clock);
    const rung: { readonly due: number; readonly at: number }[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      const due = 500 + ((n * 7_919) % 30_000);
      wheel.after(due, () => rung.push({ due, at: clock.monotonic() }));
    }
    expect(clock.pending()).toBe(1);
    await clock.advance(31_000);
    expect(rung).toHaveLength(1_000);
    for (const { due, at } of rung) {
      expect(at).toBeGreaterThanOrEqual(due);
      expect(at - due).toBeLessThan(1_000);
    }
    expect(clock.pending()).toBe(0);
  });

  it('does not fire a cancelled alarm', async () => {
    const clock = createVirtualClock();
    const wheel = createWheel(clock);
    let rung = 0;
    wheel.after(1_000, () => (rung += 1)).cancel();
    await clock.advance(5_000);
    expect(rung).toBe(0);
  });

  it('F8, F23: reports a jump of the clock once, and no ordinary seconds', async () => {
    const clock = createVirtualClock();
    const wheel = createWheel(clock);
    let woken = 0;
    wheel.onWake(() => (woken += 1));
    await clock.advance(30_000);
    expect(woken).toBe(0);
    clock.jump(86_400_000);
    await clock.advance(10_000);
    expect(woken).toBe(1);
  });
});
