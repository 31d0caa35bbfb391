/**
 * Builds the argv to start from the parsed form alone: options in one spelling with joined values, operands
 * after `--`, and settings that keep a program from reading configuration or starting others.
 */
import { optionWord } from './options.ts';
import type { Operand, ParsedCommand } from './parsed-command.ts';

/** How a program sees the paths of a command, and which git operands name files. */
export interface PathWords {
  /** Without `..` after a link, and never starting with a dash. */
  path(text: string): string;
  isPath(text: string): boolean;
}

/** `-c` overrides the settings of the repository; `--no-optional-locks`: reading commands write nothing. */
export const gitHardening = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.attributesFile=/dev/null',
    'core.excludesFile=/dev/null',
    'core.untrackedCache=false',
    'core.askPass=',
    'core.sshCommand=false',
    'core.editor=false',
    'diff.external=',
    'diff.orderFile=/dev/null',
    'diff.submodule=short',
    'diff.ignoreSubmodules=all',
    'status.submoduleSummary=false',
    'submodule.recurse=false',
    'log.showSignature=false',
    'log.mailmap=false',
    'format.pretty=medium',
    'branch.sort=refname',
    'column.ui=never',
    'color.ui=never',
    'gpg.program=false',
    'gpg.ssh.program=false',
    'gpg.x509.program=false',
    'protocol.allow=never',
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
];

const gitSafety: Readonly<Record<string, readonly string[]>> = {
  status: ['--ignore-submodules=all'],
  diff: ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  log: ['--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-mailmap', '--ignore-submodules=all'],
  show: ['--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-mailmap', '--ignore-submodules=all'],
  branch: ['--no-column'],
};

const texts = (command: ParsedCommand, kind: Operand['kind']): string[] =>
  command.operands.filter((operand) => operand.kind === kind).map(({ text }) => text);

function gitArgv(command: ParsedCommand, words: PathWords): string[] {
  const subcommand = command.subcommand ?? '';
  const unclear = texts(command, 'revision-or-path');
  const revisions = [...texts(command, 'revision'), ...unclear.filter((text) => !words.isPath(text))];
  const paths = [...texts(command, 'read'), ...unclear.filter((text) => words.isPath(text))];
  const head = ['git', ...gitHardening, subcommand, ...(gitSafety[subcommand] ?? [])];
  const options = command.options.map(optionWord);
  const patterns = texts(command, 'pattern');
  if (subcommand === 'branch')
    return [...head, ...options, ...(patterns.length > 0 ? ['--', ...patterns] : [])];
  return [...head, ...options, ...revisions, '--', ...paths.map(words.path)];
}

const findArgv = (command: ParsedCommand, words: PathWords): string[] => [
  'find',
  '-P',
  ...command.operands.map(({ kind, text }) => (kind === 'expression' ? text : words.path(text))),
];

const rgArgv = (command: ParsedCommand, words: PathWords): string[] => [
  'rg',
  '--no-config',
  '--no-follow',
  '--color=never',
  '--no-ignore-global',
  ...command.options.filter(({ name }) => name !== '--color').map(optionWord),
  ...texts(command, 'pattern').map((text) => `--regexp=${text}`),
  '--',
  ...texts(command, 'read').map(words.path),
];

export function buildArgv(command: ParsedCommand, words: PathWords): readonly string[] {
  if (command.name === 'git') return gitArgv(command, words);
  if (command.name === 'find') return findArgv(command, words);
  if (command.name === 'rg') return rgArgv(command, words);
  const options = command.options.map(optionWord);
  const operands = command.operands.map(({ text }) => text);
  return command.name === 'echo'
    ? ['echo', ...options, ...operands]
    : [command.name, ...options, ...(operands.length > 0 ? ['--', ...operands] : [])];
}
