/** Maps the shapes of the account store port to SQLite rows and back. */

import {
  type ChannelId,
  dmRoomId,
  isChannelId,
  isRoomId,
  isSpaceId,
  type RoomId,
  type SpaceId,
} from '../../contract/room-id.ts';
import { digestText } from '../../core/agents/message-text.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { AcceptRow, Priority, RoomDigest } from '../../core/puffo/account-store.ts';
import { isLocalEnvelopeId, isMessageId } from '../../core/puffo/ids.ts';
import type { OutboxDraft, OutboxRow, StoredMessage } from '../../core/puffo/stored-message.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import {
  idColumn,
  nameOf,
  packId,
  packIdOrNull,
  packNonce,
  refOf,
  refOrNull,
  unpackId,
} from './packed-values.ts';
import { contentFields, contentOf, damagedField, numberOf, oneOf, textOf, textOrNull } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';
import { unpackText } from './text-column.ts';

const kinds = ['channel', 'dm'] as const;
/** How a message row stores its kind. */
export const kindMark = (kind: string): string => kind.slice(0, 1);
/** Code points of the newest message that the room list keeps. */
const digestLength = 200;

type Params = Record<string, SqlValue>;

const ids = ['envelope_id', 'thread_root_id', 'reply_to_id'];
const others = `envelope_kind, sender_slug, channel_id, space_id, recipient_slug, content_type, sent_at, received_at,
  content_json, room_id, visible, encrypted, content`;

/** The stored columns of a message. */
const storedColumns = `${ids.join(', ')}, ${others}`;
/** The columns that `messageOf` reads. */
export const messageColumns = `${ids.map(idColumn).join(', ')}, ${others}`;

/** All columns of a message. */
export const insertedColumns = `${storedColumns}, react, reason, priority, nonce`;
export const insertMessageSql = `INSERT OR IGNORE INTO messages (${insertedColumns})
  VALUES (${insertedColumns.replace(/\w+/g, ':$&')})`;

export const upsertRoomSql = `INSERT INTO rooms (room_id, space_id, last_message_at, last_text, unread)
  VALUES (:room_id, :space_id, :sent_at, :text, :unread)
  ON CONFLICT (room_id) DO UPDATE SET
    space_id = coalesce(excluded.space_id, space_id),
    last_text = iif(excluded.last_message_at >= last_message_at, excluded.last_text, last_text),
    last_message_at = max(excluded.last_message_at, last_message_at),
    unread = unread + excluded.unread`;

export const insertOutboxSql = `INSERT OR IGNORE INTO outbox (envelope_id, kind, space_id, channel_id, recipient_slug,
    conversation_id, thread_root_id, content_type, content, content_json, visible, created_at)
  VALUES (:envelope_id, :kind, :space_id, :channel_id, :recipient_slug, :conversation_id, :thread_root_id, :content_type, :content,
    :content_json, :visible, :created_at)`;

const flag = (value: boolean): number => (value ? 1 : 0);

export const messageParams = (handle: StoreHandle, { message, decision, nonce }: AcceptRow): Params => ({
  envelope_id: packId(message.envelopeId),
  envelope_kind: kindMark(message.kind),
  sender_slug: refOf(handle, message.senderSlug),
  channel_id: refOrNull(handle, message.channelId),
  space_id: refOrNull(handle, message.spaceId),
  recipient_slug: refOrNull(handle, message.recipientSlug),
  content_type: refOf(handle, message.contentType),
  ...contentFields(message.content),
  sent_at: message.sentAt,
  received_at: message.receivedAt,
  thread_root_id: packIdOrNull(message.threadRootId),
  reply_to_id: packIdOrNull(message.replyToId),
  room_id: refOf(handle, message.roomId),
  visible: flag(message.visible),
  encrypted: flag(message.encrypted),
  react: flag(decision.react),
  reason: refOf(handle, decision.reason),
  priority: decision.priority,
  nonce: nonce === undefined ? null : packNonce(nonce),
});

/** Text of a room's newest message for the room list. */
export const roomDigest = (message: StoredMessage): string =>
  cutCodePoints(digestText(message), digestLength);

export const roomParams = (message: StoredMessage, unread: boolean): Params => ({
  room_id: message.roomId,
  space_id: message.spaceId,
  sent_at: message.sentAt,
  text: roomDigest(message),
  unread: flag(unread),
});

export const outboxParams = (draft: OutboxDraft): Params => ({
  envelope_id: draft.envelopeId,
  kind: draft.kind,
  space_id: draft.spaceId,
  channel_id: draft.channelId,
  recipient_slug: draft.recipientSlug,
  conversation_id: draft.conversationId ?? null,
  thread_root_id: draft.threadRootId,
  content_type: draft.contentType,
  ...contentFields(draft.content),
  visible: flag(draft.visible),
  created_at: draft.createdAt,
});

/** The sender's own view of a message that is not sent yet. */
export const ownMessage = (draft: OutboxDraft, senderSlug: string): StoredMessage => ({
  envelopeId: draft.envelopeId,
  kind: draft.kind,
  roomId: draft.channelId ?? dmRoomId(draft.recipientSlug ?? '', draft.conversationId),
  senderSlug,
  spaceId: draft.spaceId,
  channelId: draft.channelId,
  recipientSlug: draft.recipientSlug,
  contentType: draft.contentType,
  content: draft.content,
  sentAt: draft.createdAt,
  receivedAt: draft.createdAt,
  threadRootId: draft.threadRootId,
  replyToId: null,
  visible: draft.visible,
  encrypted: true,
});

/** Room id for rows whose stored room id is not a valid protocol id; no account is a member of it. */
const noRoom = 'ch_unknown';

const channelIdOf = (id: string | null): ChannelId | null => (id === null || isChannelId(id) ? id : noRoom);
const spaceIdOf = (id: string | null): SpaceId | null => (isSpaceId(id) ? id : null);
/** Id of the root message (from the server or local), or `null` if the column holds no message id. */
const rootIdOf = (id: string | null): string | null =>
  id !== null && (isMessageId(id) || isLocalEnvelopeId(id)) ? id : null;

export function idOf(row: SqlRow, name: string): string {
  const id = unpackId(row[name]);
  if (id === null) throw damagedField(name);
  return id;
}

export function requiredName(handle: StoreHandle, row: SqlRow, name: string): string {
  const found = nameOf(handle, row[name]);
  if (found === null) throw damagedField(name);
  return found;
}

function roomIdIn(handle: StoreHandle, row: SqlRow): RoomId {
  const id = requiredName(handle, row, 'room_id');
  return isRoomId(id) ? id : noRoom;
}

function kindIn(row: SqlRow): StoredMessage['kind'] {
  const mark = textOf(row, 'envelope_kind');
  const kind = kinds.find((one) => kindMark(one) === mark);
  if (kind === undefined) throw damagedField('envelope_kind');
  return kind;
}

export const readStoredMessage =
  (handle: StoreHandle) =>
  (row: SqlRow): StoredMessage => ({
    envelopeId: idOf(row, 'envelope_id'),
    kind: kindIn(row),
    roomId: roomIdIn(handle, row),
    senderSlug: requiredName(handle, row, 'sender_slug'),
    spaceId: spaceIdOf(nameOf(handle, row.space_id)),
    channelId: channelIdOf(nameOf(handle, row.channel_id)),
    recipientSlug: nameOf(handle, row.recipient_slug),
    contentType: requiredName(handle, row, 'content_type'),
    content: contentOf(row),
    sentAt: numberOf(row, 'sent_at'),
    receivedAt: numberOf(row, 'received_at'),
    threadRootId: rootIdOf(unpackId(row.thread_root_id)),
    replyToId: unpackId(row.reply_to_id),
    visible: numberOf(row, 'visible') === 1,
    encrypted: numberOf(row, 'encrypted') === 1,
  });

export const outboxOf = (row: SqlRow): OutboxRow => ({
  envelopeId: textOf(row, 'envelope_id'),
  kind: oneOf(row, 'kind', kinds),
  spaceId: spaceIdOf(textOrNull(row, 'space_id')),
  channelId: channelIdOf(textOrNull(row, 'channel_id')),
  recipientSlug: textOrNull(row, 'recipient_slug'),
  conversationId: textOrNull(row, 'conversation_id'),
  threadRootId: textOrNull(row, 'thread_root_id'),
  contentType: textOf(row, 'content_type'),
  content: contentOf(row),
  visible: numberOf(row, 'visible') === 1,
  createdAt: numberOf(row, 'created_at'),
  state: oneOf(row, 'state', ['queued', 'sealed', 'sent', 'failed']),
  sealed: textOrNull(row, 'sealed'),
  contentKey: textOrNull(row, 'content_key'),
  attempts: numberOf(row, 'attempts'),
  error: row.error === null ? null : unpackText(row, 'error'),
});

export const roomFromRow = (row: SqlRow): RoomDigest => ({
  roomId: textOf(row, 'room_id'),
  spaceId: textOrNull(row, 'space_id'),
  lastMessageAt: numberOf(row, 'last_message_at'),
  lastText: textOf(row, 'last_text'),
  unread: numberOf(row, 'unread'),
});

/** 1 direct message from a human to 5 system message (spec §6.3). */
export function priorityFromRow(row: SqlRow): Priority {
  const value = numberOf(row, 'priority');
  return value === 1 || value === 2 || value === 3 || value === 4 ? value : 5;
}
