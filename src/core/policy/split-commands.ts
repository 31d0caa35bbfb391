/**
 * Splits the command line of a call into simple commands. `unclear` if a command may be missing, or if the
 * words may not be what runs: nothing may be allowed on that basis.
 */
import type { ToolGroup } from './assessment.ts';
import { type SimpleCommand, splitShell } from './commands/split-shell.ts';

export interface CommandWords {
  /** May be incomplete if `unclear`. */
  readonly commands: readonly (readonly string[])[];
  readonly unclear: boolean;
}

const commandTools = new Set(['bash_exec', 'shell']);

/** Builtins that run text, or change what a later word runs. */
const redefining = new Set(['eval', 'alias', 'trap', 'source', '.', 'hash', 'enable']);

/** No redirections, assignments or dynamic words: they change more than the words show. */
const isPlain = (command: SimpleCommand): boolean =>
  command.assignments.length === 0 &&
  command.redirections.length === 0 &&
  command.words.length > 0 &&
  !redefining.has(command.words[0]?.text ?? '') &&
  command.words.every(({ dynamic }) => !dynamic);

/** `null` if the tool runs no command lines. */
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
