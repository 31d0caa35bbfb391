/**
 * The tool calls of a program in the form of Kennel's own tools, so that the same rules, standing answers, diffs
 * and readers apply to both. A call that Kennel could not show faithfully is refused.
 */
import type { AcpCall } from './acp-messages.ts';

type Args = Readonly<Record<string, unknown>>;

export type AcpAction =
  | { readonly ok: true; readonly name: string; readonly args: Args }
  | { readonly ok: false; readonly name: string; readonly args: Args; readonly reason: string };

/** Later members replace earlier ones; output arrives in pieces. */
export const joinCall = (known: AcpCall | undefined, more: AcpCall): AcpCall => ({ ...known, ...more });

/** `args` is what the step shows in either case. */
export function toKennelAction(call: AcpCall, cwd: string): AcpAction {
  const found = describe(call, cwd);
  if (found !== null) return { ok: true, ...found };
  const what = call.title ?? call.kind ?? 'a tool';
  return {
    ok: false,
    name: 'program_action',
    args: { title: what, ...call.input },
    reason: `The call cannot be shown to the operator: ${what.slice(0, 200)}`,
  };
}

interface Described {
  readonly name: string;
  readonly args: Args;
}

function describe(call: AcpCall, cwd: string): Described | null {
  switch (call.kind) {
    case 'execute':
      return describeCommand(call, cwd);
    case 'edit':
      return describeEdit(call);
    case 'read':
      return describeRead(call);
    case 'search':
      return describeSearch(call);
    case 'fetch':
      return describeFetch(call);
    default:
      return null;
  }
}

const textIn = (input: Args | undefined, ...names: readonly string[]): string | null => {
  for (const name of names) {
    const value = input?.[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
};

/** Gemini gives the command as title, and another working folder only as a note. */
const otherFolder = /^\[in /m;

/** A working folder other than the workspace could not be shown. */
function describeCommand({ input, title, texts = [] }: AcpCall, cwd: string): Described | null {
  const folder = textIn(input, 'cwd', 'workdir');
  if ((folder !== null && folder !== cwd) || texts.some((text) => otherFolder.test(text))) return null;
  const argv = input?.command;
  const line = Array.isArray(argv) ? shellLine(argv) : (textIn(input, 'command', 'cmd') ?? title ?? null);
  return line === null ? null : { name: 'shell', args: { cmd: line } };
}

/** `["bash", "-lc", LINE]` is the line itself. */
function shellLine(argv: readonly unknown[]): string | null {
  const words = argv.filter((one) => typeof one === 'string');
  if (words.length !== argv.length || words.length === 0) return null;
  const [shell = '', flag = '', line] = words;
  if (words.length === 3 && /(^|\/)(ba|z)?sh$/.test(shell) && /^-l?c$/.test(flag)) return line ?? null;
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function describeEdit({ diffs, input }: AcpCall): Described | null {
  const [diff, second] = diffs ?? [];
  // Several files would need several answers.
  if (second) return null;
  if (diff) {
    const { path, oldText, newText } = diff;
    return oldText === null || oldText === ''
      ? { name: 'write_file', args: { path, content: newText } }
      : { name: 'edit_file', args: { path, old_text: oldText, new_text: newText, replace_all: false } };
  }
  const path = textIn(input, 'path', 'filePath', 'file_path');
  if (path === null) return null;
  const content = input?.content;
  if (typeof content === 'string') return { name: 'write_file', args: { path, content } };
  const oldText = textIn(input, 'oldText', 'oldString', 'old_string');
  const newText = input?.newText ?? input?.newString ?? input?.new_string;
  if (oldText === null || typeof newText !== 'string') return null;
  const all = input?.replaceAll === true || input?.replace_all === true;
  return { name: 'edit_file', args: { path, old_text: oldText, new_text: newText, replace_all: all } };
}

function describeRead({ input, paths = [] }: AcpCall): Described | null {
  const path = textIn(input, 'path', 'filePath', 'file_path') ?? (paths.length === 1 ? paths[0] : null);
  return path ? { name: 'read_file', args: { path } } : null;
}

function describeSearch({ input }: AcpCall): Described | null {
  const query = textIn(input, 'pattern', 'query');
  if (query === null || /^(?:[/~]|[A-Za-z]:)/.test(query) || query.split(/[\\/{,]/).includes('..'))
    return null;
  return { name: 'search_files', args: { query, path: textIn(input, 'path') ?? '.' } };
}

function describeFetch({ input }: AcpCall): Described | null {
  const url = textIn(input, 'url');
  return url !== null && URL.canParse(url)
    ? { name: 'web_fetch', args: { url, prompt: textIn(input, 'prompt') ?? '' } }
    : null;
}

/** Text of a result, as the program reported it. */
export const resultText = ({ texts, output, diffs = [] }: AcpCall): string =>
  texts?.join('\n') ?? output ?? diffs.map(({ path }) => path).join('\n');
