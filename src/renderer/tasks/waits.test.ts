import { describe, expect, it } from 'vitest';
import { sumOfWaits } from './waits.ts';

const of = (...ms: number[]) => sumOfWaits(ms.map((one) => ({ ms: one })));

describe('Question waiting times', () => {
  it('are counted in buckets with an inclusive lower bound', () => {
    const { counts } = of(0, 59_999, 60_000, 600_000, 3_600_000, 86_400_000, 9e9);
    expect(counts).toEqual({ minute: 2, tenMinutes: 1, hour: 1, day: 1, longer: 2 });
  });

  it('report the median and the maximum, in any order of input', () => {
    expect(of(30, 10, 20)).toMatchObject({ median: 20, longest: 30 });
    expect(of(40, 10, 20, 30)).toMatchObject({ median: 20, longest: 40 });
  });

  it('are 0 without answers, and never negative', () => {
    expect(of()).toMatchObject({ median: 0, longest: 0 });
    expect(of(-5).longest).toBe(0);
  });
});
