/**
 * `git`: five read-only subcommands, with options that neither write, nor start a program, nor leave the
 * repository.
 */
import { ok, type Result } from '../../../contract/result.ts';
import { anyText, flag, type OptionSpec, optional, parseOptions, valued, wholeNumber } from './options.ts';
import { commandOf, type Operand, type ParsedCommand } from './parsed-command.ts';
import { type CommandRefusal, refuseCommand } from './refusal.ts';
import { pathRefusal } from './simple-grammar.ts';
import type { Word } from './words.ts';

/**
 * A named format in the repository's configuration could contain `%G`, which starts the signature program.
 */
const format =
  /^(?:oneline|short|medium|full|fuller|reference|email|raw|(?!.*%[+ -]?G)(?:t?format:.*|.*%.*))$/s;
const plainWord = /^[A-Za-z0-9][A-Za-z0-9_:.,+/-]{0,80}$/;
const percent = /^\d{1,3}%?$/;
const color = /^never$/;

const diffOptions: readonly OptionSpec[] = [
  flag('--patch', '-p', '-u'),
  flag('--no-patch', '-s'),
  optional(/^\d[\d,]{0,20}$/, '--stat'),
  flag('--shortstat'),
  flag('--numstat'),
  flag('--summary'),
  flag('--compact-summary'),
  flag('--name-only'),
  flag('--name-status'),
  flag('--raw'),
  flag('--minimal'),
  flag('--patience'),
  flag('--histogram'),
  flag('--ignore-all-space', '-w'),
  flag('--ignore-space-change', '-b'),
  flag('--ignore-blank-lines'),
  flag('--full-index'),
  flag('--no-renames'),
  flag('--no-prefix'),
  flag('--no-color'),
  flag('--check'),
  flag('--exit-code'),
  flag('--quiet', '-q'),
  flag('-z'),
  flag('-R'),
  optional(color, '--color'),
  optional(/^(?:plain|porcelain|none)$/, '--word-diff'),
  valued(wholeNumber, '--unified', '-U'),
  valued(/^[A-Za-z]{1,20}$/, '--diff-filter'),
  optional(percent, '--find-renames', '-M'),
  optional(percent, '--find-copies', '-C'),
  optional(wholeNumber, '--abbrev'),
  valued(anyText, '-S'),
  valued(anyText, '-G'),
  flag('--pickaxe-regex'),
];

const logOptions: readonly OptionSpec[] = [
  ...diffOptions.filter(({ names }) => !names.includes('--quiet')),
  flag('--oneline'),
  flag('--graph'),
  flag('--all'),
  flag('--branches'),
  flag('--tags'),
  flag('--remotes'),
  flag('--merges'),
  flag('--no-merges'),
  flag('--first-parent'),
  flag('--reverse'),
  flag('--follow'),
  flag('--topo-order'),
  flag('--date-order'),
  flag('--abbrev-commit'),
  flag('--no-abbrev-commit'),
  flag('--no-decorate'),
  flag('--parents'),
  flag('--left-right'),
  flag('--full-history'),
  flag('--regexp-ignore-case', '-i'),
  flag('--fixed-strings', '-F'),
  flag('--extended-regexp', '-E'),
  optional(/^(?:short|full|auto|no)$/, '--decorate'),
  valued(wholeNumber, '--max-count', '-n'),
  valued(wholeNumber, '--skip'),
  valued(anyText, '--since', '--after'),
  valued(anyText, '--until', '--before'),
  valued(anyText, '--author'),
  valued(anyText, '--committer'),
  valued(anyText, '--grep'),
  valued(plainWord, '--date'),
  optional(format, '--pretty'),
  valued(format, '--format'),
];

const subcommands: Readonly<Record<string, readonly OptionSpec[]>> = {
  status: [
    flag('--short', '-s'),
    flag('--branch', '-b'),
    flag('--long'),
    flag('--show-stash'),
    flag('-z'),
    optional(/^(?:v1|v2|1|2)$/, '--porcelain'),
    optional(/^(?:no|normal|all)$/, '--untracked-files', '-u'),
    optional(/^(?:traditional|no|matching)$/, '--ignored'),
  ],
  diff: [...diffOptions, flag('--cached', '--staged'), flag('--merge-base')],
  log: logOptions,
  show: logOptions.filter(({ names }) => !names.includes('--follow')),
  branch: [
    flag('--list', '-l'),
    flag('--all', '-a'),
    flag('--remotes', '-r'),
    flag('--verbose', '-v'),
    flag('-vv'),
    flag('--show-current'),
    flag('--no-color'),
    flag('--ignore-case', '-i'),
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
