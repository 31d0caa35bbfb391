import { expect, test } from 'vitest';
import { extended, nothingSelected, type Selected, selectedOnly, toggled, without } from './selection.ts';

const all = ['a', 'b', 'c', 'd', 'e'];
const keysOf = (selected: Selected): string => [...selected.keys].sort().join('');

test('A row is selected and deselected', () => {
  const one = toggled(nothingSelected, 'b');
  expect(keysOf(one)).toBe('b');
  expect(keysOf(toggled(one, 'b'))).toBe('');
});

test('A range goes from the last row to another one, in both directions', () => {
  expect(keysOf(extended(toggled(nothingSelected, 'b'), 'd', all))).toBe('bcd');
  expect(keysOf(extended(toggled(nothingSelected, 'd'), 'b', all))).toBe('bcd');
  expect(keysOf(extended(nothingSelected, 'c', all))).toBe('c');
});

test('A second range replaces the first one and keeps what was selected besides', () => {
  const wide = extended(toggled(toggled(nothingSelected, 'a'), 'c'), 'e', all);
  expect(keysOf(wide)).toBe('acde');
  expect(keysOf(extended(wide, 'd', all))).toBe('acd');
});

test('A range begins at its end if its anchor left the list', () => {
  expect(keysOf(extended(toggled(nothingSelected, 'gone'), 'b', all))).toBe('b');
});

test('Only the given rows stay selected', () => {
  expect(keysOf(selectedOnly(['b', 'd']))).toBe('bd');
  expect(selectedOnly([]).anchor).toBeNull();
});

test('Rows are taken out of the selection, and a later range does not bring them back', () => {
  const some = toggled(toggled(toggled(nothingSelected, 'a'), 'b'), 'd');
  const left = without(some, ['a']);
  expect(keysOf(left)).toBe('bd');
  expect(keysOf(extended(left, 'e', all))).toBe('bde');
});
