import { describe, expect, it } from 'vitest';
import { sumOfWaits } from './waits.ts';

const of = (...ms: number[]) => sumOfWaits(ms.map((one) => ({ ms: one })));

describe('how long questions waited', () => {
  it('is counted in steps, each beginning where the one before ends', () => {
    const { counts } = of(0, 59_999, 60_000, 600_000, 3_600_000, 86_400_000, 9e9);
    expect(counts).toEqual({ minute: 2, tenMinutes: 1, hour: 1, day: 1, longer: 2 });
  });

  it('has a middle and a longest one, in whatever order they came', () => {
    expect(of(30, 10, 20)).toMatchObject({ median: 20, longest: 30 });
    expect(of(40, 10, 20, 30)).toMatchObject({ median: 20, longest: 40 });
  });

  it('is nothing where nothing was answered, and never less than nothing', () => {
    expect(of()).toMatchObject({ median: 0, longest: 0 });
    expect(of(-5).longest).toBe(0);
  });
});
