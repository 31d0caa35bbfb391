import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allKeys, unusedKeys } from '../../scripts/unused-texts.ts';
import { hostEnglish } from '../../src/language/english/host.ts';
import { hostGerman } from '../../src/language/german/host.ts';
import { slotNames } from '../../src/language/host-message.ts';

const entries = (catalog: object): readonly (readonly [string, string])[] =>
  Object.entries(catalog).flatMap(([area, texts]) =>
    Object.entries(texts as Record<string, string>).map(([name, text]) => [`${area}.${name}`, text] as const),
  );

const root = path.resolve(import.meta.dirname, '../..');
const sources = [
  'core',
  'services',
  'host',
  'contract',
  'library',
  'relay',
  'platform',
  'cli',
  'main',
].flatMap((folder) =>
  readdirSync(path.join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(root, 'src', folder, name), 'utf8')),
);

/** A text without words of its own, such as `{name}: {why}`, reads the same in both languages. */
const hasWords = (text: string): boolean => /\p{L}{4,}/u.test(text.replace(/\{[^{}]*\}/g, ''));
/** Words that German shares with English. */
const shared: readonly string[] = ['host.agent', 'doctor.problem', 'doctor.server', 'taskLists.statusIs'];

/** German says these without a state that is an English word of the protocol. */
const withoutState: readonly string[] = ['tasks.wrongState', 'tasks.stopRequested'];

/** Forms of `actions`, which both languages derive from its keys. */
const { actionsRunning, actionsDone, ...told } = hostEnglish;
const english = entries(told);
const { actionsRunning: running, actionsDone: done, ...germanTold } = hostGerman;
const german = new Map(entries(germanTold));

describe('Host catalogs', () => {
  test('have the same keys with the same slots', () => {
    expect([...german.keys()].sort()).toEqual(english.map(([key]) => key).sort());
    for (const [key, text] of english.filter(([name]) => !withoutState.includes(name))) {
      expect({ key, slots: slotNames(german.get(key) ?? '').sort() }).toEqual({
        key,
        slots: slotNames(text).sort(),
      });
    }
  });

  test('hold no text that the host never says', () => {
    expect(unusedKeys(allKeys(told), sources)).toEqual([]);
  });

  test('have each action in the present and in the past', () => {
    const keys = Object.keys(hostEnglish.actions);
    for (const form of [actionsRunning, actionsDone, running, done]) expect(Object.keys(form)).toEqual(keys);
    for (const [english, german] of [
      [actionsRunning, running],
      [actionsDone, done],
    ] as const)
      for (const [key, text] of Object.entries(hostEnglish.actions)) {
        const slots = slotNames(text).sort();
        for (const one of [english, german])
          expect({ key, slots: slotNames(one[key as keyof typeof english]).sort() }).toEqual({ key, slots });
      }
    const still = Object.entries(actionsRunning).filter(([, text]) => !/^\w+ing /.test(text));
    expect(still).toEqual([]);
  });

  test('are translated, and say each sentence once', () => {
    const same = english.filter(([key, text]) => hasWords(text) && german.get(key) === text);
    expect(same.map(([key]) => key).filter((key) => !shared.includes(key))).toEqual([]);
    const texts = english.map(([, text]) => text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });
});
