import { afterEach, expect, it } from 'vitest';
import { fail } from '../../contract/fail.ts';
import { loadLanguage, shownError } from '../copy.ts';
import { CommandFailure } from '../terminal.ts';
import { tellWorkflowFailure } from './tell-failure.ts';

const own = process.stderr.write;
afterEach(async () => {
  process.stderr.write = own;
  await loadLanguage({});
});

it('Errors of workflow commands are English in every language, as the other output of these commands', async () => {
  const printed: string[] = [];
  process.stderr.write = (text: unknown): boolean => printed.push(String(text)) > 0;
  await loadLanguage({ LANG: 'de_DE.UTF-8' });
  const error = fail('not_found', 'tasks.unknownTask', { id: 3 }, { help: 'tasks.runTaskList' });
  expect(shownError(error)).not.toContain(error.message);
  expect(tellWorkflowFailure(new CommandFailure(error), ['run', 'ship.yml'])).toBe(2);
  expect(printed.join('')).toBe(`${error.message}\n${error.hint}\n`);
});
