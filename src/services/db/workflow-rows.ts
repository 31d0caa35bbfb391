/**
 * Maps rows of `workflows.db` to the engine's types; a row of another shape means that the file is damaged.
 */
import { gateDecisions, runStatuses } from '../../contract/run-states.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { GateRow, RunRow } from '../../core/workflows/engine/engine-ports.ts';
import type { ChainHead, EventRow, RunEvent } from '../../core/workflows/engine/events.ts';
import { readExact } from '../../core/workflows/pipeline/exact-json.ts';
import type { SqlRow } from './binding.ts';
import { damagedField, numberOf, numberOrNull, oneOf, textOf, textOrNull } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';

export const runOf = (row: SqlRow): RunRow => ({
  id: textOf(row, 'id'),
  definition: textOf(row, 'definition'),
  idempotencyKey: textOrNull(row, 'key'),
  status: oneOf(row, 'status', runStatuses),
  createdAt: numberOf(row, 'created'),
  wakeAt: numberOrNull(row, 'wake'),
  owner: textOrNull(row, 'owner'),
  ...(row.archived === null ? {} : { archivedAt: numberOf(row, 'archived') }),
});

/** Expects the run's id in the joined column `run_id`. */
export const gateFromRow = (row: SqlRow): GateRow => ({
  id: textOf(row, 'id'),
  run: textOf(row, 'run_id'),
  path: textOf(row, 'path'),
  shortId: textOf(row, 'short'),
  tokenHash: textOrNull(row, 'token'),
  contentHash: textOf(row, 'content'),
  votes: numberOf(row, 'votes'),
  decision: row.decision === null ? null : oneOf(row, 'decision', gateDecisions),
});

export const headOf = (row: SqlRow): ChainHead => ({ seq: numberOf(row, 'seq'), hash: textOf(row, 'head') });

/** Text that is not JSON was not written by Kennel. */
function eventIn(row: SqlRow): RunEvent {
  try {
    return readExact(textOf(row, 'event')) as unknown as RunEvent;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw damagedField('event');
  }
}

/** The events of the run with this number after `afterSeq`, in order. A `limit` below 0 means all. */
export function eventsOf(
  { sql }: StoreHandle,
  run: string,
  number: number,
  afterSeq: number,
  limit = -1,
): EventRow[] {
  return sql('SELECT seq, at, event, previous FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?')
    .all([number, afterSeq, limit])
    .map((row) => ({
      run,
      seq: numberOf(row, 'seq'),
      at: numberOf(row, 'at'),
      event: eventIn(row),
      previous: textOf(row, 'previous'),
    }));
}
