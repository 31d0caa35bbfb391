import { expect, test } from 'vitest';
import { readSearch } from './search-filters.ts';

test('filters are taken out of the words, in English and German, with quotes', () => {
  expect(readSearch('plan from:guide in:#general "two words" before:2026-11-01 has:file')).toEqual({
    words: 'plan "two words"',
    from: 'guide',
    room: '#general',
    sentBefore: Date.UTC(2026, 10, 1),
    hasFile: true,
  });
  expect(readSearch('von:"Ana B" ab:2026-11-02 mit:datei')).toEqual({
    words: '',
    from: 'Ana B',
    sentFrom: Date.UTC(2026, 10, 2),
    hasFile: true,
  });
});

test('what only looks like a filter stays a word', () => {
  for (const typed of ['before:lunch', 'before:2026-02-30', 'has:fun', 'xfrom:a', 'from:', 'http://in:x'])
    expect(readSearch(typed)).toEqual({ words: typed, hasFile: false });
});

test('a phrase in quotes holds no filters, and filters beside it still count', () => {
  for (const typed of ['"logged in:2 times"', '"sent from:guide" plan', '"a before:2026-11-01" "b has:file"'])
    expect(readSearch(typed)).toEqual({ words: typed, hasFile: false });
  expect(readSearch('"logged in:2 times" in:"Team room" "x from:y" from:ana')).toEqual({
    words: '"logged in:2 times" "x from:y"',
    room: 'Team room',
    from: 'ana',
    hasFile: false,
  });
});
