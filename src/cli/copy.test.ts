import { afterEach, describe, expect, it } from 'vitest';
import { textError } from '../contract/errors.ts';
import { fail } from '../contract/fail.ts';
import { cliMessage } from '../language/cli-message.ts';
import { copy, loadLanguage, shown, shownError, wantedLanguages } from './copy.ts';

afterEach(() => loadLanguage({}));

describe('Language of the command line', () => {
  it.each([
    [{}, []],
    [{ LANG: 'de_DE.UTF-8' }, ['de-DE']],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, []],
    [{ LANG: 'C.UTF-8', LANGUAGE: 'de' }, []],
    [{ LC_ALL: '', LC_MESSAGES: 'de_AT@euro', LANG: 'en_US' }, ['de-AT']],
    [{ LANG: 'en_US.UTF-8', LANGUAGE: 'de:en' }, ['de', 'en', 'en-US']],
  ])('is chosen from the environment: %j', (env, tags) => {
    expect(wantedLanguages(env)).toEqual(tags);
  });

  it('is English without a supported language', async () => {
    await loadLanguage({ LANG: 'fr_FR.UTF-8' });
    expect(copy('cliTerminal.notRunning', { home: '/k' })).toBe('Kennel is not running in /k.');
  });

  it('applies to texts of commands and of the host, and to messages among their values', async () => {
    await loadLanguage({ LANG: 'de_DE.UTF-8' });
    expect(copy('cliTerminal.notRunning', { home: '/k' })).toBe('Kennel läuft nicht in /k.');
    const error = fail('not_found', 'tasks.unknownTask', { id: 3 }, { help: 'tasks.runTaskList' });
    expect(shownError(error)).not.toContain(error.message);
    expect(shown(cliMessage('cliTerminal.bug', { why: cliMessage('cliTerminal.cancelled') }))).toBe(
      'Kennel hat einen Fehler: Abgebrochen. Nichts wurde geändert.',
    );
    expect(shown({ key: 'tasks.ofALaterVersion', text: 'Later' })).toBe('Later');
  });

  it('leaves text of programs and people as it is', async () => {
    await loadLanguage({ LANG: 'de' });
    expect(shown('Kennel is not running in /k.')).toBe('Kennel is not running in /k.');
    expect(shownError(textError('io_error', 'disk on fire', { where: '/k', hint: 'Run.' }))).toBe(
      'disk on fire (/k)\nRun.',
    );
  });
});
