/**
 * Forks a run from a step: a new run with the same definition and arguments copies the results of earlier
 * steps. History is never rewritten, and no answer counts twice. An approval belongs to its own run, so a
 * fork asks again and copies nothing that depends on an answer which may change.
 */
import { type AppError, appError, textError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import type { WorkflowDefinition } from '../file/definition.ts';
import type { EnginePorts, NewRun, RunRow } from './engine-ports.ts';
import { brokenAt, type ForkOrigin, type Person, type RunEvent } from './events.ts';
import { createForkPlanner, type ForkPlanner } from './fork-plan.ts';
import { newRow } from './new-run.ts';
import { pinned, RunDamaged } from './run-log.ts';
import { foldRun, isFinished, type RunState } from './run-state.ts';

export interface ForkRequest {
  readonly run: string;
  /** A path that the run reached; `null` for the beginning. */
  readonly from: string | null;
  /** Requester of the fork. The new run has the rights of the first run's initiator. */
  readonly by: Person;
  readonly idempotencyKey?: string;
}

export const notEnded = fail('conflict', 'workflows.runNotEnded', {}, { help: 'workflows.cancelOrWait' });

const notWhole = fail('corrupt', 'workflows.historyIncomplete');

const refuse = (message: HostMessage, hint: HostMessage) => err(appError('conflict', message, { hint }));

export function plannerOf(
  { journal, sha256 }: Pick<EnginePorts, 'journal' | 'sha256'>,
  state: RunState,
): ForkPlanner {
  const child = (hash: string): WorkflowDefinition => pinned(sha256, hash, journal.definition(hash));
  return createForkPlanner({ state, definition: child(state.definition), child });
}

export const noRun = (run: string): AppError => fail('not_found', 'workflows.unknownRun', { id: run });

const isSame = (known: ForkOrigin | null, wanted: ForkOrigin): boolean =>
  known?.run === wanted.run && known.from === wanted.from;

interface Ended {
  readonly row: RunRow;
  readonly state: RunState;
  readonly planner: ForkPlanner;
}

/** Calls `work` for a run that has ended and whose history and definitions are intact. */
export function planning<T>(ports: EnginePorts, run: string, work: (ended: Ended) => Result<T>): Result<T> {
  const { journal, sha256 } = ports;
  const row = journal.run(run);
  if (!row) return err(noRun(run));
  if (!isFinished(row.status)) return err(notEnded);
  const rows = journal.events(run, 0);
  const state = foldRun(run, rows);
  if (brokenAt(sha256, run, rows) !== null || !isFinished(state.status)) return err(notWhole);
  try {
    return work({ row, state, planner: plannerOf(ports, state) });
  } catch (error) {
    if (!(error instanceof RunDamaged)) throw error;
    return err(textError('corrupt', error.said));
  }
}

export const forkRun = (ports: EnginePorts, request: ForkRequest): Result<RunRow> =>
  planning(ports, request.run, ({ row, state, planner }) => {
    const { from, by, idempotencyKey } = request;
    const plan = planner.plan(from);
    if (!plan.ok) return plan;
    const { definition } = row;
    const { children, args, initiatedBy, origin } = state;
    const next = newRow(ports, definition, idempotencyKey);
    const event: RunEvent = {
      type: 'run_created',
      definition,
      children,
      args,
      initiatedBy,
      ...(origin ? { origin } : {}),
      forkedFrom: { run: row.id, from, by, taken: plan.value.taken },
    };
    return begunOnce(ports, { row: next, definitions: [], event }, { run: row.id, from, by });
  });

/**
 * Both histories record the fork in one transaction, so a crash cannot separate them. A repeated request
 * returns the first fork.
 */
function begunOnce({ journal }: EnginePorts, wanted: NewRun, origin: ForkOrigin): Result<RunRow> {
  const { row } = wanted;
  const told: RunEvent = { type: 'run_forked', run: row.id, from: origin.from, by: origin.by };
  const created = journal.create({ ...wanted, tells: { run: origin.run, event: told } });
  if (created.id === row.id) return ok(row);
  const known = foldRun(created.id, journal.events(created.id, 0)).forkedFrom;
  return isSame(known, origin)
    ? ok(created)
    : refuse(say('workflows.forkKeyTaken'), say('workflows.useAnotherKey'));
}
