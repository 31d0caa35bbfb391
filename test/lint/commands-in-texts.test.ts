import { describe, expect, it } from 'vitest';
import { cliEnglish } from '../../src/language/english/cli.ts';
import { hostEnglish } from '../../src/language/english/host.ts';
import { cliGerman } from '../../src/language/german/cli.ts';
import { hostGerman } from '../../src/language/german/host.ts';

type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A command of Kennel, a flag (also one that reads standard input), or a variable of the environment. */
const named = new RegExp(
  [
    /\bkennel [a-z][a-z-]*(?: (?:[a-z][a-z-]+|\{\w+\}))*/,
    /(?<![\w}-])--[a-z][a-z-]*(?: -(?!\w))?/,
    /\b[A-Z]+(?:_[A-Z]+)+\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** The beginning of each; words after a command may differ. */
const typed = (text: string): string[] =>
  [...text.matchAll(named)].map(([found]) => found.split(' ').slice(0, 3).join(' '));

const missing = (english: Catalog, german: Catalog): string[] =>
  Object.entries(english).flatMap(([area, texts]) =>
    Object.entries(texts).flatMap(([key, text]) => {
      const there = german[area]?.[key] ?? '';
      return typed(text)
        .filter((one) => !there.includes(one))
        .map((one) => `${area}.${key}: ${one}`);
    }),
  );

describe('A German text', () => {
  it('names the commands, flags and variables of the English one', () => {
    expect(missing(hostEnglish, hostGerman)).toEqual([]);
    expect(missing(cliEnglish, cliGerman)).toEqual([]);
  });

  it('is found without a command, a flag or a variable', () => {
    const english = { a: { b: 'Run "kennel agent list", add --api-key - or set KENNEL_HOME.' } };
    expect(missing(english, { a: { b: 'Sieh in die Liste.' } })).toEqual([
      'a.b: kennel agent list',
      'a.b: --api-key -',
      'a.b: KENNEL_HOME',
    ]);
  });
});
