/**
 * Verifies the history of a run. It promises to report every row that was changed, removed or cut from the
 * end, and every pinned definition and large output that is missing or does not match the hash in the rows.
 */
import { hash } from 'node:crypto';
import {
  brokenAt,
  hashText,
  type NamedText,
  type Sha256,
  textsNamedBy,
} from '../../core/workflows/engine/events.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, textOf } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';
import { eventsOf, headOf } from './workflow-rows.ts';

/** The hash of the event chain. */
export const sha256Bytes: Sha256 = (data) => hash('sha256', data, 'buffer');

const tables = { definition: 'definitions', blob: 'blobs' } as const;

function isThere({ sql }: StoreHandle, { kind, hash }: NamedText): boolean {
  const row = sql(`SELECT text FROM ${tables[kind]} WHERE hash = ?`).get([hash]);
  return row !== undefined && hashText(sha256Bytes, textOf(row, 'text')) === hash;
}

/** The number of the first event that was altered or lost what it names; `null` if all is intact. */
export function brokenEvent(handle: StoreHandle, run: SqlRow): number | null {
  const id = textOf(run, 'id');
  const rows = eventsOf(handle, id, numberOf(run, 'number'), 0);
  const chain = brokenAt(sha256Bytes, id, rows, headOf(run));
  const lost =
    rows.find((row) => textsNamedBy(row.event).some((named) => !isThere(handle, named)))?.seq ?? null;
  return chain === null || lost === null ? (chain ?? lost) : Math.min(chain, lost);
}

/** Number of started runs that are gone: run numbers are assigned once and never reused. */
export function missingRuns({ sql }: StoreHandle): number {
  const row = sql(
    `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'runs'), 0) - (SELECT count(*) FROM runs) AS gone`,
  ).get([]);
  return row ? numberOf(row, 'gone') : 0;
}
