/**
 * `find`: start paths, then an expression of listed tests and of actions that only print. Links are never
 * followed.
 */
import { ok, type Result } from '../../../contract/result.ts';
import { anyText, isWholeNumber } from './options.ts';
import { commandOf, type Operand, type ParsedCommand } from './parsed-command.ts';
import { type CommandRefusal, refuseCommand } from './refusal.ts';
import { pathRefusal } from './simple-grammar.ts';
import type { Word } from './word-splitting.ts';

const offset = /^[+-]?\d{1,10}$/;

/** Expression words with the pattern of their value; `null` if they take none. */
const expressionWords: Readonly<Record<string, RegExp | null>> = {
  '-name': anyText,
  '-iname': anyText,
  '-path': anyText,
  '-ipath': anyText,
  '-wholename': anyText,
  '-regex': anyText,
  '-iregex': anyText,
  '-regextype': /^[a-z-]{1,20}$/,
  '-type': /^[bcdpfls](?:,[bcdpfls])*$/,
  '-size': /^[+-]?\d{1,12}[bcwkMG]?$/,
  '-perm': /^[-/]?[0-7]{1,4}$/,
  '-mtime': offset,
  '-mmin': offset,
  '-atime': offset,
  '-amin': offset,
  '-ctime': offset,
  '-cmin': offset,
  '-links': offset,
  '-newer': anyText,
  '-maxdepth': isWholeNumber,
  '-mindepth': isWholeNumber,
  '-printf': anyText,
  '-empty': null,
  '-executable': null,
  '-readable': null,
  '-writable': null,
  '-print': null,
  '-print0': null,
  '-ls': null,
  '-prune': null,
  '-quit': null,
  '-depth': null,
  '-daystart': null,
  '-xdev': null,
  '-mount': null,
  '-true': null,
  '-false': null,
  '-not': null,
  '-a': null,
  '-and': null,
  '-o': null,
  '-or': null,
  '!': null,
  '(': null,
  ')': null,
  ',': null,
};

const startsExpression = (text: string): boolean =>
  text.startsWith('-') || text === '!' || text === '(' || text === ')' || text === ',';

function readExpression(words: readonly Word[]): Result<readonly Operand[], CommandRefusal> {
  const operands: Operand[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? '';
    const value = Object.hasOwn(expressionWords, text) ? expressionWords[text] : undefined;
    if (value === undefined)
      return refuseCommand('find_option_not_allowed', `"${text.slice(0, 80)}" is not on the list for find.`);
    operands.push({ kind: 'expression', text });
    if (value === null) continue;
    at += 1;
    const given = words[at];
    if (!given || !value.test(given.text))
      return refuseCommand('find_option_not_allowed', `${text} needs another value.`);
    const unusable = text === '-newer' ? pathRefusal(given) : null;
    if (unusable) return refuseCommand(unusable.reason, unusable.message);
    operands.push({ kind: text === '-newer' ? 'expression-path' : 'expression', text: given.text });
  }
  return ok(operands);
}

export function parseFind(words: readonly Word[]): Result<ParsedCommand, CommandRefusal> {
  const found = words.findIndex(({ text }) => startsExpression(text));
  const count = found < 0 ? words.length : found;
  const starts = words.slice(0, count);
  const unusable = starts.map(pathRefusal).find((refusal) => refusal !== null);
  if (unusable) return refuseCommand(unusable.reason, unusable.message);
  const expression = readExpression(words.slice(count));
  if (!expression.ok) return expression;
  const paths = starts.length === 0 ? ['.'] : starts.map(({ text }) => text);
  return ok(
    commandOf({
      name: 'find',
      subcommand: null,
      options: [],
      operands: [...paths.map((text): Operand => ({ kind: 'read', text })), ...expression.value],
      risk: 'low',
    }),
  );
}
