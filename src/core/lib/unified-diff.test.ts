import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

test('The diff shows a change with three lines of context', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(unifiedDiff(before, before.replace('e', 'E'))).toBe(
    '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h',
  );
});

test('The diff handles a new file, an emptied file and a missing last newline', () => {
  expect(unifiedDiff('', 'x\ny\n')).toBe('@@ -0,0 +1,2 @@\n+x\n+y');
  expect(unifiedDiff('x\n', '')).toBe('@@ -1 +0,0 @@\n-x');
  expect(unifiedDiff('x\n', 'x')).toBe('@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file');
  expect(unifiedDiff('same\n', 'same\n')).toBe('');
});

/** Applies the diff like a person would by hand. */
function apply(before: string, diff: string): string {
  const old = before === '' ? [] : (before.match(/[^\n]*\n|[^\n]+$/g) ?? []);
  const out: string[] = [];
  let at = 0;
  for (const line of diff === '' ? [] : diff.split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (head) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
    } else if (line.startsWith('\\')) out.push((out.pop() ?? '').replace(/\n$/, ''));
    else if (line.startsWith('-')) at += 1;
    else {
      out.push(`${line.slice(1)}\n`);
      if (line.startsWith(' ')) at += 1;
    }
  }
  return [...out, ...old.slice(at)].join('');
}

test('The diff, applied to the old text, gives the new text', () => {
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 40 })
    .map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(apply(before, unifiedDiff(before, after))).toBe(after);
    }),
  );
});

test('Two distant changes become two hunks', () => {
  const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n}\n`);
  const diff = unifiedDiff(lines.join(''), lines.with(10, 'x\n').with(9_000, 'y\n').join(''));
  expect(diff.match(/^@@.*/gm)).toEqual(['@@ -8,7 +8,7 @@', '@@ -8998,7 +8998,7 @@']);
  expect(diff.match(/^[-+].*/gm)).toEqual(['-line 10', '+x', '-line 9000', '+y']);
});

test('Texts too different to compare are shown whole', () => {
  const lines = (mark: string): string => Array.from({ length: 2000 }, (_, n) => `${mark}${n}\n`).join('');
  const diff = unifiedDiff(lines('a'), lines('b'));
  expect(diff.split('\n')).toHaveLength(4001);
});
