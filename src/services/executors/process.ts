/**
 * Starts a program without a shell, in its own session, with exactly the given environment and input. When
 * `run` returns, no process of it is left: not after a timeout, not after an abort, not after a normal end.
 * Outside Linux, a process that left the group survives a normal end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AppError } from '../../contract/errors.ts';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { ProcessOutcome, ProcessPort, ProcessRequest } from '../../core/tools/process-ports.ts';
import { markerName } from '../../platform/process-marker.ts';
import { endRemaining, endTree, type ProcessTable, systemProcesses } from '../../platform/process-tree.ts';
import { systemErrorCode } from '../../platform/system-error.ts';

/** ms during which remaining children may still write after the program itself ended. */
const drainMs = 100;
/** ms between two looks whether a program is still held. */
const heldMs = 500;

interface Capture {
  readonly chunks: Uint8Array[];
  kept: number;
  total: number;
}

function capture(stream: Readable | null, limit: number, tell: (bytes: Uint8Array) => void): Capture {
  const state: Capture = { chunks: [], kept: 0, total: 0 };
  stream?.on('error', () => undefined);
  stream?.on('data', (chunk: Buffer) => {
    state.total += chunk.length;
    const part = chunk.subarray(0, Math.max(0, limit - state.kept));
    if (part.length === 0) return;
    state.kept += part.length;
    // Copied, because the chunk may be a view of a much larger pool.
    const copy = Uint8Array.from(part);
    state.chunks.push(copy);
    tell(copy);
  });
  return state;
}

export function startError(error: unknown, program: string): AppError {
  const code = systemErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return fail('not_found', 'tools.programOrFolderMissing', {}, { where: program });
  if (code === 'EACCES') {
    return fail('forbidden', 'tools.systemDeniedProgram', {}, { where: program });
  }
  const reason = errorText(error);
  return fail('io_error', 'tools.programNotStarted', { reason }, { where: program });
}

interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * Resolves when the program has ended and its output is read, or after `drainMs` if children keep the output
 * open.
 */
function ended(child: ChildProcess, clock: Clock): Promise<Ending> {
  return new Promise((resolve) => {
    let ending: Ending = { exitCode: null, signal: null };
    child.once('exit', (exitCode, signal) => {
      ending = { exitCode, signal };
      clock.after(drainMs, () => resolve(ending));
    });
    child.once('close', () => resolve(ending));
  });
}

function start(request: ProcessRequest, marker: string): Promise<Result<ChildProcess>> {
  return new Promise((resolve) => {
    const failed = (error: unknown): void => resolve(err(startError(error, request.program)));
    try {
      const child = spawn(request.program, [...request.args], {
        cwd: request.cwd,
        env: { ...request.env, [markerName]: marker },
        stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        shell: false,
        windowsHide: true,
      });
      child.once('error', failed);
      child.once('spawn', () => resolve(ok(child)));
    } catch (error) {
      failed(error);
    }
  });
}

interface ProcessDeps {
  readonly clock: Clock;
  /** The system's by default. */
  readonly processes?: ProcessTable;
}

async function run(
  { clock, processes = systemProcesses }: ProcessDeps,
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<Result<ProcessOutcome>> {
  const cancelled = err(fail('cancelled', 'tools.commandCancelled'));
  if (signal.aborted) return cancelled;
  const marker = randomUUID();
  const begun = clock.monotonic();
  const started = await start(request, marker);
  if (!started.ok) return started;
  const child = started.value;
  const end = (how: typeof endTree | typeof endRemaining): void =>
    child.pid === undefined ? undefined : how({ leader: child.pid, marker }, processes);
  const stop = (): void => end(endTree);
  let timedOut = false;
  const expire = (): void => {
    if (request.isHeld?.()) {
      timer = clock.after(heldMs, expire);
      return;
    }
    timedOut = true;
    stop();
  };
  let timer = clock.after(request.timeoutMs, expire);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  // A program that does not read its input closes it.
  child.stdin?.on('error', () => undefined).end(request.stdin);
  const stdout = capture(child.stdout, request.maxStdoutBytes, (bytes) =>
    request.onOutput?.('stdout', bytes),
  );
  const stderr = capture(child.stderr, request.maxStderrBytes, (bytes) =>
    request.onOutput?.('stderr', bytes),
  );
  const ending = await ended(child, clock);
  timer.cancel();
  signal.removeEventListener('abort', stop);
  end(timedOut || signal.aborted ? endTree : endRemaining);
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (signal.aborted && !timedOut) return cancelled;
  return ok({
    ...ending,
    timedOut,
    stdout: Buffer.concat(stdout.chunks),
    stderr: Buffer.concat(stderr.chunks),
    stdoutBytes: stdout.total,
    stderrBytes: stderr.total,
    durationMs: Math.round(clock.monotonic() - begun),
  });
}

export function createProcessPort(deps: ProcessDeps): ProcessPort {
  return { run: (request, signal) => run(deps, request, signal) };
}
