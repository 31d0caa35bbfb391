import { Command, Option } from 'commander';
import { type CommandSpec, commandOptions, type Noun, type OptionSpec } from './command.ts';
import { commandHelp, nounExamples, overview } from './help.ts';
import { progress } from './progress.ts';
import { UsageError } from './usage-errors.ts';

// Makes commander's parser from the registry. Only the nouns in the command line are loaded.

export interface Invocation {
  readonly version: string;
  /** Keeps help for the caller, who prints it as JSON. */
  readonly json: boolean;
  help: string;
  /** Exit code of the command that ran. */
  code: number;
}

function toOption(
  command: Command,
  { flags, summary, fallback, isRepeatable, isRequired }: OptionSpec,
): Option {
  const option = new Option(flags, summary);
  if (fallback !== undefined) option.default(fallback);
  if (isRepeatable) option.default([], 'none');
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
  command.summary(spec.summary).description(`${spec.summary}.`);
  for (const word of spec.args?.match(/<[^>]+>|\[[^\]]+\]/g) ?? []) command.argument(word);
  for (const option of commandOptions(spec)) command.addOption(toOption(command, option));
  if (spec.alias !== undefined) command.alias(spec.alias);
  command.configureHelp({ formatHelp: (each, helper) => commandHelp(each, helper, spec.examples) });
  command.exitOverride((error) => {
    throw new UsageError(error, noun, spec);
  });
  command.action(async (...all: unknown[]) => {
    const args = all.slice(0, -2).flatMap(toText);
    progress.use(invocation.json ? null : spec.progress);
    invocation.code = await spec.run(args, command.opts<object>(), invocation.version);
  });
}

function addNoun(program: Command, noun: Noun, specs: readonly CommandSpec[], invocation: Invocation): void {
  const parent = program.command(noun.name).description(`${noun.summary}.`).enablePositionalOptions();
  parent.configureHelp({
    formatHelp: (each, helper) => commandHelp(each, helper, nounExamples(specs)),
  });
  parent.exitOverride((error) => {
    throw new UsageError(error, noun, null);
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
  const program = new Command('kennel')
    .version(invocation.version, '-V, --version')
    .enablePositionalOptions()
    .configureOutput({
      outputError: () => undefined,
      writeOut(text) {
        if (invocation.json) invocation.help += text;
        else process.stdout.write(text);
      },
    })
    .configureHelp({ formatHelp: (_, helper) => overview(nouns, helper) })
    .exitOverride((error) => {
      throw new UsageError(error, null, null);
    });
  for (const noun of nouns)
    addNoun(program, noun, argv.slice(0, 2).includes(noun.name) ? await noun.load() : [], invocation);
  return program;
}
