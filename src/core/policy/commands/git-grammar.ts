/**
 * `git`: five read-only subcommands, with options that neither write, nor start a program, nor leave the
 * repository.
 */
import { ok, type Result } from '../../../contract/result.ts';
import {
  anyText,
  flagOption,
  isWholeNumber,
  optional,
  type ProgramOption,
  parseOptions,
  valued,
} from './options.ts';
import { commandOf, type Operand, type ParsedCommand } from './parsed-command.ts';
import { type CommandRefusal, refuseCommand } from './refusal.ts';
import { pathRefusal } from './simple-grammar.ts';
import type { Word } from './word-splitting.ts';

/**
 * A named format in the repository's configuration could contain `%G`, which starts the signature program.
 */
const format =
  /^(?:oneline|short|medium|full|fuller|reference|email|raw|(?!.*%[+ -]?G)(?:t?format:.*|.*%.*))$/s;
const plainWord = /^[A-Za-z0-9][A-Za-z0-9_:.,+/-]{0,80}$/;
const percent = /^\d{1,3}%?$/;
const color = /^never$/;

const diffOptions: readonly ProgramOption[] = [
  flagOption('--patch', '-p', '-u'),
  flagOption('--no-patch', '-s'),
  optional(/^\d[\d,]{0,20}$/, '--stat'),
  flagOption('--shortstat'),
  flagOption('--numstat'),
  flagOption('--summary'),
  flagOption('--compact-summary'),
  flagOption('--name-only'),
  flagOption('--name-status'),
  flagOption('--raw'),
  flagOption('--minimal'),
  flagOption('--patience'),
  flagOption('--histogram'),
  flagOption('--ignore-all-space', '-w'),
  flagOption('--ignore-space-change', '-b'),
  flagOption('--ignore-blank-lines'),
  flagOption('--full-index'),
  flagOption('--no-renames'),
  flagOption('--no-prefix'),
  flagOption('--no-color'),
  flagOption('--check'),
  flagOption('--exit-code'),
  flagOption('--quiet', '-q'),
  flagOption('-z'),
  flagOption('-R'),
  optional(color, '--color'),
  optional(/^(?:plain|porcelain|none)$/, '--word-diff'),
  valued(isWholeNumber, '--unified', '-U'),
  valued(/^[A-Za-z]{1,20}$/, '--diff-filter'),
  optional(percent, '--find-renames', '-M'),
  optional(percent, '--find-copies', '-C'),
  optional(isWholeNumber, '--abbrev'),
  valued(anyText, '-S'),
  valued(anyText, '-G'),
  flagOption('--pickaxe-regex'),
];

const logOptions: readonly ProgramOption[] = [
  ...diffOptions.filter(({ names }) => !names.includes('--quiet')),
  flagOption('--oneline'),
  flagOption('--graph'),
  flagOption('--all'),
  flagOption('--branches'),
  flagOption('--tags'),
  flagOption('--remotes'),
  flagOption('--merges'),
  flagOption('--no-merges'),
  flagOption('--first-parent'),
  flagOption('--reverse'),
  flagOption('--follow'),
  flagOption('--topo-order'),
  flagOption('--date-order'),
  flagOption('--abbrev-commit'),
  flagOption('--no-abbrev-commit'),
  flagOption('--no-decorate'),
  flagOption('--parents'),
  flagOption('--left-right'),
  flagOption('--full-history'),
  flagOption('--regexp-ignore-case', '-i'),
  flagOption('--fixed-strings', '-F'),
  flagOption('--extended-regexp', '-E'),
  optional(/^(?:short|full|auto|no)$/, '--decorate'),
  valued(isWholeNumber, '--max-count', '-n'),
  valued(isWholeNumber, '--skip'),
  valued(anyText, '--since', '--after'),
  valued(anyText, '--until', '--before'),
  valued(anyText, '--author'),
  valued(anyText, '--committer'),
  valued(anyText, '--grep'),
  valued(plainWord, '--date'),
  optional(format, '--pretty'),
  valued(format, '--format'),
];

const subcommands: Readonly<Record<string, readonly ProgramOption[]>> = {
  status: [
    flagOption('--short', '-s'),
    flagOption('--branch', '-b'),
    flagOption('--long'),
    flagOption('--show-stash'),
    flagOption('-z'),
    optional(/^(?:v1|v2|1|2)$/, '--porcelain'),
    optional(/^(?:no|normal|all)$/, '--untracked-files', '-u'),
    optional(/^(?:traditional|no|matching)$/, '--ignored'),
  ],
  diff: [...diffOptions, flagOption('--cached', '--staged'), flagOption('--merge-base')],
  log: logOptions,
  show: logOptions.filter(({ names }) => !names.includes('--follow')),
  branch: [
    flagOption('--list', '-l'),
    flagOption('--all', '-a'),
    flagOption('--remotes', '-r'),
    flagOption('--verbose', '-v'),
    flagOption('-vv'),
    flagOption('--show-current'),
    flagOption('--no-color'),
    flagOption('--ignore-case', '-i'),
    optional(color, '--color'),
    optional(plainWord, '--contains'),
    optional(plainWord, '--no-contains'),
    optional(plainWord, '--merged'),
    optional(plainWord, '--no-merged'),
    valued(/^-?(?:refname|committerdate|authordate|creatordate)$/, '--sort'),
  ],
};

function operandsOf(
  subcommand: string,
  words: readonly Word[],
  marker: number | null,
): Result<readonly Operand[], CommandRefusal> {
  const operands: Operand[] = [];
  for (const [index, word] of words.entries()) {
    const isPath = subcommand === 'status' || (marker !== null && index >= marker);
    const unusable = isPath || word.text === '' || word.text === '-' ? pathRefusal(word) : null;
    if (unusable) return refuseCommand(unusable.reason, unusable.message);
    if (isPath) operands.push({ kind: 'read', text: word.text });
    else if (subcommand === 'branch') operands.push({ kind: 'pattern', text: word.text });
    else operands.push({ kind: marker === null ? 'revision-or-path' : 'revision', text: word.text });
  }
  return ok(operands);
}

export function parseGit(words: readonly Word[]): Result<ParsedCommand, CommandRefusal> {
  // The agent may write this option, because Kennel sets it anyway.
  const [first, ...rest] = words[0]?.text === '--no-pager' ? words.slice(1) : words;
  if (!first) return refuseCommand('git_subcommand_missing', 'git needs a subcommand.');
  if (first.text.startsWith('-'))
    return refuseCommand('git_option_not_allowed', `git takes no options before the subcommand here.`);
  const specs = Object.hasOwn(subcommands, first.text) ? subcommands[first.text] : undefined;
  if (!specs)
    return refuseCommand(
      'git_subcommand_not_allowed',
      `git can only ${Object.keys(subcommands).join(', ')} here, not "${first.text.slice(0, 40)}".`,
    );
  const isLog = first.text === 'log' || first.text === 'show';
  const parsed = parseOptions(rest, {
    specs,
    reason: 'git_option_not_allowed',
    ...(isLog ? { digits: '--max-count' } : {}),
  });
  if (!parsed.ok) return parsed;
  const { options, marker } = parsed.value;
  const operands = operandsOf(first.text, parsed.value.operands, marker);
  if (!operands.ok) return operands;
  const listing = options.some(({ name }) => name === '--list');
  if (first.text === 'branch' && operands.value.length > 0 && !listing)
    return refuseCommand('git_option_not_allowed', 'git branch only lists here; a pattern needs --list.');
  return ok(
    commandOf({
      name: 'git',
      subcommand: first.text,
      options,
      operands: operands.value,
      risk: 'low',
    }),
  );
}
