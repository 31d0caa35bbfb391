import { expect, it } from 'vitest';
import { limitYoungGeneration } from './young-generation.ts';

const mebibyte = 1024 * 1024;

it('The young generation grows only while it is small, also after it shrank', () => {
  let bytes = mebibyte;
  let collected = (): void => undefined;
  const growth: number[] = [];
  const stop = limitYoungGeneration({
    bytes: () => bytes,
    setGrowth: (factor) => growth.push(factor),
    onCollected(listener) {
      collected = listener;
      return () => growth.push(0);
    },
  });
  for (const size of [4, 8, 16, 1, 32]) {
    bytes = size * mebibyte;
    collected();
  }
  stop();
  expect(growth).toEqual([1, 2, 1, 0, 2]);
});
