import { describe, expect, it } from 'vitest';
import { latestOf, runScale, waitedOf } from './step-times.ts';

const times = (...spans: ['work' | 'wait', number, number | null][]) => ({
  spans: spans.map(([kind, from, to]) => ({ kind, from, to })),
  waited: 0,
});

describe('Run timeline', () => {
  it('is linear without waits, and overlays parallel work', () => {
    const scale = runScale([times(['work', 0, 600]), times(['work', 500, 1_000])], 0, 1_000);
    expect([scale.squeezed, scale.at(0), scale.at(500), scale.at(1_000)]).toEqual([false, 0, 500, 1_000]);
  });

  it('compresses days of waiting', () => {
    const day = 86_400_000;
    const scale = runScale(
      [times(['work', 0, 10_000], ['wait', 10_000, day]), times(['work', day, day + 10_000])],
      0,
      day + 10_000,
    );
    expect(scale.squeezed).toBe(true);
    expect(scale.at(10_000)).toBeGreaterThan(300);
    expect(scale.at(day)).toBeLessThan(700);
  });

  it('does not compress a wait while another step works', () => {
    const scale = runScale([times(['wait', 0, 100_000]), times(['work', 0, 100_000])], 0, 100_000);
    expect([scale.squeezed, scale.at(25_000)]).toEqual([false, 250]);
  });

  it('extends unfinished work and waits to now', () => {
    expect(runScale([times(['work', 0, null])], 0, 5_000).at(5_000)).toBe(1_000);
    expect(waitedOf({ ...times(['work', 0, 5], ['wait', 5, null]), waited: 7 }, 105)).toBe(107);
    expect(waitedOf({ ...times(['work', 0, null]), waited: 7 }, 50)).toBe(7);
  });

  it('ends at the latest known time', () => {
    expect(latestOf([])).toBe(0);
    const open = { startedAt: 7, endedAt: null };
    expect(latestOf([{ startedAt: 1, endedAt: 5 }, open, { startedAt: 2, endedAt: 3 }])).toBe(7);
  });

  it('is linear if no step has worked', () => {
    expect(runScale([times(['wait', 0, null])], 0, 90_000).squeezed).toBe(false);
    expect(runScale([], 5, 5).at(5)).toBe(0);
  });
});
