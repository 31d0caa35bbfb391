import type { CommanderError } from 'commander';
import { closestName } from '../library/closest-name.ts';
import { type CommandSpec, commandOptions, type Noun, optionName } from './command.ts';
import type { HelpTopic } from './help.ts';
import { nouns } from './registry.ts';
import { type CommandFailure, commandFailure } from './terminal.ts';

// Wrong command lines as errors of Kennel, with the command or option that was probably meant.

/** commander's error, with the noun and command that it belongs to. */
export class UsageError extends Error {
  readonly parserError: CommanderError;
  readonly topic: HelpTopic;

  constructor(parserError: CommanderError, topic: HelpTopic) {
    super(parserError.message);
    this.parserError = parserError;
    this.topic = topic;
  }

  /** Help or the version was asked for, or help is printed in place of a missing command. */
  get isHelp(): boolean {
    return this.parserError.exitCode === 0 || this.parserError.code === 'commander.help';
  }
}

const commandLine = (noun: Noun | null, spec: CommandSpec | null): string =>
  ['kennel', noun?.name, spec?.verb].filter(Boolean).join(' ');

const flagsOf = (spec: CommandSpec): readonly string[] => [...commandOptions(spec).map(optionName), '--help'];

/** A flag that contains the word, for example `--display-name` for `--name`; else the one with few edits. */
function similarFlag(flag: string, known: readonly string[]): string | null {
  const word = flag.replace(/^-+/, '');
  const parts = known.filter((each) => each.slice(2).split('-').includes(word));
  return parts[0] ?? closestName(`--${word}`, known);
}

async function unknownOption(
  flag: string,
  noun: Noun | null,
  spec: CommandSpec | null,
): Promise<CommandFailure> {
  const line = commandLine(noun, spec);
  const help = { help: 'cliUsageErrors.seeOptions' } as const;
  const meant = similarFlag(flag, spec ? flagsOf(spec) : ['--help', '--version', '--json']);
  if (meant !== null)
    return commandFailure('invalid_input', 'cliUsageErrors.otherOption', { line, flag, meant }, help);
  const siblings = noun ? await noun.load() : [];
  const owner = siblings.find((each) => each !== spec && flagsOf(each).includes(flag));
  if (!owner) return commandFailure('invalid_input', 'cliUsageErrors.unknownOption', { line, flag }, help);
  const other = commandLine(noun, owner);
  return commandFailure('invalid_input', 'cliUsageErrors.optionElsewhere', { line, flag, other }, help);
}

/** Nouns that have this verb, for `kennel create` instead of `kennel agent create`. */
const nounsWith = (verb: string): readonly string[] =>
  nouns.filter(({ verbs }) => verbs.includes(verb)).map(({ name }) => `"kennel ${name} ${verb}"`);

function unknownCommand(word: string, noun: Noun | null): CommandFailure {
  const line = commandLine(noun, null);
  const help = { help: 'cliUsageErrors.seeCommands' } as const;
  const close = closestName(word, noun ? noun.verbs : nouns.map(({ name }) => name));
  const elsewhere = noun ? [] : nounsWith(word).slice(0, 4);
  const meant = close ?? (elsewhere.length === 1 ? elsewhere[0] : undefined);
  if (meant !== undefined)
    return commandFailure('invalid_input', 'cliUsageErrors.otherCommand', { line, word, meant }, help);
  if (elsewhere.length === 0)
    return commandFailure('invalid_input', 'cliUsageErrors.unknownCommand', { line, word }, help);
  return commandFailure(
    'invalid_input',
    'cliUsageErrors.commandsElsewhere',
    { line, word, meant: elsewhere },
    help,
  );
}

const quoted = (text: string): string => /'([^']*)'/.exec(text)?.[1] ?? '';

function tooMany(message: string, line: string): CommandFailure {
  const [, count = '0', given = ''] = /Expected (\d+) arguments?.* but got \d+: (.*)\.$/s.exec(message) ?? [];
  const help = { help: 'cliUsageErrors.quoteSpaces' } as const;
  if (count === '0')
    return commandFailure('invalid_input', 'cliUsageErrors.noArguments', { line, given }, help);
  const values = { line, given, count: Number(count) };
  return commandFailure('invalid_input', 'cliUsageErrors.fewerArguments', values, help);
}

/** `argv` tells whether the default command was named. */
export async function usageFailure(
  { parserError: { code, message }, topic: { noun, spec } }: UsageError,
  argv: readonly string[],
): Promise<CommandFailure> {
  const line = commandLine(noun, spec);
  const help = { help: 'cliUsageErrors.seeUsage' } as const;
  const [, word = ''] = argv;
  const isVerb = noun?.verbs.includes(word) === true || spec?.alias === word;
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(quoted(message), noun, spec);
    case 'commander.unknownCommand':
      return unknownCommand(quoted(message), noun);
    case 'commander.excessArguments':
      return noun && noun.verbs.length > 0 && !isVerb ? unknownCommand(word, noun) : tooMany(message, line);
    case 'commander.missingArgument':
      return commandFailure(
        'invalid_input',
        'cliUsageErrors.missing',
        { line, what: `<${quoted(message)}>` },
        help,
      );
    case 'commander.missingMandatoryOptionValue':
      return commandFailure('invalid_input', 'cliUsageErrors.missing', { line, what: quoted(message) }, help);
    case 'commander.optionMissingArgument':
      return commandFailure(
        'invalid_input',
        'cliUsageErrors.missingValue',
        { line, flags: quoted(message) },
        help,
      );
    default:
      return commandFailure(
        'invalid_input',
        'cliUsageErrors.unreadable',
        { line, why: message.replace(/^error: /, '') },
        help,
      );
  }
}
