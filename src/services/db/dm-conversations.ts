/**
 * Further conversations of direct messages: titles, and which are archived. A message names its conversation;
 * one without a name belongs to that of the message it answers, so that clients which know no conversations
 * answer in the right one (ADR 50).
 */
import { conversationIdIn, dmSlug, mainRoom, type RoomId } from '../../contract/room-id.ts';
import type { DmConversation, DmConversations } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { idOf, messageColumns, readStoredMessage, roomDigest } from './account-rows.ts';
import { deleteMessage } from './annotations.ts';
import type { SqlRow } from './binding.ts';
import { findRef, idColumn, packId } from './packed-values.ts';
import { numberOf, textOf } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';

/** Beyond this number, conversations that another person starts are stored in the main one. */
const mostOfOne = 500;

const conversationOf = (row: SqlRow): DmConversation => ({
  roomId: textOf(row, 'room_id'),
  title: textOf(row, 'title'),
  firstText: textOf(row, 'first_text'),
  startedAt: numberOf(row, 'started_at'),
  archived: row.archived_at !== null,
});

function isFull({ sql }: StoreHandle, roomId: string): boolean {
  if (sql('SELECT 1 FROM dm_conversations WHERE room_id = ?').get([roomId])) return false;
  const main = mainRoom(roomId);
  const row = sql('SELECT count(*) AS n FROM dm_conversations WHERE room_id GLOB ?').get([`${main}~*`]);
  return row !== undefined && numberOf(row, 'n') >= mostOfOne;
}

function roomAnswered(handle: StoreHandle, message: StoredMessage): RoomId | null {
  const answered = message.threadRootId ?? message.replyToId;
  if (answered === null) return null;
  const row = handle
    .sql(`SELECT ${messageColumns} FROM messages WHERE envelope_id = ?`)
    .get([packId(answered)]);
  return row ? readStoredMessage(handle)(row).roomId : null;
}

/** The message in the conversation in which this store keeps it. */
export function placeInConversation(
  handle: StoreHandle,
  message: StoredMessage,
  ownSlug: string,
): StoredMessage {
  const { roomId } = message;
  const slug = dmSlug(roomId);
  if (message.kind !== 'dm' || slug === null) return message;
  if (conversationIdIn(roomId) !== null) {
    const isMain = message.senderSlug !== ownSlug && isFull(handle, roomId);
    return isMain ? { ...message, roomId: `dm:${slug}` } : message;
  }
  const answered = roomAnswered(handle, message);
  return answered !== null && mainRoom(answered) === roomId ? { ...message, roomId: answered } : message;
}

/** Records the conversation of a new message: the first message names it, and any takes it out of the archive. */
export function noteInConversation({ sql }: StoreHandle, message: StoredMessage): void {
  if (conversationIdIn(message.roomId) === null) return;
  sql(`INSERT INTO dm_conversations (room_id, first_text, started_at) VALUES (?, ?, ?)
    ON CONFLICT (room_id) DO UPDATE SET archived_at = NULL,
      first_text = iif(first_text = '', excluded.first_text, first_text)`).run([
    message.roomId,
    roomDigest(message),
    message.sentAt,
  ]);
}

function remove(handle: StoreHandle, roomId: string, at: number): void {
  const { sql } = handle;
  const messages = sql(
    `SELECT ${idColumn('envelope_id')} FROM messages WHERE room_id = ? AND channel_id IS NULL`,
  ).all([findRef(handle, roomId)]);
  for (const row of messages) deleteMessage(handle, idOf(row, 'envelope_id'), at);
  sql('DELETE FROM rooms WHERE room_id = ?').run([roomId]);
  sql('DELETE FROM dm_conversations WHERE room_id = ?').run([roomId]);
}

export function createDmConversations(file: StoreFile): DmConversations {
  return {
    list: () =>
      file.use(({ sql }) =>
        sql('SELECT * FROM dm_conversations ORDER BY started_at').all().map(conversationOf),
      ),
    start: (roomId, title, at) =>
      file.write(({ sql }) => {
        sql('INSERT OR IGNORE INTO dm_conversations (room_id, title, started_at) VALUES (?, ?, ?)').run([
          roomId,
          title,
          at,
        ]);
      }),
    rename: (roomId, title, at) =>
      file.write(({ sql }) => {
        sql(`INSERT INTO dm_conversations (room_id, title, started_at) VALUES (?, ?, ?)
          ON CONFLICT (room_id) DO UPDATE SET title = excluded.title`).run([roomId, title, at]);
      }),
    setArchived: (roomId, at) =>
      file.write(({ sql }) => {
        sql('UPDATE dm_conversations SET archived_at = ? WHERE room_id = ?').run([at, roomId]);
      }),
    remove: (roomId, at) => file.write((handle) => remove(handle, roomId, at)),
  };
}
