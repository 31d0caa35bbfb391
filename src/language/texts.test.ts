import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { afterEach, describe, expect, test } from 'vitest';
import { chooseLanguage } from './choose-language.ts';
import { english } from './english.ts';
import { laterEnglish } from './english-later.ts';
import { german } from './german.ts';
import { say } from './say.ts';
import { loadLaterTexts, locale, localize, setLanguage, t } from './texts.ts';

afterEach(() => setLanguage('en'));

/** Names of a message's arguments and tags. */
function wants(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((one) => {
    if (one.type === TYPE.literal || one.type === TYPE.pound) return [];
    if (one.type === TYPE.tag) return [`<${one.value}>`, ...wants(one.children)];
    if (one.type === TYPE.plural || one.type === TYPE.select) {
      return [one.value, ...Object.values(one.options).flatMap(({ value }) => wants(value))];
    }
    return [one.value];
  });
}

const entries = (catalog: object): readonly (readonly [string, string])[] =>
  Object.entries(catalog).flatMap(([part, words]) =>
    Object.entries(words as Record<string, string>).map(([key, text]) => [`${part}.${key}`, text] as const),
  );

describe('Languages', () => {
  test('have the same keys with the same placeholders', () => {
    const other = new Map(entries(german));
    const all = entries({ ...english, ...laterEnglish });
    expect([...other.keys()].sort()).toEqual(all.map(([key]) => key).sort());
    const values = (text = '') => [...new Set(wants(parse(text)))].sort();
    for (const [key, text] of all)
      expect({ key, wants: values(other.get(key)) }).toEqual({ key, wants: values(text) });
  });

  test('know the texts of later pages once these are loaded', async () => {
    await loadLaterTexts();
    expect(t('mcp.tools', { count: 1 })).toBe('1 tool');
    await setLanguage('de');
    expect(t('mcp.tools', { count: 1 })).toBe('1 Werkzeug');
    await setLanguage('en');
    expect(t('mcp.tools', { count: 2 })).toBe('2 tools');
  });

  test('use their own plural rules and digits', async () => {
    expect(t('amounts.tokens', { count: 1 })).toBe('1 token');
    expect(t('amounts.tokens', { count: 12_345 })).toBe('12,345 tokens');
    await setLanguage('de');
    expect(locale()).toBe('de');
    expect(t('amounts.tokens', { count: 12_345 })).toBe('12.345 Token');
  });

  test('are chosen by the system preference, with English as fallback', () => {
    expect(chooseLanguage(['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(chooseLanguage(['fr'])).toBe('en');
    expect(chooseLanguage([])).toBe('en');
  });
});

test('T8: text of agents and people stays as it is, even if it reads like a sentence of the host', async () => {
  await setLanguage('de');
  expect(localize(say('turns.choseSilence'))).toBe('Der Agent wollte nicht antworten.');
  expect(localize('The agent chose not to answer.')).toBe('The agent chose not to answer.');
  const why = 'The agent chose not to answer.';
  expect(localize(say('turns.answerWithheld', { why }))).toBe(`Die Antwort wurde nicht gesendet. ${why}`);
});
