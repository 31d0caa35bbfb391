import { expect, it } from 'vitest';
import { chunkCircle } from '../../scripts/lib/page-chunks.ts';

const chunk = (...imports: string[]) => ({ type: 'chunk', imports });

it('Chunks in a circle are found, however long it is', () => {
  const bundle = { start: chunk(), a: chunk('start', 'b'), b: chunk('c'), c: chunk('start', 'a') };
  expect(chunkCircle(bundle)).toEqual(['a', 'b', 'c', 'a']);
});

it('Chunks that share imports are no circle', () => {
  const bundle = { start: chunk(), a: chunk('start', 'b'), b: chunk('start'), style: { type: 'asset' } };
  expect(chunkCircle(bundle)).toBeNull();
});
