/**
 * Splits the command line of a call into simple commands. `unclear` if a command may be missing, or if the
 * words may not be what runs: nothing may be allowed on that basis.
 */
import type { ToolGroup } from './assessment.ts';
import { innerCommands, isPlainCommand } from './commands/inner-commands.ts';
import { splitShell } from './commands/split-shell.ts';

export interface CommandWords {
  /** May be incomplete if `unclear`. */
  readonly commands: readonly (readonly string[])[];
  readonly unclear: boolean;
  /** Commands that those start: behind wrappers and in text for a shell. */
  readonly inner: readonly (readonly string[])[];
  /** Code for an interpreter is among them: it may start any further command. */
  readonly opaque: boolean;
}

const nothingKnown: CommandWords = { commands: [], unclear: true, inner: [], opaque: true };

const commandTools = new Set(['bash_exec', 'shell']);

/** `null` if the tool runs no command lines. */
export function commandWords(call: {
  readonly tool: string;
  readonly group: ToolGroup | null;
  readonly args: Readonly<Record<string, unknown>>;
}): CommandWords | null {
  if (!commandTools.has(call.tool)) return null;
  const line = call.args.cmd ?? call.args.command;
  if (typeof line !== 'string') return nothingKnown;
  const split = splitShell(line);
  if (!split.understood) return nothingKnown;
  const commands = split.commands.map(({ words }) => words.map(({ text }) => text));
  const inside = commands.map((argv) => innerCommands(argv));
  return {
    commands,
    unclear: commands.length === 0 || !split.commands.every(isPlainCommand),
    inner: inside.flatMap((one) => one.commands),
    opaque: inside.some((one) => one.opaque),
  };
}
