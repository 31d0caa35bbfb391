import type { CliEnglish } from '../language/cli-message.ts';
import type { general } from '../language/english/help/general.ts';
import type { englishHelp } from '../language/english/help.ts';

// One command as data: parser, help, completion and docs/cli.md are made from it. Its texts are in src/language, by the
// words of the command and the names of its options.

/** An option, for example `{ flags: '--limit <number>', fallback: '50' }`. */
export interface OptionSpec {
  /** As commander reads it. `<agent>`, `<file>`, `<folder>` and `<a|b>` are completed by the shells. */
  readonly flags: string;
  readonly fallback?: string;
  readonly isRepeatable?: true;
  readonly isRequired?: true;
}

/** For example `--limit` of `-n, --limit <number>`. */
export const optionName = ({ flags }: Pick<OptionSpec, 'flags'>): string => /--[\w-]+/.exec(flags)?.[0] ?? '';

interface CommandShape {
  /** Second word of the command line; empty if the noun itself is the command. */
  readonly verb: string;
  /** For example `<agent> [reason...]`. */
  readonly args?: string;
  readonly options?: readonly OptionSpec[];
  /** Command lines without `kennel`. */
  readonly examples: readonly [string, string, string];
  /** The noun without a verb runs this command. */
  readonly isDefault?: true;
  readonly alias?: string;
  /** Label of the progress line. */
  readonly progress?: `cliProgress.${Exclude<keyof CliEnglish['cliProgress'], 'waitingForTask'>}`;
}

/** Returns the exit code. */
type CommandRun<Flags> = (args: readonly string[], flags: Flags, version: string) => Promise<number>;

export interface CommandSpec extends CommandShape {
  readonly run: CommandRun<object>;
}

const jsonOption: OptionSpec = { flags: '--json' };

/** Options of a command, with the one that all commands have. */
export const commandOptions = ({ options = [] }: Pick<CommandSpec, 'options'>): readonly OptionSpec[] => [
  ...options,
  jsonOption,
];

/** The parser guarantees that `flags` has the shape of the options. */
export const defineCommand = <Flags extends object>(
  spec: CommandShape & { readonly run: CommandRun<Flags> },
): CommandSpec => ({ ...spec, run: (args, flags, version) => spec.run(args, flags as Flags, version) });

export const commandGroups = ['agents', 'chat', 'work', 'approvals', 'server', 'system'] as const;

export type CommandGroup = (typeof commandGroups)[number];

export type NounName = keyof typeof general.nouns;
export type HelpPartName = Exclude<keyof typeof englishHelp, 'general'>;

/** The first word of a command line. Its commands are loaded when it is used. */
export interface Noun {
  readonly name: NounName;
  readonly group: CommandGroup;
  /** The part of the catalogs with the help of its commands. */
  readonly help: HelpPartName;
  /** Names of its commands for the overview, which loads none of them. */
  readonly verbs: readonly string[];
  readonly load: () => Promise<readonly CommandSpec[]>;
}

/** A command whose code is loaded when it runs. */
export const loaded =
  <Flags extends object>(load: () => Promise<CommandRun<Flags>>): CommandRun<Flags> =>
  async (args, flags, version) =>
    (await load())(args, flags, version);
