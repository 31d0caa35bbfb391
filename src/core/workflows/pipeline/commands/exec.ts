/**
 * exec: runs a program with its arguments, or a line in a non-login shell. Its own flags end at the first
 * word; everything after it goes to the program unchanged.
 */
import { err, ok } from '../../../../contract/result.ts';
import { say } from '../../../../language/say.ts';
import {
  collect,
  drain,
  failCommand,
  type Items,
  must,
  type PipelineCommand,
  type StageContext,
} from '../command.ts';
import { exactJsonText, type JsonValue, parseExact, stringifyExact } from '../exact-json.ts';
import type { ExecRequest } from '../pipeline-ports.ts';

type StdinMode = 'raw' | 'json' | 'jsonl';

interface Exec {
  readonly command: ExecRequest['command'];
  readonly stdin: StdinMode | null;
  readonly json: boolean;
}

/** Most UTF-16 units of a program's own output in an error. */
const shownLength = 2000;

function stdinText(mode: StdinMode, items: readonly JsonValue[]): string {
  if (mode === 'json') return stringifyExact(items);
  if (mode === 'raw') return items.map(exactJsonText).join('\n');
  return items.map((item) => `${stringifyExact(item)}\n`).join('');
}

/** Streams the output; ends the stage if the program fails. */
async function* outputOf(exec: Exec, items: Items, context: StageContext): AsyncGenerator<string> {
  let stdin: string | null = null;
  if (exec.stdin === null) await drain(items);
  else stdin = stdinText(exec.stdin, await collect(items));
  let beginning = '';
  for await (const event of context.ports.exec.start({ command: exec.command, stdin }, context.signal)) {
    const said = must(event);
    if (said.type === 'stdout') {
      if (beginning.length < shownLength) beginning += said.text.slice(0, shownLength);
      yield said.text;
    } else if (said.code !== 0) {
      const words = (said.stderr.trim() || beginning.trim()).slice(0, shownLength);
      failCommand(
        'io_error',
        say('pipelines.execFailed', { code: said.code ?? said.signal ?? 'ended', what: words }),
      );
    }
  }
}

const lineEnd = /\r?\n/;

/** One item per non-empty line; an unfinished line is buffered until its end arrives. */
async function* linesOf(chunks: AsyncIterable<string>): Items {
  let open: string[] = [];
  for await (const chunk of chunks) {
    open.push(chunk);
    if (!chunk.includes('\n')) continue;
    const lines = open.join('').split(lineEnd);
    open = [lines.pop() ?? ''];
    for (const line of lines) if (line !== '') yield line;
  }
  const last = open.join('');
  if (last !== '') yield last;
}

async function* jsonOf(chunks: AsyncIterable<string>): Items {
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const text = parts.join('').trim();
  if (text === '') {
    yield null;
    return;
  }
  const read = parseExact(text);
  if (!read.ok) return failCommand('invalid_input', say('pipelines.execNoJson', { what: read.error }));
  if (Array.isArray(read.value)) yield* read.value;
  else yield read.value;
}

function run(exec: Exec, items: Items, context: StageContext): Items {
  const chunks = outputOf(exec, items, context);
  return exec.json ? jsonOf(chunks) : linesOf(chunks);
}

function commandOf(shell: string | null, words: readonly string[]): ExecRequest['command'] | null {
  const [program, ...args] = words;
  if (shell !== null) return program === undefined ? { kind: 'shell', line: shell } : null;
  if (program === undefined || program === '') return null;
  // One word with blanks is a whole line, for compatibility: `exec 'date -u'`.
  if (args.length === 0 && /\s/.test(program)) return { kind: 'shell', line: program };
  return { kind: 'program', program, args };
}

export const exec: PipelineCommand = {
  name: 'exec',
  description: 'Runs a program, or a line of shell. Each line it writes is an item; with --json its JSON is.',
  flags: [
    {
      name: 'json',
      type: 'switch',
      description: 'what it writes is JSON; the elements of a list are items',
      default: false,
    },
    { name: 'shell', type: 'text', description: 'a line for the shell instead of a program' },
    {
      name: 'stdin',
      type: 'choice',
      choices: ['raw', 'json', 'jsonl'],
      description: 'gives it the items: as lines, as one JSON list, or as one JSON value a line',
    },
  ],
  words: { name: 'a program', description: 'the program and its words', min: 0, max: 10_000 },
  flagsFirst: true,
  examples: [
    "exec --json --shell 'cat items.json'",
    'exec git status --short',
    'exec --stdin jsonl ./import',
  ],
  sideEffects: ['runs_programs'],
  effect: 'once',
  prepare: (args) => {
    const command = commandOf(args.text('shell'), args.words);
    if (command === null) return err({ message: say('pipelines.execNeedsProgram') });
    const stdin = args.text('stdin') as StdinMode | null;
    const whole: Exec = { command, stdin, json: args.has('json') };
    return ok({ kind: 'flow', run: (items, context) => run(whole, items, context) });
  },
};
