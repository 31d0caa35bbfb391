/**
 * Reactions, pins and deleted copies: notes of the account's owner on messages. Deleting a message empties its
 * row and removes it from outbox and search; the row stays, so that a redelivery is not accepted.
 */
import type { Annotation } from '../../contract/model.ts';
import type { Annotations } from '../../core/puffo/account-store.ts';
import { idOf, messageColumns, readStoredMessage, requiredName, roomDigest } from './account-rows.ts';
import type { SqlRow } from './binding.ts';
import { removeFromIndex } from './message-search.ts';
import { findRef, idColumn, packId, refOf } from './packed-values.ts';
import { numberOf, textOf } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';

/** Limits of a room: annotations, and pinned messages. */
const mostNotes = 2_000;
const mostPinned = 200;

const isDeleted = (id: string): string =>
  `EXISTS (SELECT 1 FROM annotations n WHERE n.envelope_id = ${id} AND n.deleted_at IS NOT NULL)`;

/** Excludes deleted messages, except a root that still has replies. */
export const shownSql = `(NOT ${isDeleted('messages.envelope_id')} OR EXISTS (SELECT 1 FROM messages r
  WHERE r.thread_root_id = messages.envelope_id AND NOT ${isDeleted('r.envelope_id')}))`;

const columns = 'n.pinned_at, n.deleted_at, n.reactions';

function reactionsOf(row: SqlRow): string[] {
  const listed: unknown = JSON.parse(textOf(row, 'reactions'));
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
}

const annotationOf = (row: SqlRow): Annotation => ({
  reactions: reactionsOf(row),
  pinnedAt: row.pinned_at === null ? null : numberOf(row, 'pinned_at'),
  deleted: row.deleted_at !== null,
});

/** A note without content needs no row. */
const tidy = ({ sql }: StoreHandle, envelopeId: string): void => {
  sql(`DELETE FROM annotations WHERE envelope_id = ? AND pinned_at IS NULL AND deleted_at IS NULL
    AND reactions = '[]'`).run([packId(envelopeId)]);
};

export function deleteMessage(handle: StoreHandle, envelopeId: string, at: number): void {
  const { sql } = handle;
  const id = packId(envelopeId);
  const row = sql(`SELECT room_id, channel_id FROM messages
    WHERE envelope_id = ? AND NOT ${isDeleted('messages.envelope_id')}`).get([id]);
  if (!row) return;
  removeFromIndex(handle, envelopeId);
  sql(`UPDATE messages SET content = '', content_json = 0, content_type = ? WHERE envelope_id = ?`).run([
    refOf(handle, 'text/plain'),
    id,
  ]);
  sql('DELETE FROM outbox WHERE envelope_id = ?').run([envelopeId]);
  sql(`INSERT INTO annotations (envelope_id, deleted_at) VALUES (?, ?)
    ON CONFLICT (envelope_id) DO UPDATE SET deleted_at = excluded.deleted_at, pinned_at = NULL, reactions = '[]'`).run(
    [id, at],
  );
  const channel = row.channel_id === null ? 'IS NULL' : '= :room';
  const newest = sql(`SELECT ${messageColumns} FROM messages WHERE room_id = :room AND channel_id ${channel}
    AND NOT ${isDeleted('messages.envelope_id')} ORDER BY sent_at DESC, messages.envelope_id DESC LIMIT 1`).get(
    {
      room: row.room_id ?? null,
    },
  );
  sql('UPDATE rooms SET last_text = ? WHERE room_id = ?').run([
    newest ? roomDigest(readStoredMessage(handle)(newest)) : '',
    requiredName(handle, row, 'room_id'),
  ]);
}

export function createAnnotations(file: StoreFile): Annotations {
  return {
    inRoom: (roomId) =>
      file.use((handle) => {
        const rows = handle
          .sql(`SELECT ${idColumn('envelope_id')}, ${columns} FROM annotations n
            CROSS JOIN messages USING (envelope_id) WHERE room_id = ? ORDER BY sent_at DESC LIMIT ${mostNotes}`)
          .all([findRef(handle, roomId)]);
        return new Map(rows.map((row) => [idOf(row, 'envelope_id'), annotationOf(row)]));
      }),
    of: (envelopeId) =>
      file.use(({ sql }) => {
        const row = sql(`SELECT ${columns} FROM annotations n WHERE envelope_id = ?`).get([
          packId(envelopeId),
        ]);
        return row ? annotationOf(row) : null;
      }),
    pinned: (roomId) =>
      file.use((handle) =>
        handle
          .sql(`SELECT ${messageColumns} FROM annotations n CROSS JOIN messages USING (envelope_id)
            WHERE n.pinned_at IS NOT NULL AND room_id = ? ORDER BY n.pinned_at DESC LIMIT ${mostPinned}`)
          .all([findRef(handle, roomId)])
          .map(readStoredMessage(handle)),
      ),
    setReactions: (envelopeId, reactions) =>
      file.write((handle) => {
        handle
          .sql(`INSERT INTO annotations (envelope_id, reactions) VALUES (?, ?)
            ON CONFLICT (envelope_id) DO UPDATE SET reactions = excluded.reactions`)
          .run([packId(envelopeId), JSON.stringify(reactions)]);
        tidy(handle, envelopeId);
      }),
    setPinned: (envelopeId, at) =>
      file.write((handle) => {
        handle
          .sql(`INSERT INTO annotations (envelope_id, pinned_at) VALUES (?, ?)
            ON CONFLICT (envelope_id) DO UPDATE SET pinned_at = excluded.pinned_at`)
          .run([packId(envelopeId), at]);
        tidy(handle, envelopeId);
      }),
    deleteMessage: (envelopeId, at) => file.write((handle) => deleteMessage(handle, envelopeId, at)),
  };
}
