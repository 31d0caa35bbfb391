/**
 * Snapshots of workspaces in `restore.db`. The states of one folder are one content, which names the contents of
 * the folders below: so a snapshot adds only the folders that changed, and is stored in one transaction.
 */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import { snapshotReasonNames } from '../../contract/snapshot-methods.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import { type PathState, pathStateSchema, type Snapshot } from '../../core/undo/path-state.ts';
import type {
  SnapshotQuery,
  WorkspaceSnapshot,
  WorkspaceSnapshotStore,
} from '../../core/undo/snapshot-port.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { SqlRow } from './binding.ts';
import { areStored, hashesIn, putContent, readContent } from './restore-contents.ts';
import { numberOf, oneOf, textOf, textOrNull } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';

export const snapshotTables = `
CREATE TABLE snapshots (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, label TEXT,
  reason TEXT NOT NULL, turn_id TEXT NOT NULL, at INTEGER NOT NULL, root_hash TEXT NOT NULL, body TEXT NOT NULL
);
CREATE UNIQUE INDEX snapshots_by_label ON snapshots (agent_id, label) WHERE label IS NOT NULL;
CREATE INDEX snapshots_by_agent ON snapshots (agent_id, seq);
`;

const bodySchema = z.object({
  about: hostTextSchema.nullable(),
  threadKey: z.string(),
  root: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  gaps: z.number().int(),
});

/** Name, state, and the content that lists the folder's entries. */
const entrySchema = z.tuple([z.string(), pathStateSchema, z.string().nullable()]);
const folderSchema = z.array(entrySchema);
type Entry = z.infer<typeof entrySchema>;

/** Entries by folder, a folder before those below it; the workspace itself is the one entry of `''`. */
function byFolder(root: string, files: Snapshot): Map<string, [string, PathState][]> {
  const folders = new Map<string, [string, PathState][]>();
  for (const [path, state] of files) {
    const folder = path === root ? '' : dirname(path);
    const entries = folders.get(folder) ?? [];
    if (entries.length === 0) folders.set(folder, entries);
    entries.push([path === root ? root : path.slice(folder.length + (folder.endsWith('/') ? 0 : 1)), state]);
  }
  return folders;
}

/** Stores what is not stored yet, from the deepest folder up; `null` if a content is not stored. */
function putFolders(
  handle: StoreHandle,
  root: string,
  files: Snapshot,
): { hash: string; added: number } | null {
  const folders = byFolder(root, files);
  const hashes = new Map<string, string>();
  let added = 0;
  let hash = '';
  for (const [folder, states] of [...folders].reverse()) {
    const entries = states.map(([name, state]): Entry => {
      if (state.kind !== 'folder') return [name, state, null];
      const path = folder === '' ? name : join(folder, name);
      return [name, state, hashes.get(path) ?? null];
    });
    const list = Buffer.from(JSON.stringify(entries));
    hash = sha256Hex(list);
    hashes.set(folder, hash);
    if (!areStored(handle, [hash])) {
      // A list that is stored keeps its contents.
      if (!areStored(handle, hashesIn(states.map(([, state]) => state)))) return null;
      added += putContent(handle, hash, list);
    }
  }
  return { hash, added };
}

function readFolder(handle: StoreHandle, hash: string): readonly Entry[] | null {
  const bytes = readContent(handle, hash);
  return bytes && jsonAs(folderSchema, Buffer.from(bytes).toString());
}

/** `null` if a list of it cannot be read. */
function readFiles(handle: StoreHandle, rootHash: string): Snapshot | null {
  const files = new Map<string, PathState>();
  let level: [string, string][] = [['', rootHash]];
  while (level.length > 0) {
    const below: [string, string][] = [];
    for (const [folder, hash] of level) {
      const entries = readFolder(handle, hash);
      if (!entries) return null;
      for (const [name, state, list] of entries) {
        const path = folder === '' ? name : join(folder, name);
        files.set(path, state);
        if (list !== null) below.push([path, list]);
      }
    }
    level = below;
  }
  return files;
}

/** Hashes that a list of a folder names, by its hash; kept for later, because a list never changes. */
export type SnapshotLists = Map<
  string,
  { readonly files: readonly string[]; readonly lists: readonly string[] }
>;

function namedBy(handle: StoreHandle, hash: string): { files: string[]; lists: string[] } {
  const named = { files: [] as string[], lists: [] as string[] };
  for (const [, state, list] of readFolder(handle, hash) ?? []) {
    if (state.kind === 'file') named.files.push(state.hash);
    if (list !== null) named.lists.push(list);
  }
  return named;
}

/** Contents that snapshots need: all of them, or only those that a person asked for. */
export function neededBySnapshots(
  handle: StoreHandle,
  which: 'all' | 'asked' = 'all',
  known: SnapshotLists = new Map(),
): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (hash: string): void => {
    if (needed.has(hash)) return;
    needed.add(hash);
    const named = known.get(hash) ?? namedBy(handle, hash);
    known.set(hash, named);
    for (const file of named.files) needed.add(file);
    for (const list of named.lists) add(list);
  };
  const filter = which === 'all' ? '' : `WHERE reason = 'asked'`;
  for (const row of handle.sql(`SELECT DISTINCT root_hash FROM snapshots ${filter}`).all())
    add(textOf(row, 'root_hash'));
  return needed;
}

/** Bytes of the contents that only a person removes. */
export function askedBytes(handle: StoreHandle, known?: SnapshotLists): number {
  const needed = JSON.stringify([...neededBySnapshots(handle, 'asked', known)]);
  const row = handle
    .sql(
      'SELECT coalesce(sum(size), 0) AS count FROM contents WHERE hash IN (SELECT value FROM json_each(?))',
    )
    .get([needed]);
  return row ? numberOf(row, 'count') : 0;
}

/** Returns how many were removed. */
function removeOfOthers({ sql }: StoreHandle, isAgent: (agentId: string) => boolean): number {
  const agents = sql('SELECT DISTINCT agent_id FROM snapshots').all();
  const gone = agents.map((row) => textOf(row, 'agent_id')).filter((id) => !isAgent(id));
  let removed = 0;
  for (const id of gone) removed += sql('DELETE FROM snapshots WHERE agent_id = ?').run([id]).changes;
  return removed;
}

const automatic = `reason <> 'asked'`;

/** Returns how many were removed. */
export const removeAutomatic = ({ sql }: StoreHandle, olderThan: number): number =>
  sql(`DELETE FROM snapshots WHERE ${automatic} AND at < ?`).run([olderThan]).changes;

function keep(
  handle: StoreHandle,
  snapshot: WorkspaceSnapshot,
  files: Snapshot,
  mostAutomatic: number,
): number | null {
  const { id, agentId, label, reason, turnId, at, root, about, threadKey, bytes, gaps } = snapshot;
  const stored = putFolders(handle, root, files);
  if (!stored) return null;
  const body = JSON.stringify({ about, threadKey, root, files: snapshot.files, bytes, gaps });
  handle
    .sql(
      'INSERT INTO snapshots (id, agent_id, label, reason, turn_id, at, root_hash, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run([id, agentId, label, reason, turnId, at, stored.hash, body]);
  handle
    .sql(
      `DELETE FROM snapshots WHERE agent_id = ? AND ${automatic} AND seq NOT IN
        (SELECT seq FROM snapshots WHERE agent_id = ? AND ${automatic} ORDER BY seq DESC LIMIT ?)`,
    )
    .run([agentId, agentId, mostAutomatic]);
  return stored.added;
}

function snapshotOf(row: SqlRow): readonly WorkspaceSnapshot[] {
  const body = jsonAs(bodySchema, textOf(row, 'body'));
  if (!body) return [];
  return [
    {
      ...body,
      id: textOf(row, 'id'),
      agentId: textOf(row, 'agent_id'),
      label: textOrNull(row, 'label'),
      reason: oneOf(row, 'reason', snapshotReasonNames),
      turnId: textOf(row, 'turn_id'),
      at: numberOf(row, 'at'),
    },
  ];
}

function kept({ sql }: StoreHandle, { agentId, named, turnId, before, limit }: SnapshotQuery) {
  const clauses = ['agent_id = ?'];
  const params = [agentId];
  if (named !== undefined) {
    clauses.push('(label = ? OR (id >= ? AND id < ?) OR (id >= ? AND id < ?))');
    const last = '\u{10ffff}';
    params.push(named, named, `${named}${last}`, `snap_${named}`, `snap_${named}${last}`);
  }
  if (turnId !== undefined) {
    clauses.push('turn_id = ?');
    params.push(turnId);
  }
  if (before !== undefined) {
    clauses.push('seq < (SELECT seq FROM snapshots WHERE id = ?)');
    params.push(before);
  }
  return sql(`SELECT * FROM snapshots WHERE ${clauses.join(' AND ')} ORDER BY seq DESC LIMIT ?`)
    .all([...params, limit])
    .flatMap(snapshotOf);
}

export function snapshotsOf(file: StoreFile, onAdded: (bytes: number) => void): WorkspaceSnapshotStore {
  return {
    keep(snapshot, files, mostAutomatic) {
      const added = file.write((handle) => keep(handle, snapshot, files, mostAutomatic));
      if (added !== null) onAdded(added);
      return added !== null;
    },
    kept: (query) => file.use((handle) => kept(handle, query)),
    filesOf: (id) =>
      file.use((handle) => {
        const row = handle.sql('SELECT root_hash FROM snapshots WHERE id = ?').get([id]);
        return row ? readFiles(handle, textOf(row, 'root_hash')) : null;
      }),
    removeSnapshot: (id) =>
      file.write(({ sql }) => {
        sql('DELETE FROM snapshots WHERE id = ?').run([id]);
      }),
    askedBytes: () => file.use((handle) => askedBytes(handle)),
    removeOfOthers: (isAgent) => file.write((handle) => removeOfOthers(handle, isAgent)),
  };
}
