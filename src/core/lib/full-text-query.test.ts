import fc from 'fast-check';
import { expect, it } from 'vitest';
import { excerptOf, searchQuery, searchText } from './full-text-query.ts';

it.each([
  ['deploy friday', '"deploy" "friday"'],
  ['deploy*', '"deploy"*'],
  ['a*', '"a"'],
  ['@bob-1', '"bob 1"'],
  ['"on friday" rollback', '"on friday" "rollback"'],
  ['NEAR(a b) OR text:x', '"NEAR a" "b" "OR" "text x"'],
  ['"open', '"open"'],
  ['日本', '"日 本"'],
])('T25: %s becomes quoted terms without query syntax', (typed, query) => {
  expect(searchQuery(typed)).toBe(query);
});

it('The query is null if there is nothing to search for', () => {
  for (const typed of ['', '  ', '*', '""', '-- ;', '\u0000']) expect(searchQuery(typed)).toBeNull();
});

it('T25: quotation marks surround only terms, whatever is typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (typed) => {
      const query = searchQuery(typed) ?? '"x"';
      expect(query).toMatch(/^"[\p{L}\p{N}\p{M}\p{Co} ]+"\*?( "[\p{L}\p{N}\p{M}\p{Co} ]+"\*?)*$/u);
    }),
  );
});

it('Characters of scripts without spaces become separate terms', () => {
  expect(searchText('東京で meet')).toBe(' 東  京  で  meet');
});

it('An excerpt shows the matched term, whatever precedes it', () => {
  const text = `${'😀 before. '.repeat(100)}The Zoë rollback.${' after'.repeat(100)}`;
  const shown = excerptOf(text, 'zoe', 80);
  expect(shown).toContain('Zoë rollback');
  expect([...shown].length).toBe(82);
  expect(excerptOf('short', 'x', 80)).toBe('short');
  expect(excerptOf(text, 'nowhere', 20)).toBe('😀 before. 😀 before. …');
});
