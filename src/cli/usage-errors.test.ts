import { describe, expect, it } from 'vitest';
import { buildProgram } from './command-parser.ts';
import { nouns } from './registry.ts';
import { UsageError, usageFailure } from './usage-errors.ts';

async function messageFor(line: string): Promise<string> {
  const argv = line.split(' ');
  const program = await buildProgram(argv, { version: '1', json: true, code: 0 }, nouns);
  const error: unknown = await program.parseAsync(argv, { from: 'user' }).catch((thrown: unknown) => thrown);
  if (!(error instanceof UsageError)) throw new Error(`${line} was accepted`);
  const { message, code } = (await usageFailure(error, argv)).error;
  expect(code).toBe('invalid_input');
  return message;
}

describe('Usage errors', () => {
  it.each([
    ['statsu', '"kennel" has no command "statsu". Did you mean status?'],
    ['agent lst', '"kennel agent" has no command "lst". Did you mean list?'],
    ['task lst', '"kennel task" has no command "lst". Did you mean list?'],
    ['relay invit', '"kennel relay" has no command "invit". Did you mean invite?'],
    ['puppy rnu', '"kennel puppy" has no command "rnu". Did you mean run?'],
    ['devices', '"kennel" has no command "devices". Did you mean "kennel operator devices"?'],
    [
      'pause',
      '"kennel" has no command "pause". Other commands have it: "kennel agent pause", "kennel task pause" and "kennel schedule pause".',
    ],
    ['zzzzzz', '"kennel" has no command "zzzzzz".'],
  ])('name the command that was probably meant: %s', async (line, message) => {
    expect(await messageFor(line)).toBe(message);
  });

  it.each([
    ['agent create ada --modle x', '"kennel agent create" has no option --modle. Did you mean --model?'],
    [
      'agent create ada --name Ada',
      '"kennel agent create" has no option --name. Did you mean --display-name?',
    ],
    ['approvals show 1 --all', 'It is an option of "kennel approvals list".'],
    ['puppy run x --arsg-json {}', 'Did you mean --args-json?'],
    ['agent list --colour', '"kennel agent list" has no option --colour.'],
  ])('name the option that was probably meant: %s', async (line, message) => {
    expect(await messageFor(line)).toContain(message);
  });

  it.each([
    ['agent show', '"kennel agent show" needs <agent>.'],
    ['chat send hello', '"kennel chat send" needs --to <room>.'],
    ['chat send --to --json', '--to <room> needs a value.'],
    ['puppy resume --token --json', '--token <token> needs a value.'],
    ['agent list guide', '"kennel agent list" takes no arguments, but got: guide.'],
  ])('say what is missing or too much: %s', async (line, message) => {
    expect(await messageFor(line)).toBe(message);
  });

  it('accept option values that begin with a dash', async () => {
    await expect(messageFor('puppy resume --token -abc --nope')).resolves.toContain('--nope');
  });
});
