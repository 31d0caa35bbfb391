import { expect, it } from 'vitest';
import { turnTime } from './turn-time.ts';

const turn = (waits: readonly (readonly [number, number | null])[], endedAt: number | null = 10_000) => ({
  startedAt: 1_000,
  endedAt,
  waits: waits.map(([from, to]) => ({ from, to })),
});

it('counts the time of a wait apart from the work', () => {
  expect(turnTime(turn([]), 99_000)).toEqual({ workMs: 9_000, waitedMs: 0 });
  expect(turnTime(turn([[2_000, 6_000]]), 99_000)).toEqual({ workMs: 5_000, waitedMs: 4_000 });
});

it('counts overlapping waits once, and only what lies within the turn', () => {
  const waits = [
    [0, 3_000],
    [2_000, 4_000],
    [9_000, 20_000],
  ] as const;
  expect(turnTime(turn(waits), 99_000)).toEqual({ workMs: 5_000, waitedMs: 4_000 });
});

it('lets an open wait go on until now, or until the turn ended', () => {
  expect(turnTime(turn([[3_000, null]], null), 8_000)).toEqual({ workMs: 2_000, waitedMs: 5_000 });
  expect(turnTime(turn([[3_000, null]]), 99_000)).toEqual({ workMs: 2_000, waitedMs: 7_000 });
});
