import { describe, expect, it } from 'vitest';
import { cliEnglish } from '../../src/language/english/cli.ts';
import { hostEnglish } from '../../src/language/english/host.ts';
import { cliGerman } from '../../src/language/german/cli.ts';
import { hostGerman } from '../../src/language/german/host.ts';
import { fillSlots, slotNames } from '../../src/language/host-message.ts';

type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>;

const catalogs: readonly (readonly [name: string, locale: string, texts: Catalog])[] = [
  ['English of the host', 'en', hostEnglish],
  ['German of the host', 'de', hostGerman],
  ['English of the command line', 'en', cliEnglish],
  ['German of the command line', 'de', cliGerman],
];

/** A word, and sentences of their own with each end. */
const samples = ['guide', 'Nothing was changed.', 'Did you mean b?', 'Stop!'] as const;

const isNumber = (template: string, name: string): boolean =>
  new RegExp(`\\{${name}(?:, (?:number|dollars)|\\|)`).test(template);

const rendered = (template: string, locale: string, value: string): string =>
  fillSlots(
    template,
    Object.fromEntries(
      slotNames(template).map((name) => [name, isNumber(template, name) ? 1_234 : value] as const),
    ),
    locale,
    String,
  );

/** A doubled or lost end of a sentence, or a value that is no text. */
const faults = /(?<!\.)\.\.(?![.\w])|\. \.|[?!]\.(?!\w)|\[object |undefined|NaN/;

describe('Rendered texts', () => {
  it.each(catalogs)(
    '%s: every key, also with sentences as values, has one end per sentence',
    (_name, locale, texts) => {
      const found = Object.entries(texts).flatMap(([area, all]) =>
        Object.entries(all).flatMap(([key, template]) => {
          const shown = samples.map((value) => rendered(template, locale, value));
          return shown.filter((text) => faults.test(text)).map((text) => `${area}.${key}: ${text}`);
        }),
      );
      expect(found).toEqual([]);
    },
  );
});

describe('A text with a sentence as its last value', () => {
  it('has one end', () => {
    const text = (why: string): string => rendered('It failed: {why}. Try again.', 'en', why);
    expect(samples.map(text)).toEqual([
      'It failed: guide. Try again.',
      'It failed: Nothing was changed. Try again.',
      'It failed: Did you mean b? Try again.',
      'It failed: Stop! Try again.',
    ]);
    expect(rendered('Open {file}.yml or {file}...', 'en', 'a.')).toBe('Open a..yml or a....');
  });
});
