/**
 * One program of a step. It blocks at its start until its process id is recorded; its output is counted while
 * it is read; and when the iterator ends, however it ends, its remaining processes are killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { pipeline, Readable, type Writable } from 'node:stream';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { piecesOf } from '../../core/lib/text.ts';
import type { StepProcess } from '../../core/workflows/engine/events.ts';
import type { ExecEvent, ExecRequest } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { say } from '../../language/say.ts';
import { findProgram, isExecutable } from '../../platform/find-program.ts';
import type { ProcessGuard } from '../../platform/process-guard.ts';
import { markerName } from '../../platform/process-marker.ts';
import { endGroup, endTree, markOf } from '../../platform/process-tree.ts';
import { endHolders, tailOf } from '../../platform/program-output.ts';
import { systemErrorCode } from '../../platform/system-error.ts';

export interface GatedCall extends ExecRequest {
  readonly shell: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
  /** The number of the program within this engine; the marker ends with it. */
  readonly number: number;
  /** Maximum bytes of standard output. */
  readonly maxBytes: number;
  readonly guard: ProcessGuard;
  spawned(process: StepProcess): void;
}

/** ms during which remaining children may still write after the program itself ended. */
const drainMs = 200;
/** Code units written to a program at once. */
const pieceLength = 65_536;

/** Waits for a line before the input itself; end of file without one means that the engine died. */
const waits = 'read -r KENNEL_GO || exit 125; unset KENNEL_GO';

/** Relative names and folders of PATH count from `cwd`, as for `exec`; an error is reported before the start. */
function resolveProgram(name: string, cwd: string, searchPath: string): Result<string> {
  const isPath = name.includes('/');
  const asPath = path.resolve(cwd, name);
  const folders = searchPath.split(':').map((folder) => path.resolve(cwd, folder));
  const found = isPath ? (isExecutable(asPath) ? asPath : null) : findProgram(name, folders);
  if (found !== null) return ok(found);
  const hint = isPath ? say('workflows.checkProgramPath') : say('workflows.checkSpelling');
  return err(appError('not_found', say('workflows.programNotFound', { name: name.slice(0, 200) }), { hint }));
}

function wordsOf(call: GatedCall): Result<readonly [string, ...string[]]> {
  const { command } = call;
  const gate = call.stdin === null ? `${waits}; exec </dev/null` : waits;
  if (command.kind === 'shell') return ok([call.shell, '-c', `${gate}\n${command.line}`]);
  const program = resolveProgram(command.program, call.cwd, call.env.PATH ?? '/usr/bin:/bin');
  if (!program.ok) return program;
  return ok(['/bin/sh', '-c', `${gate}; exec "$0" "$@"`, program.value, ...command.args]);
}

function startError(error: unknown): ReturnType<typeof appError> {
  const code = systemErrorCode(error);
  if (code === 'E2BIG') {
    return fail('too_large', 'workflows.commandTooLarge', {}, { help: 'workflows.passValuesAsStdin' });
  }
  if (code === 'ENOENT') return fail('not_found', 'workflows.shellOrFolderMissing');
  if (code === 'ERR_INVALID_ARG_VALUE') {
    return fail('invalid_input', 'workflows.nulInValue');
  }
  return code === ''
    ? fail('io_error', 'workflows.programNotStarted')
    : fail('io_error', 'workflows.programNotStartedCode', { code });
}

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

function start(call: GatedCall): Promise<Result<Started>> {
  const words = wordsOf(call);
  if (!words.ok) return Promise.resolve(words);
  const [program, ...args] = words.value;
  return new Promise((resolve) => {
    try {
      const child = spawn(program, args, {
        cwd: call.cwd,
        env: { ...call.env, [markerName]: call.marker },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      });
      const exited = new Promise<{ code: number | null; signal: string | null }>((end) => {
        child.once('exit', (code, signal) => end({ code, signal }));
      });
      child.once('error', (error) => resolve(err(startError(error))));
      child.once('spawn', () => resolve(ok({ child, pid: child.pid ?? 0, exited })));
    } catch (error) {
      resolve(err(startError(error)));
    }
  });
}

/**
 * Writes the line that starts the program, then the input; a large input is streamed, so that it is not held
 * twice.
 */
function feed(stdin: Writable, text: string | null): void {
  if (text === null || text.length === 0) stdin.end('\n');
  else if (text.length <= pieceLength) stdin.end(`\n${text}`);
  else {
    stdin.write('\n');
    pipeline(Readable.from(piecesOf(text, pieceLength)), stdin, () => undefined);
  }
}

/**
 * Lets the program start once its mark is recorded; if recording throws, this throws and the program does
 * nothing.
 */
function release({ child, pid }: Started, call: GatedCall): void {
  // A program need not read its whole input.
  child.stdin?.on('error', () => undefined);
  call.guard.watch(pid, call.number);
  call.spawned(markOf(pid));
  if (child.stdin) feed(child.stdin, call.stdin);
}

async function* outputOf(started: Started, call: GatedCall): AsyncGenerator<Result<ExecEvent>> {
  const { stdout } = started.child;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let bytes = 0;
  try {
    for await (const chunk of (stdout ?? []) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > call.maxBytes) {
        const message = say('workflows.programOutputTooLarge', { n: call.maxBytes });
        yield err(appError('too_large', message));
        return;
      }
      const text = decoder.decode(chunk, { stream: true });
      if (text !== '') yield ok({ type: 'stdout', text });
    }
  } catch {
    // Destroyed, because no reachable process writes any more.
  }
  const rest = decoder.decode();
  if (rest !== '') yield ok({ type: 'stdout', text: rest });
}

const soon = (stream: Readable | null): Promise<void> =>
  new Promise((resolve) => {
    if (!stream || stream.readableEnded || stream.destroyed) return resolve();
    const timer = setTimeout(resolve, drainMs);
    stream.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });

export async function* runGated(
  call: GatedCall,
  signal: AbortSignal,
): AsyncGenerator<Result<ExecEvent>, void, void> {
  const cancelled = err(fail('cancelled', 'workflows.programCancelled'));
  if (signal.aborted) return yield cancelled;
  const begun = await start(call);
  if (!begun.ok) return yield begun;
  const started = begun.value;
  const { child, pid, exited } = started;
  let over = false;
  const end = (): void => {
    endTree({ leader: pid, marker: call.marker });
    child.stdout?.destroy();
  };
  const letGo = endHolders(
    child.stdout,
    exited,
    () => endTree({ leader: pid, marker: call.marker }),
    drainMs,
  );
  signal.addEventListener('abort', end, { once: true });
  try {
    const stderr = tailOf(child.stderr);
    release(started, call);
    if (signal.aborted) end();
    for await (const event of outputOf(started, call)) {
      yield event;
      if (!event.ok) return;
    }
    const ending = await exited;
    over = true;
    await soon(child.stderr);
    yield signal.aborted ? cancelled : ok({ type: 'ended', ...ending, stderr: stderr() });
  } finally {
    signal.removeEventListener('abort', end);
    if (over) endGroup(pid);
    else end();
    await exited;
    letGo();
    child.stderr?.destroy();
    call.guard.forget(pid, call.number);
  }
}
