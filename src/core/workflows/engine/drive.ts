/** Drives a run as far as it can go now: to its end, a gate, a timer, or a stop. */

import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { assertNever } from '../../lib/assert.ts';
import type { StepResult } from '../file/definition.ts';
import type { RunEndEvent, RunStatus } from './events.ts';
import { withdrawGates } from './gates.ts';
import { keep } from './kept-result.ts';
import { haltOf, type RunContext, type StepFrame, type Walked, waitFor } from './run-context.ts';
import { RunDamaged } from './run-log.ts';
import { isFinished, openGatesOf, type RunState } from './run-state.ts';
import { walkList } from './steps.ts';

export interface DriveOptions {
  /** Stops driving; the run can resume later. */
  readonly signal?: AbortSignal;
  /** Starts no further step, and stops once the running ones have ended. */
  readonly leaving?: AbortSignal;
  /** Longest wait for a timer of the run, in ms; for longer timers the caller drives again at `wakeAt`. */
  readonly patienceMs?: number;
}

export interface Standing {
  readonly state: RunState;
  readonly status: RunStatus;
  readonly wakeAt: number | null;
}

export function finish(
  run: Pick<RunContext, 'log' | 'ports' | 'tokens'>,
  status: RunEndEvent,
  message: HostText | null,
  result: StepResult | null,
): Standing {
  const { log, ports } = run;
  withdrawGates(run, null);
  const kept = result ? keep(ports.sha256, result) : null;
  log.write([{ type: 'run_finished', status, message, output: kept?.place ?? null }], {
    blobs: kept?.blobs ?? [],
    status,
    wakeAt: null,
    release: true,
  });
  return { state: log.state, status, wakeAt: null };
}

/** Ends processes that an interrupted step of a finished run may have left behind. */
async function reapOpen(run: RunContext): Promise<void> {
  for (const step of run.log.state.steps.values()) {
    if (!step.open) continue;
    if (step.process) await run.ports.runners.reap(step.process, run.log.state.id);
    const { path } = step;
    const message = say('workflows.stepCancelled', { step: path });
    run.log.write([{ type: 'step_failed', path, code: 'cancelled', message, retryAt: null }]);
  }
}

function rootFrame(run: RunContext, signal: AbortSignal): StepFrame {
  return {
    prefix: '',
    definition: run.root,
    definitionHash: run.log.state.definition,
    args: run.log.state.args,
    indexes: [],
    loop: {},
    results: new Map(),
    signal,
    depth: 0,
  };
}

function conclude(run: RunContext, walked: Exclude<Walked, { type: 'parked' }>): Standing {
  const { log, ports } = run;
  switch (walked.type) {
    case 'done':
    case 'skip_rest':
      return finish(run, 'ok', null, walked.result);
    case 'failed':
      return finish(run, 'failed', walked.message, null);
    case 'cancelled':
      return finish(run, 'cancelled', walked.message, null);
    case 'stopped': {
      const wakeAt = ports.clock.now();
      log.settle('running', wakeAt, true);
      return { state: log.state, status: 'running', wakeAt };
    }
    default:
      return assertNever(walked);
  }
}

export async function driveRun(
  run: RunContext,
  control: AbortController,
  options: DriveOptions,
): Promise<Standing> {
  try {
    return await goOn(run, control, options);
  } catch (error) {
    if (!(error instanceof RunDamaged)) throw error;
    return finish(run, 'failed', error.said, null);
  }
}

async function goOn(run: RunContext, control: AbortController, options: DriveOptions): Promise<Standing> {
  const { log, ports, broadcast } = run;
  const until = ports.clock.monotonic() + (options.patienceMs ?? 0);
  for (;;) {
    const over = await alreadyOver(run);
    if (over) return over;
    const heard = broadcast.count();
    const walked = await walkList(run, rootFrame(run, control.signal), run.root.steps);
    if (walked.type === 'cancelled') await reapOpen(run);
    if (walked.type !== 'parked') return conclude(run, walked);
    if (isStopped(control.signal)) return conclude(run, { type: 'stopped' });
    if (broadcast.count() > heard || control.signal.aborted) continue;
    const { wakeAt } = walked;
    const stays = staysFor(run, wakeAt, until);
    if (!log.settle('waiting', wakeAt, !stays) || answeredAtOnce(run)) continue;
    if (!stays) return { state: log.state, status: 'waiting', wakeAt };
    await waitFor(run, wakeAt, control.signal);
  }
}

/**
 * An approver may answer as soon as the question is written, before the drive ends. The drive then continues,
 * unless another program claimed the run.
 */
function answeredAtOnce({ ports, log }: RunContext): boolean {
  const { journal, owners } = ports;
  const { id } = log.state;
  const row = journal.run(id);
  if (row?.status !== 'running') return false;
  return row.owner === owners.self || (row.owner === null && journal.claim(id, null, owners.self));
}

/** Waits for a timer that is due soon; never waits for a person. */
function staysFor({ ports, log }: RunContext, wakeAt: number | null, until: number): boolean {
  if (wakeAt === null || openGatesOf(log.state).length > 0) return false;
  return wakeAt - ports.clock.now() <= until - ports.clock.monotonic();
}

const isStopped = (signal: AbortSignal): boolean => signal.aborted && haltOf(signal).why === 'stop';

async function alreadyOver(run: RunContext): Promise<Standing | null> {
  const { log } = run;
  log.refresh();
  if (isFinished(log.state.status)) return { state: log.state, status: log.state.status, wakeAt: null };
  if (!log.state.cancelRequested) return null;
  await reapOpen(run);
  return finish(run, 'cancelled', null, null);
}
