/**
 * `restore.db`, encrypted: restore points of agents' file changes, snapshots of workspaces, and the contents that
 * they need, each content once under its sha256. It promises that a point with its state before is stored in one
 * durable transaction, and that no content is removed while a point or snapshot needs it.
 */
import { z } from 'zod';
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Log } from '../../core/ports.ts';
import {
  gapReasons,
  type PathChange,
  type PathState,
  pathStateSchema,
  type Snapshot,
} from '../../core/undo/path-state.ts';
import type {
  HostNote,
  OpenPoint,
  PointEnd,
  PointQuery,
  RestorePoint,
  RestoreStore,
} from '../../core/undo/snapshot-port.ts';
import { say } from '../../language/say.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import { areStored, hashesIn, putContent, readContent } from './restore-contents.ts';
import {
  askedBytes,
  neededBySnapshots,
  removeAutomatic,
  type SnapshotLists,
  snapshotsOf,
  snapshotTables,
} from './restore-snapshots.ts';
import { numberOf, textOf, textOrNull } from './row-fields.ts';
import { createStoreFile, type StoreFile, type StoreFileOptions, type StoreHandle } from './store-file.ts';

export type RestoreStoreOptions = StoreFileOptions & { readonly key: Uint8Array };

export const restoreSchema = [
  `
CREATE TABLE points (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, turn_id TEXT NOT NULL,
  thread_key TEXT NOT NULL, at INTEGER NOT NULL, ended_at INTEGER, undone_by TEXT, before_hash TEXT, body TEXT NOT NULL
);
CREATE INDEX points_by_turn ON points (turn_id);
CREATE INDEX points_by_agent ON points (agent_id, seq);
CREATE INDEX points_by_thread ON points (thread_key, seq);
CREATE INDEX points_open ON points (seq) WHERE ended_at IS NULL;
CREATE TABLE changes (
  point_id TEXT NOT NULL, path TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, before_hash TEXT,
  after_hash TEXT, PRIMARY KEY (point_id, path)
) WITHOUT ROWID;
CREATE TABLE contents (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, agent_id TEXT NOT NULL, thread_key TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX notes_by_thread ON notes (agent_id, thread_key);
`,
  snapshotTables,
];

const changeSchema = z.object({ path: z.string(), before: pathStateSchema, after: pathStateSchema });
const bodySchema = z.object({
  callId: z.string(),
  tool: z.string(),
  title: hostTextSchema,
  paths: z.array(z.string()),
  gaps: z.array(z.object({ path: z.string(), why: z.enum(gapReasons) })),
  undoes: z.array(z.string()),
  plan: z.array(changeSchema),
  interrupted: z.boolean().default(false),
});
const manifestSchema = z.array(z.tuple([z.string(), pathStateSchema]));

const hashOf = (state: PathState): string | null => (state.kind === 'file' ? state.hash : null);

function parsed<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  const value = jsonAs(schema, text);
  if (value === null) throw new StoreError('corrupt', say('storage.restorePointDamaged'));
  return value;
}

const stateFrom = (text: string): PathState => parsed(pathStateSchema, text);

type Body = OpenPoint & Pick<RestorePoint, 'interrupted'>;

const bodyOf = ({ callId, tool, title, paths, gaps, undoes, plan, interrupted }: Body): string =>
  JSON.stringify({ callId, tool, title, paths, gaps, undoes, plan, interrupted });

const countOf = (row: SqlRow | undefined): number => (row ? numberOf(row, 'count') : 0);

function pointOf({ sql }: StoreHandle, row: SqlRow, mostChanges = -1): RestorePoint {
  const id = textOf(row, 'id');
  const changes = sql('SELECT path, before, after FROM changes WHERE point_id = ? ORDER BY path LIMIT ?').all(
    [id, mostChanges],
  );
  const isCut = changes.length === mostChanges;
  const counted = isCut && sql('SELECT count(*) AS count FROM changes WHERE point_id = ?').get([id]);
  return {
    ...parsed(bodySchema, textOf(row, 'body')),
    id,
    agentId: textOf(row, 'agent_id'),
    turnId: textOf(row, 'turn_id'),
    threadKey: textOf(row, 'thread_key'),
    at: numberOf(row, 'at'),
    endedAt: row.ended_at === null ? null : numberOf(row, 'ended_at'),
    undoneBy: textOrNull(row, 'undone_by'),
    changes: changes.map((one) => ({
      path: textOf(one, 'path'),
      before: stateFrom(textOf(one, 'before')),
      after: stateFrom(textOf(one, 'after')),
    })),
    changeCount: counted ? countOf(counted) : changes.length,
  };
}

/** Returns the bytes that were stored, or `null` if a content of the state before is not stored. */
function begin(handle: StoreHandle, point: OpenPoint, before: Snapshot): number | null {
  if (!areStored(handle, hashesIn(before.values()))) return null;
  const manifest = Buffer.from(JSON.stringify([...before]));
  const hash = sha256Hex(manifest);
  const stored = putContent(handle, hash, manifest);
  handle
    .sql(
      'INSERT INTO points (id, agent_id, turn_id, thread_key, at, before_hash, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run([point.id, point.agentId, point.turnId, point.threadKey, point.at, hash, bodyOf(point)]);
  return stored;
}

function insertChange({ sql }: StoreHandle, id: string, { path, before, after }: PathChange): void {
  sql(
    'INSERT INTO changes (point_id, path, before, after, before_hash, after_hash) VALUES (?, ?, ?, ?, ?, ?)',
  ).run([id, path, JSON.stringify(before), JSON.stringify(after), hashOf(before), hashOf(after)]);
}

function end(handle: StoreHandle, id: string, ended: PointEnd): void {
  const { sql } = handle;
  const row = sql('SELECT * FROM points WHERE id = ? AND ended_at IS NULL').get([id]);
  if (!row) return;
  if (ended.changes.length === 0) {
    sql('DELETE FROM points WHERE id = ?').run([id]);
    return;
  }
  const point = pointOf(handle, row);
  for (const change of ended.changes) insertChange(handle, id, change);
  const { gaps, interrupted = false } = ended;
  const body = bodyOf({ ...point, gaps, plan: [], interrupted });
  sql('UPDATE points SET ended_at = ?, before_hash = NULL, body = ? WHERE id = ?').run([ended.at, body, id]);
  if (point.undoes.length > 0) markUndone(handle, id, point.undoes, ended.kept ?? []);
}

/** A point with a change to a kept path stays in force. */
function markUndone(
  { sql }: StoreHandle,
  id: string,
  undoes: readonly string[],
  kept: readonly string[],
): void {
  const undone = `SELECT u.value FROM json_each(?) u WHERE NOT EXISTS (
    SELECT 1 FROM changes WHERE point_id = u.value AND path IN (SELECT value FROM json_each(?)))`;
  const params = [JSON.stringify(undoes), JSON.stringify(kept)];
  sql(`UPDATE points SET undone_by = NULL WHERE undone_by IN (${undone})`).run(params);
  sql(`UPDATE points SET undone_by = ? WHERE id IN (${undone})`).run([id, ...params]);
}

/** `null` if the point or its state before cannot be read: without them nothing can be settled. */
function openPoint(handle: StoreHandle, row: SqlRow): ReturnType<RestoreStore['open']>[number] | null {
  const manifest = readContent(handle, textOf(row, 'before_hash'));
  const before = manifest && jsonAs(manifestSchema, Buffer.from(manifest).toString());
  if (!before || jsonAs(bodySchema, textOf(row, 'body')) === null) return null;
  return { point: pointOf(handle, row), before: new Map(before) };
}

function openPoints(handle: StoreHandle, log: Log): ReturnType<RestoreStore['open']> {
  const rows = handle.sql('SELECT * FROM points WHERE ended_at IS NULL ORDER BY seq').all();
  return rows.flatMap((row) => {
    const open = openPoint(handle, row);
    if (open) return open;
    const id = textOf(row, 'id');
    log.warn('restore_point_lost', { id });
    removePoints(handle, [id]);
    return [];
  });
}

function list(handle: StoreHandle, query: PointQuery): readonly RestorePoint[] {
  const { ids, prefix, agentId, turnId, before, limit, mostChanges } = query;
  const clauses: string[] = [];
  const params: SqlValue[] = [];
  const where = (clause: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    clauses.push(clause);
    params.push(value);
  };
  where('id IN (SELECT value FROM json_each(?))', ids && JSON.stringify(ids));
  where('id >= ?', prefix);
  where('id < ?', prefix === undefined ? undefined : `${prefix}\u{10ffff}`);
  where('agent_id = ?', agentId);
  where('turn_id = ?', turnId);
  where('seq < (SELECT seq FROM points WHERE id = ?)', before);
  const filter = clauses.length > 0 ? `WHERE ${clauses.join(' AND ')}` : '';
  return handle
    .sql(`SELECT * FROM points ${filter} ORDER BY seq DESC LIMIT ?`)
    .all([...params, limit])
    .map((row) => pointOf(handle, row, mostChanges));
}

const neededSql = `SELECT before_hash FROM changes WHERE before_hash IS NOT NULL
  UNION SELECT after_hash FROM changes WHERE after_hash IS NOT NULL`;

const storedBytes = ({ sql }: StoreHandle): number =>
  countOf(
    sql(`SELECT (SELECT coalesce(sum(size), 0) FROM contents) + (SELECT coalesce(sum(length(body)), 0) FROM points)
      + (SELECT coalesce(sum(length(path) + length(before) + length(after)), 0) FROM changes) AS count`).get(),
  );

function removePoints({ sql }: StoreHandle, ids: readonly string[]): void {
  for (const id of ids) {
    sql('DELETE FROM changes WHERE point_id = ?').run([id]);
    sql('DELETE FROM points WHERE id = ?').run([id]);
  }
}

/** Points removed at first; twice as many each time, so that the contents are searched a few times only. */
const fewestPoints = 20;
const mostPoints = 640;

/** An open point needs contents that only its snapshot names, so nothing is removed while one is open. */
function collect(
  handle: StoreHandle,
  { olderThan, maxBytes }: { olderThan: number; maxBytes: number },
): boolean {
  const { sql } = handle;
  if (sql('SELECT 1 FROM points WHERE ended_at IS NULL LIMIT 1').get()) return false;
  const ids = (rows: readonly SqlRow[]): string[] => rows.map((row) => textOf(row, 'id'));
  removePoints(handle, ids(sql('SELECT id FROM points WHERE at < ?').all([olderThan])));
  removeAutomatic(handle, olderThan);
  const lists: SnapshotLists = new Map();
  removeUnneeded(handle, lists);
  // Snapshots that a person asked for do not take the room of restore points.
  const most = Math.max(maxBytes, askedBytes(handle, lists) + maxBytes / 4);
  for (let count = fewestPoints; storedBytes(handle) > most; count = Math.min(count * 2, mostPoints)) {
    const oldest = sql('SELECT id, at FROM points ORDER BY seq LIMIT ?').all([count]);
    const last = oldest.at(-1);
    removePoints(handle, ids(oldest));
    const removed = removeAutomatic(handle, last ? numberOf(last, 'at') : Number.MAX_SAFE_INTEGER);
    if (oldest.length === 0 && removed === 0) break;
    removeUnneeded(handle, lists);
  }
  return true;
}

function removeUnneeded(handle: StoreHandle, lists: SnapshotLists): void {
  const bySnapshots = JSON.stringify([...neededBySnapshots(handle, 'all', lists)]);
  handle
    .sql(
      `DELETE FROM contents WHERE hash NOT IN (${neededSql}) AND hash NOT IN (SELECT value FROM json_each(?))`,
    )
    .run([bySnapshots]);
}

const noteOf = (row: SqlRow): HostNote => ({ id: numberOf(row, 'id'), text: textOf(row, 'text') });

function notesOf(file: StoreFile): Pick<RestoreStore, 'addNote' | 'notes' | 'removeNotes'> {
  return {
    addNote: (agentId, threadKey, text) =>
      file.write(({ sql }) => {
        sql('INSERT INTO notes (agent_id, thread_key, text) VALUES (?, ?, ?)').run([
          agentId,
          threadKey,
          text,
        ]);
      }),
    notes: (agentId, threadKey) =>
      file.use(({ sql }) =>
        sql('SELECT id, text FROM notes WHERE agent_id = ? AND thread_key = ? ORDER BY id')
          .all([agentId, threadKey])
          .map(noteOf),
      ),
    removeNotes: (ids) =>
      file.write(({ sql }) => {
        for (const id of ids) sql('DELETE FROM notes WHERE id = ?').run([id]);
      }),
  };
}

export function openRestoreStore(options: RestoreStoreOptions): RestoreStore {
  let generation = 0;
  let added = 0;
  // The state before of a salvaged open point may be incomplete.
  const file = createStoreFile(options, restoreSchema, ({ sql }) => {
    sql('DELETE FROM points WHERE ended_at IS NULL').run();
  });
  return {
    get generation() {
      return generation;
    },
    get added() {
      return added;
    },
    put(contents) {
      added += file.write((handle) =>
        contents.reduce((sum, { hash, bytes }) => sum + putContent(handle, hash, bytes), 0),
      );
    },
    read: (hash) => file.use((handle) => readContent(handle, hash)),
    begin(point, before) {
      const stored = file.write((handle) => begin(handle, point, before));
      added += stored ?? 0;
      return stored !== null;
    },
    end: (id, ended) => file.write((handle) => end(handle, id, ended)),
    open: () => file.write((handle) => openPoints(handle, options.log)),
    list: (query) => file.use((handle) => list(handle, query)),
    collect(limits) {
      if (!file.write((handle) => collect(handle, limits))) return;
      generation += 1;
      added = 0;
    },
    ...snapshotsOf(file, (bytes) => {
      added += bytes;
    }),
    ...notesOf(file),
    release: () => file.release(),
  };
}
