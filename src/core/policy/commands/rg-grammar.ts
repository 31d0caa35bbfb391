/**
 * `rg`: options that change what is shown or matched; none that reads other files, follows links or starts a
 * program.
 */
import { ok, type Result } from '../../../contract/result.ts';
import { anyText, flag, parseOptions, valued, wholeNumber } from './options.ts';
import { commandOf, type Operand, type ParsedCommand } from './parsed-command.ts';
import { type CommandRefusal, refuseCommand } from './refusal.ts';
import { pathRefusal } from './simple-grammar.ts';
import type { Word } from './words.ts';

const typeName = /^[A-Za-z0-9_+-]{1,40}$/;
const sortKey = /^(?:none|path|modified|accessed|created)$/;

const specs = [
  flag('--line-number', '-n'),
  flag('--no-line-number', '-N'),
  flag('--ignore-case', '-i'),
  flag('--smart-case', '-S'),
  flag('--case-sensitive', '-s'),
  flag('--word-regexp', '-w'),
  flag('--line-regexp', '-x'),
  flag('--fixed-strings', '-F'),
  flag('--invert-match', '-v'),
  flag('--files-with-matches', '-l'),
  flag('--files-without-match'),
  flag('--count', '-c'),
  flag('--count-matches'),
  flag('--only-matching', '-o'),
  flag('--quiet', '-q'),
  flag('--with-filename', '-H'),
  flag('--no-filename', '-I'),
  flag('--heading'),
  flag('--no-heading'),
  flag('--column'),
  flag('--multiline', '-U'),
  flag('--multiline-dotall'),
  flag('--unrestricted', '-u'),
  flag('--hidden', '-.'),
  flag('--no-ignore'),
  flag('--no-ignore-vcs'),
  flag('--text', '-a'),
  flag('--null', '-0'),
  flag('--json'),
  flag('--stats'),
  flag('--trim'),
  flag('--vimgrep'),
  flag('--no-messages'),
  flag('--passthru'),
  flag('--files'),
  flag('--type-list'),
  flag('--crlf'),
  valued(/^(?:never|auto)$/, '--color'),
  valued(wholeNumber, '--after-context', '-A'),
  valued(wholeNumber, '--before-context', '-B'),
  valued(wholeNumber, '--context', '-C'),
  valued(wholeNumber, '--max-count', '-m'),
  valued(wholeNumber, '--max-depth'),
  valued(wholeNumber, '--max-columns', '-M'),
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
