import { describe, expect, it } from 'vitest';
import { showItems } from './show-items.ts';

describe('Output display of a run', () => {
  it('shows a table of item fields', () => {
    expect(showItems([{ id: 1, title: 'one' }, { id: 20, more: [1] }, 'text'], 'table')).toBe(
      ['id    title  more', '----  -----  ----', '1     one', '20           [1]', 'text'].join('\n'),
    );
  });

  it('takes columns from the first twenty items only', () => {
    const items = [...Array.from({ length: 20 }, () => ({ a: 1 })), { b: 2 }];
    expect(showItems(items, 'table').split('\n')[0]).toBe('a');
  });

  it('prints JSON with every digit', () => {
    expect(showItems([9007199254740993n], 'json')).toBe('[\n  9007199254740993\n]');
  });

  it('removes control and format characters', () => {
    const hostile = '\u001b[31mred\u202e\u009b\n';
    for (const format of ['json', 'table'] as const) {
      expect(showItems([{ [hostile]: hostile }], format)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    }
    expect(showItems([hostile], 'table').split('\n')).toHaveLength(3);
  });

  it('prints a text for an empty table and [] for empty JSON', () => {
    expect(showItems([], 'table')).toBe('No items.');
    expect(showItems([], 'json')).toBe('[]');
  });
});
