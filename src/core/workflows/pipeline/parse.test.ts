import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { englishText } from '../../../language/host-message.ts';
import { parsePipeline, placeInText, printPipeline } from './parse.ts';

const wordsOf = (text: string): string[][] => {
  const read = parsePipeline(text);
  if (!read.ok) throw new Error(englishText(read.error.message));
  return read.value.map(({ tokens }) => tokens.map((token) => token.text));
};

describe('Pipeline parser', () => {
  const cases: [string, string, string[][]][] = [
    ['a pipe in single quotes is data', `exec --shell 'printf "a|b"'`, [['exec', '--shell', 'printf "a|b"']]],
    ['a pipe needs no blanks', 'a|b', [['a'], ['b']]],
    ['double quotes take four escapes', '"\\"\\\\\\$\\`"', [['"\\$`']]],
    ['double quotes keep every other backslash', '"\\n\\a\'"', [["\\n\\a'"]]],
    ['backslash and line end join lines in double quotes', '"a\\\nb"', [['ab']]],
    ['single quotes know one escape', `'it\\'s \\n'`, [["it's \\n"]]],
    ['the POSIX way of a quote in quotes', "a 'it'\\''s' b", [['a', "it's", 'b']]],
    ['outside quotes a backslash is a character', 'a\\b', [['a\\b']]],
    ['parts that touch are one word', `--text="a b"'c d'e`, [['--text=a bc de']]],
    ['empty quotes are an empty word', `exec printf '[%s]' '' `, [['exec', 'printf', '[%s]', '']]],
    ['tabs and line ends are blanks', 'a\tb\r\n| c\n', [['a', 'b'], ['c']]],
    ['nothing is a variable or a pattern', 'a $x *.txt > f', [['a', '$x', '*.txt', '>', 'f']]],
  ];
  it.each(cases)('splits words: %s', (_name, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  const refused: [string, string, string, number][] = [
    ['a pipe at the end', 'a |', 'Empty command stage', 3],
    ['a pipe at the beginning', '| a', 'Empty command stage', 0],
    ['two pipes', 'a || b', 'Empty command stage', 3],
    ['no text', ' \n', 'Empty pipeline', 0],
    ['an open single quote', "exec --shell 'echo 1", 'Unclosed quote', 13],
    ['an open double quote', 'a "b\\"', 'Unclosed quote', 2],
    ['the POSIX way of a quote that stays open', "a 'it'\\''s", 'Unclosed quote', 8],
  ];
  it.each(refused)('refuses %s, with its position', (_name, text, message, at) => {
    const read = parsePipeline(text);
    expect(read).toMatchObject({
      ok: false,
      error: { message: { text: expect.stringContaining(message) }, at },
    });
  });

  it('refuses too long text and more than 200 stages', () => {
    expect(parsePipeline('a'.repeat(100_001)).ok).toBe(false);
    expect(parsePipeline(Array.from({ length: 201 }, () => 'a').join('|')).ok).toBe(false);
    expect(parsePipeline(Array.from({ length: 200 }, () => 'a').join('|')).ok).toBe(true);
  });

  const anyWord = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom("'", '"', '\\', '|', ' ', '\n', '$', '`', '-', 'a', '\r'),
      maxLength: 12,
    }),
  );
  const anyStages = fc.array(fc.array(anyWord, { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 5,
  });

  it(`parses printed tokens back (seed ${seed})`, () => {
    fc.assert(
      fc.property(anyStages, (stages) => {
        const printed = printPipeline(stages.map((words) => ({ tokens: words.map((text) => ({ text })) })));
        if (printed.trim() !== '') expect(wordsOf(printed)).toEqual(stages);
      }),
      { numRuns: 1_000 },
    );
  });

  it(`never throws, and token offsets match the text (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll('a', '|')),
        (text) => {
          const read = parsePipeline(text);
          if (!read.ok) return;
          const tokens = read.value.flatMap((stage) => stage.tokens);
          for (const { at, end, text: word } of tokens) {
            if (!/['"]/.test(text.slice(at, end))) expect(text.slice(at, end)).toBe(word);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('reports positions as line and column', () => {
    expect(placeInText('ab\ncd', 4)).toEqual({ line: 2, column: 2 });
    expect(placeInText('ab', 0)).toEqual({ line: 1, column: 1 });
  });
});
