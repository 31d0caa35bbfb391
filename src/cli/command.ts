// One command as data: parser, help, completion and docs/cli.md are made from it.

/** An option, for example `{ flags: '--limit <number>', summary: 'how many', fallback: '50' }`. */
export interface OptionSpec {
  /** As commander reads it. `<agent>`, `<file>`, `<folder>` and `<a|b>` are completed by the shells. */
  readonly flags: string;
  readonly summary: string;
  readonly fallback?: string;
  readonly isRepeatable?: true;
  readonly isRequired?: true;
}

/** For example `--limit` of `-n, --limit <number>`. */
export const optionName = ({ flags }: Pick<OptionSpec, 'flags'>): string => /--[\w-]+/.exec(flags)?.[0] ?? '';

/** A command line without `kennel`, and what it does. */
export type Example = readonly [line: string, what: string];

interface CommandText {
  /** Second word of the command line; empty if the noun itself is the command. */
  readonly verb: string;
  /** For example `<agent> [reason...]`. */
  readonly args?: string;
  readonly summary: string;
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly [Example, Example, Example];
  /** The noun without a verb runs this command. */
  readonly isDefault?: true;
  readonly alias?: string;
  /** Label of the progress line, for example `Backing up`. */
  readonly progress?: string;
}

/** Returns the exit code. */
type CommandRun<Flags> = (args: readonly string[], flags: Flags, version: string) => Promise<number>;

export interface CommandSpec extends CommandText {
  readonly run: CommandRun<object>;
}

const jsonOption: OptionSpec = { flags: '--json', summary: 'print JSON' };

/** Options of a command, with the one that all commands have. */
export const commandOptions = ({ options = [] }: Pick<CommandSpec, 'options'>): readonly OptionSpec[] => [
  ...options,
  jsonOption,
];

/** The parser guarantees that `flags` has the shape of the options. */
export const defineCommand = <Flags extends object>(
  spec: CommandText & { readonly run: CommandRun<Flags> },
): CommandSpec => ({ ...spec, run: (args, flags, version) => spec.run(args, flags as Flags, version) });

export const commandGroups = ['Agents', 'Chat', 'Work', 'Approvals', 'Server', 'System'] as const;

export type CommandGroup = (typeof commandGroups)[number];

/** The first word of a command line. Its commands are loaded when it is used. */
export interface Noun {
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** Names of its commands for the overview, which loads none of them. */
  readonly verbs: readonly string[];
  readonly load: () => Promise<readonly CommandSpec[]>;
}

/** A command whose code is loaded when it runs. */
export const loaded =
  <Flags extends object>(load: () => Promise<CommandRun<Flags>>): CommandRun<Flags> =>
  async (args, flags, version) =>
    (await load())(args, flags, version);
