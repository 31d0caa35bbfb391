/**
 * Whether the history of a run is as it was written. It promises to tell of every row that was changed, taken out or cut from
 * the end, and of every pinned definition and large output that is gone or is not the one whose hash the rows name.
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

/** What rows are chained with. */
export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');

const tables = { definition: 'definitions', blob: 'blobs' } as const;

function isThere({ sql }: StoreHandle, { kind, hash }: NamedText): boolean {
  const row = sql(`SELECT text FROM ${tables[kind]} WHERE hash = ?`).get([hash]);
  return row !== undefined && hashText(sha256, textOf(row, 'text')) === hash;
}

/** The number of the first event that is not as it was written, or lost what it names; null: all is whole. */
export function brokenEvent(handle: StoreHandle, run: SqlRow): number | null {
  const id = textOf(run, 'id');
  const rows = eventsOf(handle, id, numberOf(run, 'number'), 0);
  const chain = brokenAt(sha256, id, rows, headOf(run));
  const lost =
    rows.find((row) => textsNamedBy(row.event).some((named) => !isThere(handle, named)))?.seq ?? null;
  return chain === null || lost === null ? (chain ?? lost) : Math.min(chain, lost);
}

/** How many runs were begun that are not there any more: their numbers were given out, and are never given again. */
export function missingRuns({ sql }: StoreHandle): number {
  const row = sql(
    `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'runs'), 0) - (SELECT count(*) FROM runs) AS gone`,
  ).get([]);
  return row ? numberOf(row, 'gone') : 0;
}
