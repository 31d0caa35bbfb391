import { expect, test } from 'vitest';
import { indexAt, rangeBetween, renderedIndexes, rowTops } from './row-range.ts';

const height = (kind: string): number => (kind === 'head' ? 30 : 50);

test('Tops add the height of each kind and end with the height of the list', () => {
  expect(rowTops(['head', 'row', 'row', 'head', 'row'], height)).toEqual([0, 30, 80, 130, 160, 210]);
  expect(rowTops([], height)).toEqual([0]);
});

test('The item at a height is found, and the nearest one outside of the list', () => {
  const tops = rowTops(['head', 'row', 'row'], height);
  expect([-5, 0, 29, 30, 79, 80, 129, 9_999].map((y) => indexAt(tops, y))).toEqual([0, 0, 0, 1, 1, 2, 2, 2]);
  expect(indexAt([0], 10)).toBe(0);
});

test('A range has a block of eight rows more on each side and stays inside of the list', () => {
  const tops = rowTops(Array(1_000).fill('row'), height);
  expect(rangeBetween(tops, 0, 700)).toEqual({ from: 0, to: 24 });
  expect(rangeBetween(tops, 20_000, 20_700)).toEqual({ from: 392, to: 424 });
  expect(rangeBetween(tops, 49_500, 60_000)).toEqual({ from: 976, to: 1_000 });
  expect(rangeBetween([0], 0, 700)).toEqual({ from: 0, to: 0 });
});

test('The kept row is rendered outside of the range too, in the order of the list', () => {
  const range = { from: 2, to: 5 };
  expect(renderedIndexes(range, 9, -1)).toEqual([2, 3, 4]);
  expect(renderedIndexes(range, 9, 3)).toEqual([2, 3, 4]);
  expect(renderedIndexes(range, 9, 0)).toEqual([0, 2, 3, 4]);
  expect(renderedIndexes(range, 9, 8)).toEqual([2, 3, 4, 8]);
  expect(renderedIndexes(range, 3, 8)).toEqual([2]);
});
