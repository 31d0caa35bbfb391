/**
 * `workflows.db`: the event history of every run, on SQLite with fsync at every commit but unsynced writes. It promises that each
 * call is one transaction, that several programs may share the file, and that a run whose history a fault has
 * shortened never continues: its history stays readable, and the run has failed.
 */
import { type AppError, messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import {
  eventsIn,
  type GateChange,
  type HeldEvent,
  type Journal,
  type JournalWrite,
  type NewRun,
  type RunRow,
  type RunToBe,
} from '../../core/workflows/engine/engine-ports.ts';
import { type ChainHead, chainRows, chainStart, type EventRow } from '../../core/workflows/engine/events.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import { stringifyExact } from '../../core/workflows/pipeline/exact-json.ts';
import type { RunHistory } from '../../core/workflows/views/run-history.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, textOf, textOrNull } from './row-fields.ts';
import { createStoreFile, type StoreFile, type StoreFileOptions, type StoreHandle } from './store-file.ts';
import { archiveRuns, runsEndedBefore } from './workflow-archive.ts';
import { followedFile, refuseForeignFile } from './workflow-file.ts';
import { pastRuns } from './workflow-past.ts';
import { eventsOf, gateFromRow, headOf, runOf } from './workflow-rows.ts';
import { workflowSchema } from './workflow-schema.ts';
import { foundRuns, readInWords } from './workflow-search-index.ts';
import { brokenEvent, missingRuns, sha256Bytes } from './workflow-verify.ts';

export interface WorkflowJournal extends Journal, RunHistory {
  /** The run that was started with this idempotency key, or `null` if none. */
  keyed(key: string): RunRow | null;
  /** All of them or none; `conflict` for a run that has not ended. */
  archive(ids: readonly string[], archived: boolean, now: number): Result<void>;
  /** At most 5,000 finished runs outside the archive that ended before this time in ms. */
  endedBefore(before: number): readonly string[];
  /** Number of runs deleted from the file. */
  missingRuns(): number;
  /** Closes the file; the next call opens it again. */
  release(): void;
}

const conflict = () => err(fail('conflict', 'storage.alreadyDecided'));
const damaged = (run: string) => err(fail('corrupt', 'storage.runHistoryDamaged', {}, { where: run }));

/** Thrown to roll back a transaction that has begun to write. */
class Undone extends Error {}

const unfinished = "status IN ('running', 'waiting')";

/** Each half uses an index of its own. */
export const dueSql = `SELECT * FROM (
    SELECT * FROM runs INDEXED BY runs_by_status WHERE status = 'running'
    UNION ALL SELECT * FROM runs INDEXED BY runs_due WHERE status = 'waiting' AND wake IS NOT NULL AND wake <= ?
  ) ORDER BY number`;
const gateSql = 'SELECT g.*, r.id AS run_id FROM gates g JOIN runs r ON r.number = g.run';
export const gateByTokenSql = `${gateSql} WHERE g.token = ?`;
export const gateByShortSql = `${gateSql} WHERE g.short = ? AND g.decision IS NULL LIMIT 2`;
export const openGatesOfSql = `${gateSql} WHERE r.id = ? AND g.decision IS NULL ORDER BY g.rowid`;
const useSql = `UPDATE gates SET votes = votes + :more, token = :next, decision = :decision
  WHERE id = :gate AND decision IS NULL AND content = :content AND votes = :votes AND (:token IS NULL OR token = :token)`;

const rowOf = ({ sql }: StoreHandle, run: string): SqlRow | undefined =>
  sql('SELECT * FROM runs WHERE id = ?').get([run]);

function addEvents(
  { sql }: StoreHandle,
  run: string,
  number: number,
  head: ChainHead,
  events: readonly HeldEvent[],
): { readonly rows: readonly EventRow[]; readonly head: ChainHead } {
  const added = chainRows(sha256Bytes, run, head, events);
  const insert = sql('INSERT INTO events (run, seq, at, event, previous) VALUES (?, ?, ?, ?, ?)');
  for (const row of added.rows) {
    insert.run([number, row.seq, row.at, stringifyExact(row.event as never), row.previous]);
  }
  return added;
}

/** Inserts the run without any event. */
function addRun({ sql }: StoreHandle, { row, definitions }: RunToBe): void {
  const define = sql('INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)');
  for (const { hash, text } of definitions) define.run([hash, text]);
  const start = chainStart(sha256Bytes, row.id);
  sql(
    `INSERT INTO runs (id, definition, key, status, created, wake, owner, seq, head)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run([
    row.id,
    row.definition,
    row.idempotencyKey,
    row.status,
    row.createdAt,
    row.wakeAt,
    row.owner,
    start.seq,
    start.hash,
  ]);
}

function keyedRun({ sql }: StoreHandle, key: string): RunRow | null {
  const row = sql('SELECT * FROM runs WHERE key = ?').get([key]);
  return row ? runOf(row) : null;
}

function create(handle: StoreHandle, { event, tells, ...run }: NewRun): RunRow {
  const { id, idempotencyKey, createdAt } = run.row;
  const known = idempotencyKey === null ? null : keyedRun(handle, idempotencyKey);
  if (known) return known;
  append(handle, { run: id, creates: run, at: createdAt, afterSeq: 0, events: [event] });
  if (!tells) return run.row;
  const afterSeq = Number.MAX_SAFE_INTEGER;
  const told = append(handle, { run: tells.run, at: createdAt, afterSeq, events: [tells.event] });
  if (!told.ok) throw new StoreError('corrupt', messageOf(told.error));
  return run.row;
}

/** Returns false if the gate was already decided, or its token already used. */
function changeGate({ sql }: StoreHandle, run: number, change: GateChange): boolean {
  switch (change.type) {
    case 'open': {
      const { id, path, shortId, tokenHash, contentHash, votes, decision } = change.row;
      sql(
        'INSERT INTO gates (id, run, path, short, token, content, votes, decision) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ).run([id, run, path, shortId, tokenHash, contentHash, votes, decision]);
      return true;
    }
    case 'token':
      return (
        sql('UPDATE gates SET token = ? WHERE id = ? AND decision IS NULL').run([
          change.tokenHash,
          change.gate,
        ]).changes > 0
      );
    case 'use': {
      const { gate, contentHash: content, votes, decision, nextTokenHash: next, tokenHash: token } = change;
      const more = decision === null ? 1 : 0;
      return sql(useSql).run({ gate, content, votes, decision, next, token, more }).changes > 0;
    }
  }
}

/**
 * True if the run has another owner or status than the writer expects, unexpected rows in between, or fewer
 * rows than the writer has seen.
 */
function contradicts(row: SqlRow, { seq }: ChainHead, write: JournalWrite): boolean {
  const { owner, exact, afterSeq, standing } = write;
  if (exact && seq !== afterSeq) return true;
  if (standing && !standing.some((status) => status === row.status)) return true;
  return owner !== undefined && (row.owner !== owner || afterSeq > seq);
}

/** Updates status, due time and owner. Most writes change none of them, and then no index is rewritten. */
function stand({ sql }: StoreHandle, row: SqlRow, { status, wakeAt, release }: JournalWrite): void {
  if (status === undefined && wakeAt === undefined && !release) return;
  const wake = wakeAt === undefined ? (row.wake ?? null) : wakeAt;
  const owner = release ? null : textOrNull(row, 'owner');
  // Work that starts again leaves the archive.
  const archived = status === undefined || isFinished(status) ? (row.archived ?? null) : null;
  sql('UPDATE runs SET status = ?, wake = ?, owner = ?, archived = ? WHERE number = ?').run([
    status ?? textOf(row, 'status'),
    wake,
    owner,
    archived,
    numberOf(row, 'number'),
  ]);
}

function append(handle: StoreHandle, write: JournalWrite): Result<readonly EventRow[]> {
  if (write.creates) addRun(handle, write.creates);
  const row = rowOf(handle, write.run);
  if (!row) return conflict();
  if (row.broken !== 0) return damaged(write.run);
  const head = headOf(row);
  if (contradicts(row, head, write)) return conflict();
  const number = numberOf(row, 'number');
  for (const change of write.gates ?? []) {
    if (!changeGate(handle, number, change)) throw new Undone();
  }
  const blob = handle.sql('INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)');
  for (const { hash, text } of write.blobs ?? []) blob.run([hash, text]);
  const added = addEvents(handle, write.run, number, head, eventsIn(write));
  handle
    .sql('UPDATE runs SET seq = ?, head = ? WHERE number = ?')
    .run([added.head.seq, added.head.hash, number]);
  stand(handle, row, write);
  if (write.afterSeq > head.seq) return ok([]);
  const between =
    write.afterSeq < head.seq ? eventsOf(handle, write.run, number, write.afterSeq) : added.rows;
  return ok(between);
}

function appendRows(file: StoreFile, write: JournalWrite): Result<readonly EventRow[]> {
  try {
    const work = (handle: StoreHandle) => append(handle, write);
    return write.unsynced ? file.writeUnsynced(work) : file.write(work);
  } catch (error) {
    if (error instanceof Undone) return conflict();
    throw error;
  }
}

/** Fails the runs that lost events: a run without its whole history would repeat what it has done. */
function endShortened(handle: StoreHandle): void {
  const { db, sql } = handle;
  db.transaction(() => {
    for (const row of sql(`SELECT * FROM runs WHERE ${unfinished}`).all()) {
      if (brokenEvent(handle, row) === null) continue;
      const number = numberOf(row, 'number');
      sql("UPDATE runs SET broken = 1, status = 'failed', wake = NULL WHERE number = ?").run([number]);
      sql("UPDATE gates SET decision = 'withdrawn', token = NULL WHERE run = ? AND decision IS NULL").run([
        number,
      ]);
    }
    // A gate whose run is lost is useless here; the quarantined file still has it.
    sql('DELETE FROM gates WHERE run NOT IN (SELECT number FROM runs)').run();
    // The search index is rebuilt and not copied.
    sql('UPDATE runs SET worded = 0').run();
    sql('DELETE FROM reworded').run();
    sql('DELETE FROM words').run();
  });
}

function runRows(file: StoreFile): Pick<Journal, 'create' | 'run' | 'runs' | 'due' | 'events' | 'claim'> {
  return {
    create: (run) => file.write((handle) => create(handle, run)),
    run: (id) =>
      file.use((handle) => {
        const row = rowOf(handle, id);
        return row ? runOf(row) : null;
      }),
    runs: ({ status, limit }) =>
      file.use(({ sql }) => {
        const where = status === undefined ? '' : 'WHERE status = :status';
        const params = status === undefined ? { limit } : { limit, status };
        return sql(`SELECT * FROM runs ${where} ORDER BY number DESC LIMIT :limit`).all(params).map(runOf);
      }),
    due: (now) => file.use(({ sql }) => sql(dueSql).all([now]).map(runOf)),
    events: (run, afterSeq, limit) =>
      file.use((handle) => {
        const row = handle.sql('SELECT number FROM runs WHERE id = ?').get([run]);
        return row ? eventsOf(handle, run, numberOf(row, 'number'), afterSeq, limit) : [];
      }),
    claim: (run, expected, owner) =>
      file.write(
        ({ sql }) =>
          sql('UPDATE runs SET owner = ? WHERE id = ? AND owner IS ? AND broken = 0').run([
            owner,
            run,
            expected,
          ]).changes > 0,
      ),
  };
}

function gateRows(file: StoreFile): Pick<Journal, 'gate' | 'gateByToken' | 'gateByShortId' | 'openGates'> {
  const one = (sql: string, param: string) =>
    file.use((handle) => {
      const [row, second] = handle.sql(sql).all([param]);
      return row && !second ? gateFromRow(row) : null;
    });
  return {
    gate: (id) => one(`${gateSql} WHERE g.id = ?`, id),
    gateByToken: (hash) => one(gateByTokenSql, hash),
    // If two gates share the short id, neither is certain to be meant.
    gateByShortId: (shortId) => one(gateByShortSql, shortId),
    openGates: (run) =>
      file.use(({ sql }) =>
        (run === undefined
          ? sql(`${gateSql} WHERE g.decision IS NULL ORDER BY g.rowid`).all()
          : sql(openGatesOfSql).all([run])
        ).map(gateFromRow),
      ),
  };
}

function textRows(file: StoreFile): Pick<Journal, 'definition' | 'blob' | 'value' | 'setValue'> {
  const text = (sql: string, param: string): string | null =>
    file.use((handle) => {
      const row = handle.sql(sql).get([param]);
      return row ? textOf(row, 'text') : null;
    });
  return {
    definition: (hash) => text('SELECT text FROM definitions WHERE hash = ?', hash),
    blob: (hash) => text('SELECT text FROM blobs WHERE hash = ?', hash),
    value: (key) => text('SELECT text FROM data WHERE name = ?', key),
    setValue: (key, value) =>
      file.write(({ sql }) => {
        sql(
          'INSERT INTO data (name, text) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET text = excluded.text',
        ).run([key, value]);
      }),
  };
}

const asAppError = (error: unknown): AppError => {
  if (error instanceof StoreError) return error.toAppError();
  throw error;
};

/** Opens the file at once, so that an unusable disk or file is reported before a run starts. */
export function openWorkflowJournal(options: StoreFileOptions): Result<WorkflowJournal> {
  const foreign = options.key === null ? refuseForeignFile(options.path) : null;
  if (foreign) return err(foreign);
  const file = followedFile(options.path, createStoreFile(options, workflowSchema, endShortened));
  try {
    file.use(() => undefined);
  } catch (error) {
    file.release();
    return err(asAppError(error));
  }
  return ok({
    ...runRows(file),
    ...gateRows(file),
    ...textRows(file),
    append: (write) => appendRows(file, write),
    brokenAt: (run) =>
      file.use((handle) => {
        const row = rowOf(handle, run);
        return row ? brokenEvent(handle, row) : null;
      }),
    keyed: (key) => file.use((handle) => keyedRun(handle, key)),
    past: (query) => file.use((handle) => pastRuns(handle, query)),
    archive: (ids, archived, now) => file.write((handle) => archiveRuns(handle, ids, archived, now)),
    endedBefore: (before) => file.use((handle) => runsEndedBefore(handle, before)),
    readInWords: () => file.write(readInWords),
    found: (query) => file.use((handle) => foundRuns(handle, query)),
    missingRuns: () => file.use(missingRuns),
    release: () => file.release(),
  });
}
