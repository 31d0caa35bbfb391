import { afterEach, describe, expect, it, vi } from 'vitest';
import { columnsText, displayWidth } from './table.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Colours regardless of the stream that runs the tests. */
function withColors(force: string | undefined): void {
  vi.stubEnv('TERM', 'xterm-256color');
  vi.stubEnv('NO_COLOR', undefined);
  vi.stubEnv('FORCE_COLOR', force);
}

const rows = [
  ['guide', { text: 'working', tone: 'busy' }, 'Guide'],
  ['a', { text: 'needs you', tone: 'attention' }, ''],
] as const;

describe('Tables', () => {
  it('align columns below headings, without trailing blanks', () => {
    withColors('0');
    expect(columnsText(['ID', 'STATE', 'NAME'], rows).text).toBe(
      'ID     STATE      NAME\nguide  working    Guide\na      needs you',
    );
    expect(columnsText([], rows).text.split('\n')).toHaveLength(2);
  });

  it('colour headings and states only, with the same columns', () => {
    withColors('2');
    const { text } = columnsText(['ID', 'STATE', 'NAME'], rows);
    expect(text).toContain('\u001b[36mworking\u001b[39m    Guide');
    expect(text).toContain('\u001b[33mneeds you\u001b[39m');
    withColors('0');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes the colours
    expect(text.replace(/\u001b\[\d+m/g, '')).toBe(columnsText(['ID', 'STATE', 'NAME'], rows).text);
  });

  it('print no colours with NO_COLOR', () => {
    withColors(undefined);
    process.env.NO_COLOR = '1';
    expect(columnsText(['ID', 'STATE', 'NAME'], rows).text).not.toContain('\u001b');
  });

  it('show control characters of untrusted cells (T21)', () => {
    withColors('2');
    const { text } = columnsText([], [['\u001b[31mred\u001b[0m', 'two\nlines']]);
    expect(text).toBe('<U+001B>[31mred<U+001B>[0m  two lines');
  });

  it('count wide characters twice and joined ones once', () => {
    expect([displayWidth('abc'), displayWidth('日本'), displayWidth('🙂'), displayWidth('e\u0301')]).toEqual([
      3, 4, 2, 1,
    ]);
  });
});
