/**
 * `rg`: options that change what is shown or matched; none that reads other files, follows links or starts a
 * program.
 */
import { ok, type Result } from '../../../contract/result.ts';
import { anyText, flagOption, isWholeNumber, parseOptions, valued } from './options.ts';
import { commandOf, type Operand, type ParsedCommand } from './parsed-command.ts';
import { type CommandRefusal, refuseCommand } from './refusal.ts';
import { pathRefusal } from './simple-grammar.ts';
import type { Word } from './word-splitting.ts';

const typeName = /^[A-Za-z0-9_+-]{1,40}$/;
const sortKey = /^(?:none|path|modified|accessed|created)$/;

const specs = [
  flagOption('--line-number', '-n'),
  flagOption('--no-line-number', '-N'),
  flagOption('--ignore-case', '-i'),
  flagOption('--smart-case', '-S'),
  flagOption('--case-sensitive', '-s'),
  flagOption('--word-regexp', '-w'),
  flagOption('--line-regexp', '-x'),
  flagOption('--fixed-strings', '-F'),
  flagOption('--invert-match', '-v'),
  flagOption('--files-with-matches', '-l'),
  flagOption('--files-without-match'),
  flagOption('--count', '-c'),
  flagOption('--count-matches'),
  flagOption('--only-matching', '-o'),
  flagOption('--quiet', '-q'),
  flagOption('--with-filename', '-H'),
  flagOption('--no-filename', '-I'),
  flagOption('--heading'),
  flagOption('--no-heading'),
  flagOption('--column'),
  flagOption('--multiline', '-U'),
  flagOption('--multiline-dotall'),
  flagOption('--unrestricted', '-u'),
  flagOption('--hidden', '-.'),
  flagOption('--no-ignore'),
  flagOption('--no-ignore-vcs'),
  flagOption('--text', '-a'),
  flagOption('--null', '-0'),
  flagOption('--json'),
  flagOption('--stats'),
  flagOption('--trim'),
  flagOption('--vimgrep'),
  flagOption('--no-messages'),
  flagOption('--passthru'),
  flagOption('--files'),
  flagOption('--type-list'),
  flagOption('--crlf'),
  valued(/^(?:never|auto)$/, '--color'),
  valued(isWholeNumber, '--after-context', '-A'),
  valued(isWholeNumber, '--before-context', '-B'),
  valued(isWholeNumber, '--context', '-C'),
  valued(isWholeNumber, '--max-count', '-m'),
  valued(isWholeNumber, '--max-depth'),
  valued(isWholeNumber, '--max-columns', '-M'),
  valued(/^\d{1,10}[KMG]?$/, '--max-filesize'),
  valued(anyText, '--regexp', '-e'),
  valued(anyText, '--glob', '-g'),
  valued(anyText, '--iglob'),
  valued(typeName, '--type', '-t'),
  valued(typeName, '--type-not', '-T'),
  valued(anyText, '--replace', '-r'),
  valued(sortKey, '--sort'),
  valued(sortKey, '--sortr'),
];

const withoutPattern = new Set(['--regexp', '--files', '--type-list']);

export function parseRg(words: readonly Word[]): Result<ParsedCommand, CommandRefusal> {
  const parsed = parseOptions(words, { specs, reason: 'rg_option_not_allowed' });
  if (!parsed.ok) return parsed;
  const { options, operands } = parsed.value;
  const patterns = options.some(({ name }) => withoutPattern.has(name)) ? 0 : 1;
  if (operands.length < patterns) return refuseCommand('operands_missing', 'rg needs a pattern.');
  const paths = operands.slice(patterns);
  const unusable = paths.map(pathRefusal).find((refusal) => refusal !== null);
  if (unusable) return refuseCommand(unusable.reason, unusable.message);
  const searched = paths.length === 0 ? ['.'] : paths.map(({ text }) => text);
  return ok(
    commandOf({
      name: 'rg',
      subcommand: null,
      options,
      operands: [
        ...operands.slice(0, patterns).map(({ text }): Operand => ({ kind: 'pattern', text })),
        ...searched.map((text): Operand => ({ kind: 'read', text })),
      ],
      risk: 'low',
    }),
  );
}
