import { expect, it } from 'vitest';
import { limitHeap } from './heap-limits.ts';

const mebibyte = 1024 * 1024;

it('The young generation grows only while it is small, also after it shrank', () => {
  let bytes = mebibyte;
  let collected = (): void => undefined;
  const done: string[] = [];
  const stop = limitHeap({
    youngBytes: () => bytes,
    setFlag: (flag) => done.push(flag),
    onCollected(listener) {
      collected = listener;
      return () => done.push('stopped');
    },
  });
  for (const size of [4, 8, 16, 1, 32]) {
    bytes = size * mebibyte;
    collected();
  }
  stop();
  const grows = (factor: number): string => `--semi-space-growth-factor=${factor}`;
  expect(done).toEqual([
    '--heap-growing-percent=50',
    grows(1),
    grows(2),
    grows(1),
    'stopped',
    grows(2),
    '--heap-growing-percent=0',
  ]);
});
