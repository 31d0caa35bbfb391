import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printable, printableJson, visibleTerminalLine } from './visible-text.ts';

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '[2K', '\u009b', '\r', '\b', '\u202e', '\u2066', '\u007f', '\n', '\t', '"'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});
const steers = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

it('Printed text has no control or bidirectional characters (T21)', () => {
  fc.assert(fc.property(hostile, (text) => !steers.test(printable(text))));
  expect(printable('a\u001b[2Kb\u202ec')).toBe('a<U+001B>[2Kb<U+202E>c');
  expect(printable('👩\u200d🚀 می\u200cخواهم\n\tx')).toBe('👩\u200d🚀 می\u200cخواهم\n\tx');
});

it('Printed JSON has no control characters and keeps its meaning (T21)', () => {
  fc.assert(
    fc.property(fc.dictionary(hostile, hostile), (value) => {
      const text = printableJson(JSON.stringify(value, null, 2));
      expect(text).not.toMatch(steers);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('A line break in a name is shown as a space', () => {
  expect(visibleTerminalLine('ada\nAllowed: yes')).toBe('ada Allowed: yes');
});
