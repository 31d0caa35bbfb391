import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../test/fakes/test-run.ts';
import { compilePattern, patternFits } from './linear-pattern.ts';

function fits(source: string, text: string, left = 1_000_000): boolean | null | 'refused' {
  const program = compilePattern(source);
  return program ? patternFits(program, text, { left }) : 'refused';
}

const atoms = [
  'a',
  'b',
  'é',
  '😀',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '[ab]',
  '[^a]',
  '[a-c\\]]',
  '\\.',
  '\\u0061',
  '\\x62',
];
const more = [
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '\\p{L}',
  '\\P{L}',
  '\\n',
  '\\cJ',
  '\\0',
  '^',
  '$',
  '\\b',
  '\\B',
  '',
];
const pattern: fc.Arbitrary<string> = fc.letrec<{ p: string }>((tie) => ({
  p: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(...atoms, ...more),
    fc.tuple(tie('p'), tie('p')).map((parts) => parts.join('')),
    fc.tuple(tie('p'), tie('p')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('p'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,3}', '*?', '{2}?'))
      .map(([part, times]) => `(${part})${times}`),
  ),
})).p;
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'é', '😀', '1', ' ', '.', ']', '\n', '\0'), { maxLength: 8 })
  .map((all) => all.join(''));

describe('Linear-time patterns', () => {
  it(`match like the regular expressions of JavaScript (seed ${seed})`, () => {
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        // V8 finds \\B inside a surrogate pair, where the standard has no position.
        fc.pre(!(source.includes('\\B') && given.includes('😀')));
        expect(fits(source, given)).toBe(new RegExp(source, 'u').test(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-21', true],
    ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-211', false],
    ['^(?<year>\\d+)$', '2026', true],
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', 'ada@example.org', true],
    ['^[\\w\\-]+$', 'a-b_c', true],
    ['', '', true],
  ])('give the expected result for %s on %j', (source, given, expected) => {
    expect(fits(source, given)).toBe(expected);
  });

  it.each(['(a+)+$', '^(a|a)*$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(?:a?){30}a{30}$'])(
    'T25 %s takes work proportional to the text',
    (source) => {
      const work = (length: number): number => {
        const program = compilePattern(source);
        const spent = { left: 1_000_000 };
        expect(program && patternFits(program, `${'a'.repeat(length)}!`, spent)).toBe(false);
        return 1_000_000 - spent.left;
      };
      expect(work(4_000)).toBeLessThan(work(2_000) * 2.1);
    },
  );

  it('T25 return null if the work exceeds the limit', () => {
    expect(fits('a$', 'a'.repeat(1_000), 100)).toBeNull();
  });

  it.each([
    '(',
    '[',
    'a**',
    '\\',
    '(?<=a)b',
    '(?=a)',
    '(?!a)',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?i:a)',
    '(((a{100}){100}){100}){100}',
    '(?:){999999999}',
    'a'.repeat(3_000),
    '('.repeat(500) + ')'.repeat(500),
  ])('T25 refuses %.40s without throwing', (source) => {
    expect(fits(source, 'ab')).toBe('refused');
  });
});
