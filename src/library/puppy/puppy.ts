/** Starts, answers and drives runs over one state folder; shared by the command line and the library. */

import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { findGate, type GateName, type GateReply } from '../../core/workflows/engine/answer-gate.ts';
import { argumentsFrom } from '../../core/workflows/engine/arguments.ts';
import { type Envelope, refusedEnvelope } from '../../core/workflows/engine/envelope.ts';
import { tokenHash } from '../../core/workflows/engine/gates.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { confinedFolder } from '../../services/workflows/confined-folder.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { fitPrintedEnvelope, refusalEnvelope } from './fit-envelope.ts';
import { type ReadSource, readSource, type WorkflowSource } from './read-source.ts';
import type { StandaloneRuntime } from './standalone-runtime.ts';

export interface Limits {
  /**
   * ms limit of this call, unlimited if absent. At the limit running steps are ended and the run is
   * cancelled.
   */
  readonly timeoutMs?: number;
  readonly maxStdoutBytes?: number;
  /** ms to wait for timers of the run (a sleep, a retry); longer ones are reported as `waiting`. */
  readonly patienceMs?: number;
  /** Interrupts the run, which can be resumed. */
  readonly signal?: AbortSignal;
}

export interface RunRequest extends Limits {
  readonly args?: Readonly<Record<string, unknown>>;
  /** The same as JSON text. */
  readonly argsJson?: string;
  /** Relative to the root, and inside it. */
  readonly cwd?: string;
  /** The user who requested the run, if known. */
  readonly initiatedBy?: string | null;
  /** A second start under the same key returns the first run. */
  readonly idempotencyKey?: string;
}

export interface ResumeRequest extends Limits {
  readonly by: GateName;
  readonly answer: GateReply | { readonly type: 'cancel_run' };
  readonly approvedBy: string | null;
}

export const argumentsOf = ({
  args,
  argsJson = '',
}: RunRequest): Result<{ readonly [name: string]: Json }> =>
  argsJson === '' ? ok((args ?? {}) as { readonly [name: string]: Json }) : argumentsFrom(argsJson);

/** ms between checks for changes by other processes, such as a cancellation. */
const lookMs = 500;

/** Drives a run within its limits and returns its state. */
export async function driveWithin(
  { engine }: StandaloneRuntime,
  run: string,
  limits: Limits,
): Promise<Envelope> {
  const { timeoutMs, signal, maxStdoutBytes } = limits;
  let late = false;
  const timer =
    timeoutMs === undefined
      ? null
      : setTimeout(() => {
          late = true;
          // A disk error is reported by the call that drives the run.
          engine.cancel(run, null).catch(() => undefined);
        }, timeoutMs);
  const look = setInterval(() => {
    try {
      engine.wake(run);
    } catch {
      // A disk error is reported by the call that drives the run.
    }
  }, lookMs);
  look.unref();
  try {
    const patienceMs = limits.patienceMs ?? timeoutMs ?? 0;
    const told = await engine.answer(run, { ...(signal ? { signal } : {}), patienceMs });
    if (late && told.ok && told.status === 'cancelled') return timedOut(run, timeoutMs ?? 0);
    return maxStdoutBytes === undefined ? told : fitPrintedEnvelope(told, maxStdoutBytes);
  } finally {
    if (timer) clearTimeout(timer);
    clearInterval(look);
  }
}

const timedOut = (runId: string, ms: number): Envelope => ({
  protocolVersion: 1,
  ok: false,
  error: {
    type: 'runtime_error',
    message: `puppy timed out after ${ms}ms. What ran was ended, and the run was cancelled.`,
  },
  runId,
});

export function startRun(
  { engine }: StandaloneRuntime,
  source: ReadSource,
  request: RunRequest,
): Result<string> {
  const args = argumentsOf(request);
  if (!args.ok) return args;
  const { initiatedBy = null, idempotencyKey } = request;
  const { definition, children, origin } = source;
  const started = engine.begin({
    definition,
    children,
    origin,
    args: args.value,
    initiatedBy,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  return started.ok ? ok(started.value.id) : started;
}

export function readRequest(source: WorkflowSource, root: string, cwd?: string): Result<ReadSource> {
  const folder = cwd === undefined || cwd === '' ? ok(realpathSync(root)) : confinedFolder(root, cwd);
  return folder.ok ? readSource(source, folder.value) : folder;
}

export async function runIn(
  runtime: StandaloneRuntime,
  source: ReadSource,
  request: RunRequest,
): Promise<Envelope> {
  const started = startRun(runtime, source, request);
  return started.ok ? driveWithin(runtime, started.value, request) : refusalEnvelope(started.error);
}

/** The run of a gate, for an answer that ends the run. */
function runOf({ journal }: StandaloneRuntime, by: GateName): Result<string> {
  if ('token' in by && tokenHash(sha256, by.token) === null)
    return err(fail('invalid_input', 'workflows.invalidToken'));
  const row = findGate(journal, sha256, by);
  return row && row.decision === null ? ok(row.run) : err(fail('not_found', 'workflows.resumeStateNotFound'));
}

export async function cancelRun(
  runtime: StandaloneRuntime,
  run: string,
  by: string | null,
): Promise<Envelope> {
  const { engine, journal } = runtime;
  const cancelled = await engine.cancel(run, by);
  if (cancelled.ok) return driveWithin(runtime, run, {});
  const row = journal.run(run);
  if (!row || isFinished(row.status) || cancelled.error.code !== 'conflict')
    return refusalEnvelope(cancelled.error);
  // Another process drives the run and polls for the cancellation within a second.
  for (let tries = 0; tries < 50 && !isFinished(journal.run(run)?.status ?? 'ok'); tries += 1) {
    await sleep(100);
  }
  return driveWithin(runtime, run, {});
}

export async function resumeIn(runtime: StandaloneRuntime, request: ResumeRequest): Promise<Envelope> {
  const { by, answer, approvedBy } = request;
  if (answer.type === 'cancel_run') {
    const run = runOf(runtime, by);
    return run.ok ? cancelRun(runtime, run.value, approvedBy) : refusalEnvelope(run.error);
  }
  const actor = { kind: 'person', id: approvedBy } as const;
  const decided = runtime.engine.decide({ by, actor, answer });
  if (!decided.ok) return refusedEnvelope(decided.error);
  return driveWithin(runtime, decided.value.run, request);
}
