/**
 * Finds the commands inside a command: behind wrappers (`env rm x`) and in text for a shell (`sh -c 'rm x'`). Code for
 * an interpreter, and input that a shell reads, cannot be judged: `opaque`.
 */
import { lastPathPart } from '../../lib/text.ts';
import { type SimpleCommand, splitShell } from './split-shell.ts';

type Argv = readonly string[];

export interface InnerCommands {
  readonly commands: readonly Argv[];
  /** Other commands may run that the tokens do not show. */
  readonly opaque: boolean;
}

const none: InnerCommands = { commands: [], opaque: false };
const unknown: InnerCommands = { commands: [], opaque: true };

/** Parsed texts and suffixes of one line that are left; bounds the work for a hostile line. */
interface Budget {
  left: number;
}
const mostSteps = 1_000;
const mostWords = 400;

/** Builtins that run text, or change what a later word runs. */
const redefining = new Set(['eval', 'alias', 'trap', 'source', '.', 'hash', 'enable']);

/** No redirections, assignments or dynamic words: they change more than the words show. */
export const isPlainCommand = (command: SimpleCommand): boolean =>
  command.assignments.length === 0 &&
  command.redirections.length === 0 &&
  command.words.length > 0 &&
  !redefining.has(command.words[0]?.text ?? '') &&
  command.words.every(({ dynamic }) => !dynamic);

const listed = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Programs that run the words after them. */
const wrappers = listed(
  'env nice nohup setsid timeout stdbuf xargs ionice chrt time command builtin exec busybox toybox watch parallel find ' +
    'taskset numactl prlimit flock script strace ltrace caffeinate unbuffer entr npx bunx pnpx uvx',
);
/** Wrappers after one of `runWords` only. */
const runners = listed(
  'uv poetry pipenv bundle direnv conda mamba mise asdf npm pnpm yarn bun nix rye pdm hatch',
);
const runWords = listed('run exec x dlx develop shell');
/** Wrappers whose arguments are text for a shell. */
const textWrappers = listed('watch parallel script flock entr');
const shells = listed('sh bash dash zsh ksh mksh ash fish csh tcsh');

/** Arguments with which an interpreter runs code that is no file. */
const inlineCode: Readonly<Record<string, RegExp>> = {
  python: /^-[A-Za-z]*c/,
  pypy: /^-[A-Za-z]*c/,
  node: /^(?:-[a-z]*[ep][a-z]*|--eval|--print)(?:=|$)/,
  nodejs: /^(?:-[a-z]*[ep][a-z]*|--eval|--print)(?:=|$)/,
  bun: /^(?:-[ep]|--eval|--print|exec)(?:=|$)/,
  deno: /^(?:eval|repl)$/,
  perl: /^-[A-Za-z0-9]*[eE]/,
  ruby: /^-[A-Za-z0-9]*e/,
  php: /^(?:-[rBRE]|--run|--process-)/,
  lua: /^-e/,
  luajit: /^-e/,
  julia: /^(?:-[eE]|--eval|--print)/,
  rscript: /^-e/,
  r: /^-e/,
  osascript: /^-e/,
  pwsh: /^[-/](?:c|e)/i,
  powershell: /^[-/](?:c|e)/i,
  expect: /^-c/,
  tclsh: /^$/,
  groovy: /^-e/,
  ghc: /^-e/,
};

/** Other programs, with the arguments by which they run text as a command. */
const runsText: Readonly<Record<string, RegExp>> = {
  awk: /system|getline|\||@/,
  gawk: /system|getline|\||@/,
  mawk: /system|getline|\|/,
  nawk: /system|getline|\|/,
  // GNU sed: the command `e`, and the flag `e` of `s`.
  sed: /(?:^|[;{}\n\d$/])\s*e(?:\s|$)|[/|,#:!@_~]\w*e\w*\s*(?:$|[;}\n])/,
  gsed: /(?:^|[;{}\n\d$/])\s*e(?:\s|$)|[/|,#:!@_~]\w*e\w*\s*(?:$|[;}\n])/,
  git: /^(?:-c|-x|bisect|foreach|filter-branch|--(?:config-env|exec-path|exec|extcmd|upload-pack|receive-pack)(?:=.*)?)$/,
  tar: /^(?:--(?:checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rsh-command)|-[A-Za-z]*I)/,
  rsync: /^(?:-[A-Za-z]*e|--rsh)/,
  ssh: /command/i,
  make: /^(?:--eval|\.?SHELL)/,
  sqlite: /\.sh|\.sys|load_extension|edit\s*\(/i,
  psql: /\\!/,
  vi: /^(?:-c|-S|--cmd|\+)/,
  vim: /^(?:-c|-S|--cmd|\+)/,
  nvim: /^(?:-c|-S|--cmd|\+)/,
  ex: /^/,
  ed: /^/,
  emacs: /eval|^-f|funcall/,
  gdb: /^/,
  lldb: /^/,
};

/** `/usr/bin/python3.12` is `python`. */
const programName = (word: string): string =>
  lastPathPart(word)
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/(?<=[a-z])[\d.]+$/, '');

const isOption = (word: string): boolean => /^[-+]./.test(word);
const isInquiry = (args: Argv): boolean =>
  args.length === 1 && /^(?:--version|--help|-V|-v|-h)$/.test(args[0] ?? '');

/** Without a script, an interpreter reads its code from standard input. */
const readsInput = (args: Argv): boolean =>
  args.every((word) => isOption(word) || word === '-') && !isInquiry(args);

function inText(text: string, budget: Budget): InnerCommands {
  budget.left -= 1;
  if (budget.left < 0) return unknown;
  const split = splitShell(text);
  if (!split.understood) return unknown;
  const commands = split.commands.map(({ words }) => words.map((word) => word.text));
  const isClear = commands.length > 0 && split.commands.every(isPlainCommand);
  return joined([{ commands, opaque: !isClear }, ...commands.map((argv) => innerCommands(argv, budget))]);
}

function joined(parts: readonly InnerCommands[]): InnerCommands {
  return { commands: parts.flatMap(({ commands }) => commands), opaque: parts.some(({ opaque }) => opaque) };
}

function inShell(args: Argv, budget: Budget): InnerCommands {
  if (args.some((word) => /^--(?:command|init-command|init-file|rcfile)/.test(word))) return unknown;
  if (args.some((word) => /^-[A-Za-z]*c/.test(word))) {
    return joined(args.filter((word) => !isOption(word)).map((text) => inText(text, budget)));
  }
  return args.includes('-s') || readsInput(args) ? unknown : none;
}

/** The command that begins with these words, without what a wrapper among them runs. */
function ownCommands(argv: Argv, budget: Budget): InnerCommands {
  const [word = '', ...args] = argv;
  const name = programName(word);
  if (shells.has(name)) return inShell(args, budget);
  const inline = Object.hasOwn(inlineCode, name) ? inlineCode[name] : undefined;
  if (inline !== undefined) return args.some((arg) => inline.test(arg)) || readsInput(args) ? unknown : none;
  const runs = Object.hasOwn(runsText, name) ? runsText[name] : undefined;
  return runs !== undefined && args.some((arg) => runs.test(arg)) ? unknown : none;
}

const findRuns = /^-(?:exec|execdir|ok|okdir)$/;
/** Wrappers that also run builtins of the shell. */
const builtinWrappers = listed('command builtin');

const wraps = (name: string, args: Argv): boolean =>
  wrappers.has(name) || (runners.has(name) && args.some((word) => runWords.has(word)));

/** `xargs -I{} {}` and `xargs env`: the program itself comes from the input. */
function takesProgramFromInput(args: Argv): boolean {
  const last = programName(args.at(-1) ?? '');
  if (wrappers.has(last) || shells.has(last) || Object.hasOwn(inlineCode, last)) return true;
  const at = args.findIndex((word) => /^(?:-I|-i|--replace)/.test(word));
  if (at < 0) return false;
  const attached = args[at]?.replace(/^(?:-I|-i|--replace=?)/, '') ?? '';
  const isApart = attached === '' && args[at] === '-I';
  const mark = isApart ? (args[at + 1] ?? '') : attached || '{}';
  const program = args.find((word, index) => index > (isApart ? at + 1 : at) && !isOption(word));
  return program?.includes(mark) === true;
}

function behindWrapper(name: string, args: Argv, budget: Budget): InnerCommands {
  const parts = args.map((word, index): InnerCommands => {
    if (name === 'find' && !findRuns.test(args[index - 1] ?? '')) return none;
    budget.left -= 1;
    if (budget.left < 0) return unknown;
    const rest = args.slice(index);
    const split = word.split(/[\s;|&]+/).filter(Boolean);
    return joined([{ commands: [rest, split], opaque: false }, ownCommands(rest, budget)]);
  });
  const isText =
    textWrappers.has(name) || (name === 'env' && args.some((word) => /^(?:-[A-Za-z]*S|--split)/.test(word)));
  const texts = isText ? args.filter((word) => /[\s;|&$`(]/.test(word)) : [];
  const isUnknown =
    (name === 'xargs' && takesProgramFromInput(args)) ||
    (builtinWrappers.has(name) && args.some((word) => redefining.has(word)));
  return joined([...parts, ...texts.map((text) => inText(text, budget)), isUnknown ? unknown : none]);
}

/** All commands that a command starts, as far as its words show them. */
export function innerCommands(argv: Argv, budget: Budget = { left: mostSteps }): InnerCommands {
  const [word = '', ...args] = argv;
  if (argv.length > mostWords) return unknown;
  const name = programName(word);
  const own = ownCommands(argv, budget);
  return wraps(name, args) ? joined([own, behindWrapper(name, args, budget)]) : own;
}
