import { afterEach, expect, it } from 'vitest';
import { fail } from '../../contract/fail.ts';
import { loadLanguage, shownError } from '../copy.ts';
import { CommandFailure } from '../terminal.ts';
import { tellWorkflowFailure } from './tell-failure.ts';

const own = { out: process.stdout.write, err: process.stderr.write };
afterEach(async () => {
  process.stdout.write = own.out;
  process.stderr.write = own.err;
  await loadLanguage({});
});

it('Errors of workflow commands are in the language of the reader, and in English for programs', async () => {
  const printed: string[] = [];
  const keep = (text: unknown): boolean => printed.push(String(text)) > 0;
  process.stdout.write = keep;
  process.stderr.write = keep;
  await loadLanguage({ LANG: 'de_DE.UTF-8' });
  const error = fail('not_found', 'tasks.unknownTask', { id: 3 }, { help: 'tasks.runTaskList' });
  const shown = shownError(error);
  expect(shown).not.toContain(error.message);
  const failure = new CommandFailure(error);
  expect(tellWorkflowFailure(failure, ['run', 'ship.yml'])).toBe(2);
  expect(tellWorkflowFailure(failure, ['run', 'ship.yml', '--json'])).toBe(2);
  const [text, envelope = ''] = printed;
  expect(text).toBe(`${shown}\n`);
  expect(JSON.parse(envelope)).toMatchObject({ error: { message: `${error.message} ${error.hint}` } });
});
