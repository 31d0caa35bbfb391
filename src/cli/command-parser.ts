import { Command, Option } from 'commander';
import { type CommandSpec, commandOptions, type Noun, type OptionSpec } from './command.ts';
import { copy } from './copy.ts';
import { progress } from './progress.ts';
import { UsageError } from './usage-errors.ts';

// Makes commander's parser from the registry. Only the nouns in the command line are loaded.

export interface Invocation {
  readonly version: string;
  readonly json: boolean;
  /** Exit code of the command that ran. */
  code: number;
}

/** Leaves help to the caller of the parser, which loads its texts first. */
class QuietCommand extends Command {
  override createCommand(name?: string): Command {
    return new QuietCommand(name);
  }

  override outputHelp(): void {}
}

function toOption(command: Command, { flags, fallback, isRepeatable, isRequired }: OptionSpec): Option {
  const option = new Option(flags);
  if (fallback !== undefined) option.default(fallback);
  if (isRepeatable) option.default([]);
  if (isRequired) option.makeOptionMandatory();
  if (!option.required) return option;
  // commander would take `--json` as the value in `--token --json`.
  return option.argParser((value: string, before: unknown) => {
    if (command.options.some(({ long }) => long === value))
      command.error(`error: option '${flags}' argument missing`, {
        code: 'commander.optionMissingArgument',
      });
    return isRepeatable && Array.isArray(before) ? [...before, value] : value;
  });
}

const toText = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [String(value ?? '')];

function fill(command: Command, noun: Noun, spec: CommandSpec, invocation: Invocation): void {
  for (const word of spec.args?.match(/<[^>]+>|\[[^\]]+\]/g) ?? []) command.argument(word);
  for (const option of commandOptions(spec)) command.addOption(toOption(command, option));
  if (spec.alias !== undefined) command.alias(spec.alias);
  command.exitOverride((error) => {
    throw new UsageError(error, { command, noun, spec });
  });
  command.action(async (...all: unknown[]) => {
    const args = all.slice(0, -2).flatMap(toText);
    progress.use(invocation.json ? null : spec.progress && copy(spec.progress));
    invocation.code = await spec.run(args, command.opts<object>(), invocation.version);
  });
}

function addNoun(program: Command, noun: Noun, specs: readonly CommandSpec[], invocation: Invocation): void {
  const parent = program.command(noun.name).enablePositionalOptions();
  parent.exitOverride((error) => {
    throw new UsageError(error, { command: parent, noun, spec: null });
  });
  for (const spec of specs) {
    if (spec.verb === '') fill(parent, noun, spec, invocation);
    else fill(parent.command(spec.verb, { isDefault: spec.isDefault === true }), noun, spec, invocation);
  }
}

/** The parser with the commands of the nouns in `argv`; the other nouns are known by name. */
export async function buildProgram(
  argv: readonly string[],
  invocation: Invocation,
  nouns: readonly Noun[],
): Promise<Command> {
  const program = new QuietCommand('kennel')
    .version(invocation.version, '-V, --version')
    .enablePositionalOptions()
    .configureOutput({ outputError: () => undefined, writeOut: () => undefined })
    .exitOverride((error) => {
      throw new UsageError(error, { command: program, noun: null, spec: null });
    });
  for (const noun of nouns)
    addNoun(program, noun, argv.slice(0, 2).includes(noun.name) ? await noun.load() : [], invocation);
  return program;
}
