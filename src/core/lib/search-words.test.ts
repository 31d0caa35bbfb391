import fc from 'fast-check';
import { expect, it } from 'vitest';
import { excerptOf, searchQuery, searchText } from './search-words.ts';

it.each([
  ['deploy friday', '"deploy" "friday"'],
  ['deploy*', '"deploy"*'],
  ['a*', '"a"'],
  ['@bob-1', '"bob 1"'],
  ['"on friday" rollback', '"on friday" "rollback"'],
  ['NEAR(a b) OR text:x', '"NEAR a" "b" "OR" "text x"'],
  ['"open', '"open"'],
  ['日本', '"日 本"'],
])('T25: %s is words and no syntax', (typed, query) => {
  expect(searchQuery(typed)).toBe(query);
});

it('says when there is nothing to search for', () => {
  for (const typed of ['', '  ', '*', '""', '-- ;', '\u0000']) expect(searchQuery(typed)).toBeNull();
});

it('T25: whatever is typed, quotation marks stand only around words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (typed) => {
      const query = searchQuery(typed) ?? '"x"';
      expect(query).toMatch(/^"[\p{L}\p{N}\p{M}\p{Co} ]+"\*?( "[\p{L}\p{N}\p{M}\p{Co} ]+"\*?)*$/u);
    }),
  );
});

it('characters of scripts without spaces are words of their own', () => {
  expect(searchText('東京で meet')).toBe(' 東  京  で  meet');
});

it('an excerpt shows the word that was searched for, whatever stands before it', () => {
  const text = `${'😀 before. '.repeat(100)}The Zoë rollback.${' after'.repeat(100)}`;
  const shown = excerptOf(text, 'zoe', 80);
  expect(shown).toContain('Zoë rollback');
  expect([...shown].length).toBe(82);
  expect(excerptOf('short', 'x', 80)).toBe('short');
  expect(excerptOf(text, 'nowhere', 20)).toBe('😀 before. 😀 before. …');
});
