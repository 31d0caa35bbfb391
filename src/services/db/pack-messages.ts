/**
 * Rewrites message rows of older schemas in packed form (see packed-values.ts): as steps of the migration, and
 * after the salvage of a file that was damaged before or during that migration.
 */
import { insertedColumns, kindMark } from './account-rows.ts';
import type { Database, SqlRow, SqlValue } from './binding.ts';
import { nameIdOf, packId, packNonce, refOf } from './packed-values.ts';
import { type StoreHandle, toHandle } from './store-file.ts';

/** Rows per transaction: about a second of work. */
const rowsPerSlice = 50_000;

const columns = insertedColumns.split(/,\s*/);
const ids = new Set(['envelope_id', 'thread_root_id', 'reply_to_id']);
const names = new Set([
  'sender_slug',
  'channel_id',
  'space_id',
  'recipient_slug',
  'content_type',
  'room_id',
  'reason',
]);

function packed(handle: StoreHandle, row: SqlRow): SqlValue[] {
  return columns.map((column) => {
    const value = row[column] ?? null;
    if (typeof value !== 'string') return value;
    if (ids.has(column)) return packId(value);
    if (names.has(column)) return refOf(handle, value);
    if (column === 'nonce') return packNonce(value);
    return column === 'envelope_kind' ? kindMark(value) : value;
  });
}

/** Copies the next rows to `messages_packed` under their row numbers, which the search index uses. */
export function packMessages(db: Database, slice = rowsPerSlice): boolean {
  const handle = toHandle(db);
  const { sql } = handle;
  const insert = sql(`INSERT INTO messages_packed (rowid, ${columns.join(', ')})
    VALUES (?, ${columns.map(() => '?').join(', ')})`);
  const rows = sql(
    `SELECT rowid AS n, ${columns.join(', ')} FROM messages WHERE rowid > ? ORDER BY rowid LIMIT 1`,
  );
  let at = sql('SELECT coalesce(max(rowid), 0) AS n FROM messages_packed').get()?.n ?? 0;
  for (let done = 0; done < slice; done += 1) {
    const row = rows.get([at]);
    if (!row) return true;
    at = row.n ?? 0;
    insert.run([at, ...packed(handle, row)]);
  }
  return false;
}

export const swapPackedMessages = `
UPDATE work SET envelope_id = coalesce((SELECT p.envelope_id FROM messages m JOIN messages_packed p ON p.rowid = m.rowid
  WHERE m.envelope_id = work.envelope_id), envelope_id);
DROP TABLE messages;
ALTER TABLE messages_packed RENAME TO messages;
CREATE INDEX idx_messages_channel ON messages (channel_id, sent_at) WHERE channel_id IS NOT NULL;
CREATE INDEX idx_messages_dm ON messages (sender_slug, sent_at) WHERE envelope_kind = 'dm';
CREATE INDEX idx_messages_received ON messages (received_at);
CREATE INDEX idx_messages_thread_root ON messages (thread_root_id, sent_at) WHERE thread_root_id IS NOT NULL;
CREATE INDEX idx_messages_room ON messages (room_id, sent_at) WHERE channel_id IS NULL;
CREATE UNIQUE INDEX idx_messages_nonce ON messages (sender_slug, nonce) WHERE nonce IS NOT NULL;
`;

/** Packs rows that a salvage copied from an older schema, and names the numbers whose name was lost. */
export function repairSalvaged(handle: StoreHandle): void {
  const { db, sql } = handle;
  db.transaction(() => {
    db.pragma('defer_foreign_keys = ON');
    const update = sql(
      `UPDATE messages SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE rowid = ?`,
    );
    const worked = sql('UPDATE OR IGNORE work SET envelope_id = ? WHERE envelope_id = ?');
    const next = sql(`SELECT rowid AS n, * FROM messages WHERE length(envelope_kind) > 1 AND rowid > ?
      ORDER BY rowid LIMIT 1`);
    for (let row = next.get([0]); row; row = next.get([row.n ?? 0])) {
      const values = packed(handle, row);
      update.run([...values, row.n ?? 0]);
      worked.run([values[0] ?? null, row.envelope_id ?? null]);
    }
    nameTheLost(handle);
  });
}

function nameTheLost({ sql }: StoreHandle): void {
  const add = sql(`INSERT OR IGNORE INTO names (id, name) VALUES (?, ?)`);
  for (const column of names) {
    for (const { ref } of sql(`SELECT DISTINCT ${column} AS ref FROM messages`).all()) {
      const id = typeof ref === 'string' ? nameIdOf(ref) : null;
      if (id !== null) add.run([id, `lost-${id}`]);
    }
  }
}
