import { expect, test } from 'vitest';
import { codePointLength } from '../lib/text.ts';
import { type MemoryNote, maxMemory, memorySnapshot } from './memory.ts';

const note = (name: string, text: string, updatedAt = 0): MemoryNote => ({ name, text, updatedAt });

test('Memory notes that fit are included whole, by name', () => {
  expect(
    memorySnapshot([note('b', 'two\n', 2), note('a', 'one', 1), note('README', 'x'), note('c', ' ')]),
  ).toBe('### a\n\none\n\n### b\n\ntwo');
});

test('Memory over the limit keeps the newest notes and says how to find the others', () => {
  const long = '😀'.repeat(10_000);
  const text = memorySnapshot([
    note('a', long, 1),
    note('b', long, 4),
    note('c', long, 3),
    note('d', long, 2),
  ]);
  expect(codePointLength(text)).toBeLessThanOrEqual(maxMemory);
  expect([...text.matchAll(/^### (\w)/gm)].map(([, name]) => name)).toEqual(['b', 'c', 'd']);
  expect(text).toContain('longer than fits here: a. memory_search finds them');
});

test('A single oversized note is truncated, and many notes stay within the limit', () => {
  const one = memorySnapshot([note('a', 'x'.repeat(40_000))]);
  expect(one).toContain('### a\n\nxxx');
  expect(codePointLength(one)).toBeLessThanOrEqual(maxMemory);
  const many = Array.from({ length: 200 }, (_, n) => note(`${n}-${'n'.repeat(60)}`, 'y'.repeat(5_000), n));
  const text = memorySnapshot(many);
  expect(codePointLength(text)).toBeLessThanOrEqual(maxMemory);
  expect(text).toContain('### 199-');
});
