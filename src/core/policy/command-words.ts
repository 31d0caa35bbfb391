/**
 * The simple commands of a call that runs one, as words. `unclear` where it is not certain that all of them were seen
 * or that the words are what will run: nothing may be allowed on the strength of that.
 */
import type { ToolGroup } from '../tool-ports.ts';
import { type SimpleCommand, splitShell } from './commands/split-shell.ts';

export interface CommandWords {
  /** May be incomplete when `unclear`. */
  readonly commands: readonly (readonly string[])[];
  readonly unclear: boolean;
}

const commandTools = new Set(['bash_exec', 'shell']);

/** Nothing but where it reads from and writes to stays the same: redirections and assignments change more than words say. */
const isPlain = (command: SimpleCommand): boolean =>
  command.assignments.length === 0 &&
  command.redirections.length === 0 &&
  command.words.length > 0 &&
  command.words.every(({ dynamic }) => !dynamic);

/** Null when the tool runs no command lines. */
export function commandWords(call: {
  readonly tool: string;
  readonly group: ToolGroup | null;
  readonly args: Readonly<Record<string, unknown>>;
}): CommandWords | null {
  if (!commandTools.has(call.tool)) return null;
  const line = call.args.cmd ?? call.args.command;
  if (typeof line !== 'string') return { commands: [], unclear: true };
  const split = splitShell(line);
  if (!split.understood) return { commands: [], unclear: true };
  const commands = split.commands.map(({ words }) => words.map(({ text }) => text));
  return { commands, unclear: commands.length === 0 || !split.commands.every(isPlain) };
}
