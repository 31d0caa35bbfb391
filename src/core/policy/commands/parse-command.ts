/** Parses the text of one command into its meaning, or a refusal; starts nothing and reads no file. */

import type { Result } from '../../../contract/result.ts';
import { assertNever } from '../../lib/assert.ts';
import { parseFind } from './find-grammar.ts';
import { parseGit } from './git-grammar.ts';
import type { CommandName, ParsedCommand } from './parsed-command.ts';
import { type CommandRefusal, refuseCommand } from './refusal.ts';
import { parseRg } from './rg-grammar.ts';
import { parseEcho, parseSimple, type SimpleName, simpleNames } from './simple-grammar.ts';
import { splitWords, type Word } from './word-splitting.ts';

const isSimple = (name: string): name is SimpleName => simpleNames.some((one) => one === name);
const isCommand = (name: string): name is CommandName =>
  isSimple(name) || name === 'find' || name === 'rg' || name === 'git' || name === 'echo';

export const commandNames: readonly string[] = [...simpleNames, 'find', 'rg', 'git', 'echo'];

/** For words that were split elsewhere, so unquoted patterns are not marked. */
export function parseWords(words: readonly Word[]): Result<ParsedCommand, CommandRefusal> {
  const [name, ...rest] = words;
  if (!name || name.text === '') return refuseCommand('missing_cmd', 'There is no command.');
  if (name.glob || !isCommand(name.text)) {
    const known = commandNames.join(' ');
    return refuseCommand('command_not_allowed', `"${name.text.slice(0, 60)}" is not one of: ${known}.`);
  }
  const command = name.text;
  if (isSimple(command)) return parseSimple(command, rest);
  switch (command) {
    case 'find':
      return parseFind(rest);
    case 'rg':
      return parseRg(rest);
    case 'git':
      return parseGit(rest);
    case 'echo':
      return parseEcho(rest);
    default:
      return assertNever(command);
  }
}

export function parseCommand(text: string): Result<ParsedCommand, CommandRefusal> {
  const words = splitWords(text);
  return words.ok ? parseWords(words.value) : words;
}
