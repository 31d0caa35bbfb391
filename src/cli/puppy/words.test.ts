import { describe, expect, it } from 'vitest';
import { oneWord, readWords } from './words.ts';

const flags = { token: 'text', json: 'switch', arg: 'texts', limit: 'text' } as const;

describe('Command arguments', () => {
  it('accept flag values that begin with a dash', () => {
    const words = readWords(['--token', '-abc', '--arg', 'a=--b', '--arg=c', 'rest'], flags);
    expect([words.text('token'), words.texts('arg'), words.rest]).toEqual(['-abc', ['a=--b', 'c'], ['rest']]);
  });

  it('are refused for an unknown flag, a missing value, or a value on a switch', () => {
    expect(() => readWords(['--nope'], flags)).toThrow(/nope/);
    expect(() => readWords(['--token', '--json'], flags)).toThrow(/token/);
    expect(() => readWords(['--token'], flags)).toThrow(/token/);
    expect(() => readWords(['--json=yes'], flags)).toThrow(/json/);
  });

  it('accept a flag with an optional value, which defaults to empty text', () => {
    const optional = { ...flags, from: 'optional' } as const;
    const from = (...argv: string[]) => readWords(argv, optional).text('from');
    expect([from('run', '--from'), from('--from', '--json'), from('run')]).toEqual(['', '', undefined]);
    expect([from('--from', 'a.b', 'run'), from('--from=a')]).toEqual(['a.b', 'a']);
  });

  it('accept only positive whole numbers for numeric flags', () => {
    expect(readWords(['--limit', '5'], flags).number('limit', 1)).toBe(5);
    for (const wrong of ['0', '-1', '1.5', 'x', '', '99999999999999999999']) {
      expect(() => readWords([`--limit=${wrong}`], flags).number('limit', 1), wrong).toThrow(/limit/);
    }
  });

  it('accept exactly one positional argument where one is expected', () => {
    expect(oneWord(readWords(['a b'], flags), 'a run')).toBe('a b');
    expect(() => oneWord(readWords(['a', 'b'], flags), 'a run')).toThrow(/quotes/);
    expect(() => oneWord(readWords([], flags), 'a run')).toThrow('Say a run.');
  });
});
