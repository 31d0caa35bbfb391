import { expect, test } from 'vitest';
import { type ArrangedItem, type Arrangement, arrange, byLatest, bySpend } from './arrange.ts';

interface Row {
  readonly id: string;
  readonly at: number;
  readonly usd: number | null;
  readonly tokens: number;
  readonly state: string;
}

const rows: readonly Row[] = [
  { id: 'a', at: 1, usd: null, tokens: 10, state: 'idle' },
  { id: 'b', at: 3, usd: 2, tokens: 0, state: 'failed' },
  { id: 'c', at: 3, usd: 0, tokens: 30, state: 'idle' },
];
const byId = (a: Row, b: Row): number => a.id.localeCompare(b.id);
const by = (change: Partial<Arrangement<Row>>): Arrangement<Row> => ({
  keyOf: ({ id }) => id,
  compare: null,
  groupOf: null,
  compareGroups: (a, b) => a.title.localeCompare(b.title),
  ...change,
});
const shape = (items: readonly ArrangedItem<Row>[]): readonly string[] =>
  items.map((item) => (item.kind === 'head' ? `${item.title} (${item.count})` : item.key));

test('Without a choice the given order stays', () => {
  expect(shape(arrange([...rows].reverse(), by({})))).toEqual(['c', 'b', 'a']);
});

test('The latest come first, equal times by the second order', () => {
  expect(shape(arrange(rows, by({ compare: byLatest(({ at }) => at, byId) })))).toEqual(['b', 'c', 'a']);
});

test('Dollars come before tokens, and unknown prices count as none', () => {
  expect(shape(arrange(rows, by({ compare: bySpend((row) => row, byId) })))).toEqual(['b', 'c', 'a']);
});

test('Groups have a heading with their count and keep the order inside', () => {
  const groupOf = ({ state }: Row) => ({ key: state, title: state });
  expect(shape(arrange(rows, by({ groupOf, compare: byLatest(({ at }) => at, byId) })))).toEqual([
    'failed (1)',
    'b',
    'idle (2)',
    'c',
    'a',
  ]);
});
