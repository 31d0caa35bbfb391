// biome-ignore-all lint/suspicious/noTemplateCurlyInString: samples of source text
import { describe, expect, it } from 'vitest';
import { cliTexts, cliTextsOfTree } from '../../scripts/cli-texts.ts';

const says = (source: string, file = 'src/cli/commands/task.ts'): string[] =>
  cliTexts(file, source).map(({ rule, says: text }) => `${rule} ${text.split('”')[0] ?? ''}`);

describe('Texts of the command line', () => {
  it.each([
    ["show(json, {}, 'Nothing was done.');", '“Nothing was done.'],
    ['show(json, {}, `Archived ${agent} now.`);', '“Archived 0 now.'],
    ["throw usageError('The message is empty.');", '“The message is empty.'],
    ['const text = `Kept ${path}.`;', '“Kept 0.'],
    ["show(json, {}, 'Done.');", '“Done.'],
    ["const rows = [['Max output', value]];", '“Max output'],
    ["throw new CommandFailure({ code: 'cancelled', message: 'Nothing was sent.' });", '“Nothing was sent.'],
  ])('are found outside the catalogs: %s', (source, found) => {
    expect(says(source)).toEqual([`text-of-a-command ${found}`]);
  });

  it.each([
    "show(json, {}, copy('cliTasks.failed', { why }));",
    "defineCommand({ verb: 'add', args: '<goal...> [more text]', examples: ['task add a b'] });",
    "throw new Error('The catalog lacks it.');",
    "import { a } from 'some package';",
    "const kind = 'cli-local';",
    'const size = `${mib} MiB`;',
    'const line = `${id}  ${name} (${slug})`;',
    "host.stop('start failed');",
    'const example = `  kennel approvals allow ${id}`;',
    "const example = 'agent create helper';",
  ])('are not confused with code: %s', (source) => {
    expect(says(source)).toEqual([]);
  });

  it('are exempt in one file only', () => {
    const source = "send('hello! Who are you?');";
    expect(says(source, 'src/cli/commands/first-exchange.ts')).toEqual([]);
    expect(says(source)).toHaveLength(1);
  });

  it('are all in the catalogs', () => {
    expect(cliTextsOfTree()).toEqual([]);
  });
});
