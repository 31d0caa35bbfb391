import type { CommanderError } from 'commander';
import type { AppError } from '../contract/errors.ts';
import { closestName } from '../library/closest-name.ts';
import { type CommandSpec, commandOptions, type Noun, optionName } from './command.ts';
import type { HelpTopic } from './help.ts';
import { nouns } from './registry.ts';

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

async function unknownOption(flag: string, noun: Noun | null, spec: CommandSpec | null): Promise<AppError> {
  const line = commandLine(noun, spec);
  const error = (suggestion: string): AppError => ({
    code: 'invalid_input',
    message: `"${line}" has no option ${flag}.${suggestion}`,
    hint: `Run "${line} --help" to see its options.`,
  });
  const own = similarFlag(flag, spec ? flagsOf(spec) : ['--help', '--version', '--json']);
  if (own !== null) return error(` Did you mean ${own}?`);
  const siblings = noun ? await noun.load() : [];
  const other = siblings.find((each) => each !== spec && flagsOf(each).includes(flag));
  return error(other ? ` It is an option of "${commandLine(noun, other)}".` : '');
}

/** Nouns that have this verb, for `kennel create` instead of `kennel agent create`. */
const nounsWith = (verb: string): readonly string[] =>
  nouns.filter(({ verbs }) => verbs.includes(verb)).map(({ name }) => `"kennel ${name} ${verb}"`);

function unknownCommand(word: string, noun: Noun | null): AppError {
  const line = commandLine(noun, null);
  const close = closestName(word, noun ? noun.verbs : nouns.map(({ name }) => name));
  const elsewhere = noun || close ? [] : nounsWith(word).slice(0, 4);
  const suggestion = close
    ? ` Did you mean ${close}?`
    : elsewhere.length > 0
      ? ` Did you mean ${elsewhere.join(' or ')}?`
      : '';
  return {
    code: 'invalid_input',
    message: `"${line}" has no command "${word}".${suggestion}`,
    hint: `Run "${line} --help" to see all commands.`,
  };
}

const quoted = (text: string): string => /'([^']*)'/.exec(text)?.[1] ?? '';

function tooMany(message: string, noun: Noun | null, spec: CommandSpec | null): AppError {
  const line = commandLine(noun, spec);
  const [, count = '0', given = ''] = /Expected (\d+) arguments?.* but got \d+: (.*)\.$/s.exec(message) ?? [];
  const takes = count === '0' ? 'no arguments' : count === '1' ? 'one argument' : `${count} arguments`;
  return {
    code: 'invalid_input',
    message: `"${line}" takes ${takes}, but got: ${given}.`,
    hint: `Put text with spaces into quotes. Run "${line} --help" for examples.`,
  };
}

/** `argv` tells whether the default command was named. */
export async function usageFailure(
  { parserError, topic: { noun, spec } }: UsageError,
  argv: readonly string[],
): Promise<AppError> {
  if (parserError.code === 'commander.unknownOption')
    return unknownOption(quoted(parserError.message), noun, spec);
  if (parserError.code === 'commander.unknownCommand')
    return unknownCommand(quoted(parserError.message), noun);
  const [, word = ''] = argv;
  const isVerb = noun?.verbs.includes(word) === true || spec?.alias === word;
  if (parserError.code === 'commander.excessArguments' && noun && noun.verbs.length > 0 && !isVerb)
    return unknownCommand(word, noun);
  if (parserError.code === 'commander.excessArguments') return tooMany(parserError.message, noun, spec);
  const text = parserError.message.replace(/^error: /, '');
  return {
    code: 'invalid_input',
    message: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`,
    hint: `Run "${commandLine(noun, spec)} --help" to see how it is used.`,
  };
}
