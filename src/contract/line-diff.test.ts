import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiffLine, diffLines } from './line-diff.ts';

const textWithout = (diff: readonly DiffLine[], without: DiffLine['kind']): string[] =>
  diff.filter(({ kind }) => kind !== without).map(({ text }) => text);

/** Length of the longest common subsequence, by the textbook. */
function commonLength(before: readonly string[], after: readonly string[]): number {
  let below = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const row = [0];
    for (const [j, other] of after.entries())
      row.push(line === other ? (below[j] ?? 0) + 1 : Math.max(below[j + 1] ?? 0, row[j] ?? 0));
    below = row;
  }
  return below.at(-1) ?? 0;
}

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });
const numbered = (mark: string, length: number): string[] => Array.from({ length }, (_, n) => `${mark}${n}`);

test('The diff rebuilds both texts and keeps a longest common subsequence', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = diffLines(before, after);
      expect(textWithout(diff, 'added')).toEqual(before);
      expect(textWithout(diff, 'removed')).toEqual(after);
      expect(diff.filter(({ kind }) => kind === 'same')).toHaveLength(commonLength(before, after));
    }),
  );
});

test('The diff lists removed lines before added lines', () => {
  const kinds = diffLines(['a', 'b', 'c'], ['a', 'x', 'c']).map(({ kind }) => kind);
  expect(kinds).toEqual(['same', 'removed', 'added', 'same']);
});

test('The diff finds single changes in a long text', () => {
  const before = numbered('line ', 20_000);
  const diff = diffLines(before, before.with(10, 'x').with(19_000, 'y'));
  expect(diff.filter(({ kind }) => kind !== 'same')).toHaveLength(4);
});

test('The diff replaces very different text as a whole, between the equal head and tail', () => {
  const before = ['head', ...numbered('a', 3_000), 'shared', ...numbered('b', 3_000), 'tail'];
  const after = ['head', ...numbered('c', 3_000), 'shared', ...numbered('d', 3_000), 'tail'];
  const diff = diffLines(before, after);
  expect(diff.filter(({ kind }) => kind === 'same').map((line) => line.text)).toEqual(['head', 'tail']);
  expect(textWithout(diff, 'added')).toEqual(before);
  expect(textWithout(diff, 'removed')).toEqual(after);
});

test('The diff bounds the comparison of long texts that repeat few lines', () => {
  const before = Array.from({ length: 200_000 }, (_, n) => `${(n * n) % 7}`);
  const after = Array.from({ length: 200_000 }, (_, n) => `${(n * n + n) % 5}`);
  const diff = diffLines(before, after);
  expect(textWithout(diff, 'added')).toEqual(before);
});
