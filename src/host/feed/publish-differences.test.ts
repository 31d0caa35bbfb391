import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyPatch } from '../../contract/apply-patch.ts';
import { differences } from './publish-differences.ts';

const leaf = fc.oneof(
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const key = fc.constantFrom('a', 'b', 'c', 'd');
const state = fc.dictionary(
  key,
  fc.oneof(leaf, fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))),
);

it('Patches turn any state into any other at any depth', () => {
  fc.assert(
    fc.property(state, state, fc.integer({ min: 1, max: 3 }), (before, after, depth) => {
      expect(applyPatch<unknown>(before, differences(before, after, depth))).toEqual(after);
    }),
  );
});

it('Patches contain only differences', () => {
  const before = { guide: { dot: 'idle', name: 'Guide' }, checker: { dot: 'idle', name: 'Checker' } };
  const after = { ...before, guide: { dot: 'working', name: 'Guide' } };
  expect(differences(before, after, 2)).toEqual([{ op: 'set', path: ['guide', 'dot'], value: 'working' }]);
  expect(differences(before, { ...before }, 2)).toEqual([]);
});
