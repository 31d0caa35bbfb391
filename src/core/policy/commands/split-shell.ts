/**
 * Splits a full shell command line into its simple commands, including those in subshells, pipes and
 * substitutions. If a command may be missing, the result says so, and the caller must refuse or ask: a rule
 * for `git *` never covers an unseen command.
 */
import { lexShell, type ShellToken } from './shell-lexer.ts';

export interface ShellWord {
  readonly text: string;
  /** A shell would change it (variable, glob, substitution), so `text` is incomplete. */
  readonly dynamic: boolean;
}

export interface Redirection {
  /** Without the descriptor number, e.g. `>`, `>>`, `<`, `>&`. */
  readonly operator: string;
  readonly target: ShellWord;
}

export interface SimpleCommand {
  /** Empty if only assignments or redirections are given. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the command; it can change what any program does (PATH, LD_PRELOAD). */
  readonly assignments: readonly string[];
  readonly redirections: readonly Redirection[];
  readonly source: string;
}

export type ShellSplit =
  | { readonly understood: true; readonly commands: readonly SimpleCommand[] }
  | { readonly understood: false; readonly reason: string };

const separators = new Set([';', '&', '&&', '||', '|', '|&', '\n']);
const redirections = new Set(['<', '>', '>>', '>|', '<>', '&>', '&>>', '>&', '<&', '<<<']);
/** In command position, these only open or close a command. */
const transparent = new Set([
  '!',
  '{',
  '}',
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'while',
  'until',
  'do',
  'done',
]);
const notUnderstood = new Set(['case', 'esac', 'select', 'function', '[[', 'coproc', 'time']);

interface Draft {
  words: ShellWord[];
  assignments: string[];
  redirections: Redirection[];
  start: number;
  end: number;
}

interface State {
  readonly found: SimpleCommand[];
  problem: string | null;
  draft: Draft | null;
  pending: string | null;
  open: number;
  /** A subshell has just ended: only a redirection or a separator may follow. */
  closed: boolean;
}

const plainWord = ({ text, dynamic }: ShellToken): ShellWord => ({ text, dynamic });
const isAssignment = (token: ShellToken): boolean => /^[A-Za-z_]\w*\+?=/.test(token.text);

function flush(state: State, source: string): void {
  if (state.pending !== null) state.problem ??= 'a redirection without a target';
  const { draft } = state;
  if (draft) {
    const { start, end, ...command } = draft;
    state.found.push({ ...command, source: source.slice(start, end) });
  }
  state.draft = null;
  state.pending = null;
}

function draftAt(state: State, token: ShellToken): Draft {
  state.draft ??= { words: [], assignments: [], redirections: [], start: token.start, end: token.end };
  state.draft.end = token.end;
  return state.draft;
}

function takeWord(state: State, token: ShellToken, next: ShellToken | undefined): void {
  if (state.pending !== null) {
    const operator = state.pending;
    state.pending = null;
    draftAt(state, token).redirections.push({ operator, target: plainWord(token) });
    return;
  }
  if (/^\d+$/.test(token.text) && !token.quoted && next?.kind === 'operator' && /^[<>]/.test(next.text)) {
    draftAt(state, token);
    return;
  }
  if (state.closed) state.problem ??= 'a word after a bracket';
  const first = (state.draft?.words.length ?? 0) === 0;
  if (first && !token.quoted && !token.dynamic) {
    if (notUnderstood.has(token.text)) state.problem ??= `the word ${token.text}`;
    if (transparent.has(token.text)) return;
  }
  const draft = draftAt(state, token);
  if (first && isAssignment(token)) draft.assignments.push(token.text);
  else draft.words.push(plainWord(token));
}

function takeBracket(state: State, token: ShellToken, next: ShellToken | undefined, source: string): void {
  if (token.text === '(') {
    if (state.draft || state.closed) state.problem ??= 'a function or an array';
    if (next?.kind === 'operator' && next.text === '(') state.problem ??= 'arithmetic';
    state.open += 1;
    return;
  }
  flush(state, source);
  state.open -= 1;
  state.closed = true;
  if (state.open < 0) state.problem ??= 'a bracket too many';
}

function takeOperator(state: State, token: ShellToken, next: ShellToken | undefined, source: string): void {
  if (token.text === '(' || token.text === ')') takeBracket(state, token, next, source);
  else if (separators.has(token.text)) {
    flush(state, source);
    state.closed = false;
  } else if (redirections.has(token.text)) {
    if (state.pending !== null) state.problem ??= 'a redirection without a target';
    draftAt(state, token);
    state.pending = token.text;
  } else state.problem ??= `the operator ${token.text}`;
}

function collect(tokens: readonly ShellToken[], source: string, found: SimpleCommand[]): string | null {
  const state: State = { found, problem: null, draft: null, pending: null, open: 0, closed: false };
  for (const [index, token] of tokens.entries()) {
    for (const inner of token.nested) state.problem ??= collect(inner.tokens, inner.source, found);
    const next = tokens[index + 1];
    if (token.kind === 'word') takeWord(state, token, next);
    else if (token.kind === 'operator') takeOperator(state, token, next, source);
  }
  flush(state, source);
  if (state.open !== 0) state.problem ??= 'a bracket is not closed';
  return state.problem;
}

/** Pure and total: every text gives one of the two results. */
export function splitShell(line: string): ShellSplit {
  const { tokens, problem } = lexShell(line);
  if (problem) return { understood: false, reason: problem };
  const commands: SimpleCommand[] = [];
  const obstacle = collect(tokens, line, commands);
  return obstacle ? { understood: false, reason: obstacle } : { understood: true, commands };
}
