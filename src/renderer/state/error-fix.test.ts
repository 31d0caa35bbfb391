import { describe, expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { commandIn } from '../../language/command-in.ts';
import { hostEnglish } from '../../language/english/host.ts';
import { english } from '../../language/english.ts';
import { german } from '../../language/german.ts';
import { localizeHint, setLanguage } from '../../language/texts.ts';
import { errorFix, screenFor } from './error-fix.ts';

const textsOf = (catalog: object): (readonly [string, string])[] =>
  Object.entries(catalog).flatMap(([area, texts]) =>
    Object.entries(texts as Record<string, unknown>).flatMap(([key, text]) =>
      typeof text === 'string' ? [[`${area}.${key}`, text] as const] : [],
    ),
  );

const hostCommands = textsOf(hostEnglish).filter(([, text]) => commandIn(text) !== null);

/**
 * Texts for a page that cannot reach the host or is locked by it, so that only a terminal helps, and
 * explanations of what else a terminal can do. None of them is an error with a next step in the window.
 */
const explanations = [
  'settings.sessionText',
  'settings.closingNoTray',
  'upkeep.relayInviteText',
  'states.noAnswerHint',
  'frame.newAddress',
  'firstRun.notAnsweringText',
  'firstRun.signedOutText',
  'firstRun.pageLockedText',
  'firstRun.deviceWhere',
];

describe('Errors in the window', () => {
  it('replace each terminal command of the host by a button', () => {
    expect(hostCommands.length).toBeGreaterThan(30);
    for (const [key, text] of hostCommands) {
      const error = textError('conflict', 'No.', { hint: text });
      expect([key, screenFor(text) !== null, localizeHint(error)]).toEqual([key, true, '']);
      expect(errorFix(error)?.label).toMatch(/^Open [A-Z]/);
    }
  });

  it('replace them in German, too', async () => {
    await setLanguage('de');
    try {
      for (const [key, text] of hostCommands) {
        const error = textError('conflict', 'No.', { hint: { key, text } });
        expect([key, localizeHint(error)]).toEqual([key, '']);
        expect(errorFix(error)?.label).toMatch(/ öffnen$/);
      }
    } finally {
      await setLanguage('en');
    }
  });

  it('keep a next step that names no command', () => {
    const error = textError('conflict', 'No.', { hint: 'Check the address.' });
    expect([localizeHint(error), errorFix(error)]).toEqual(['Check the address.', null]);
  });

  it('have no commands of their own in either language', () => {
    for (const catalog of [english, german]) {
      const found = textsOf(catalog).filter(([, text]) => commandIn(text) !== null);
      expect(found.map(([key]) => key).filter((key) => !explanations.includes(key))).toEqual([]);
    }
  });
});
