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
import { contentFields, contentOf, numberOf, oneOf, textOf, textOrNull } from './row-fields.ts';

const kinds = ['channel', 'dm'] as const;
/** Code points of the newest message that the room list keeps. */
const digestLength = 200;

type Params = Record<string, SqlValue>;

export const messageColumns = `envelope_id, envelope_kind, sender_slug, channel_id, space_id, recipient_slug,
  content_type, content, sent_at, received_at, thread_root_id, reply_to_id, content_json, room_id, visible, encrypted`;

export const insertMessageSql = `INSERT OR IGNORE INTO messages (${messageColumns}, react, reason, priority, nonce)
  VALUES (:envelope_id, :envelope_kind, :sender_slug, :channel_id, :space_id, :recipient_slug, :content_type, :content,
    :sent_at, :received_at, :thread_root_id, :reply_to_id, :content_json, :room_id, :visible, :encrypted,
    :react, :reason, :priority, :nonce)`;

export const upsertRoomSql = `INSERT INTO rooms (room_id, space_id, last_message_at, last_text, unread)
  VALUES (:room_id, :space_id, :sent_at, :text, :unread)
  ON CONFLICT (room_id) DO UPDATE SET
    space_id = coalesce(excluded.space_id, space_id),
    last_text = iif(excluded.last_message_at >= last_message_at, excluded.last_text, last_text),
    last_message_at = max(excluded.last_message_at, last_message_at),
    unread = unread + excluded.unread`;

export const insertOutboxSql = `INSERT OR IGNORE INTO outbox (envelope_id, kind, space_id, channel_id, recipient_slug,
    thread_root_id, content_type, content, content_json, visible, created_at)
  VALUES (:envelope_id, :kind, :space_id, :channel_id, :recipient_slug, :thread_root_id, :content_type, :content,
    :content_json, :visible, :created_at)`;

const flag = (value: boolean): number => (value ? 1 : 0);

export const messageParams = ({ message, decision, nonce }: AcceptRow): Params => ({
  envelope_id: message.envelopeId,
  envelope_kind: message.kind,
  sender_slug: message.senderSlug,
  channel_id: message.channelId,
  space_id: message.spaceId,
  recipient_slug: message.recipientSlug,
  content_type: message.contentType,
  ...contentFields(message.content),
  sent_at: message.sentAt,
  received_at: message.receivedAt,
  thread_root_id: message.threadRootId,
  reply_to_id: message.replyToId,
  room_id: message.roomId,
  visible: flag(message.visible),
  encrypted: flag(message.encrypted),
  react: flag(decision.react),
  reason: decision.reason,
  priority: decision.priority,
  nonce: nonce ?? null,
});

export const roomParams = (message: StoredMessage, unread: boolean): Params => ({
  room_id: message.roomId,
  space_id: message.spaceId,
  sent_at: message.sentAt,
  text: cutCodePoints(digestText(message), digestLength),
  unread: flag(unread),
});

export const outboxParams = (draft: OutboxDraft): Params => ({
  envelope_id: draft.envelopeId,
  kind: draft.kind,
  space_id: draft.spaceId,
  channel_id: draft.channelId,
  recipient_slug: draft.recipientSlug,
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
  roomId: draft.channelId ?? dmRoomId(draft.recipientSlug ?? ''),
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

const roomIdIn = (row: SqlRow): RoomId => {
  const id = textOf(row, 'room_id');
  return isRoomId(id) ? id : noRoom;
};
const channelIdIn = (row: SqlRow): ChannelId | null => {
  const id = textOrNull(row, 'channel_id');
  return id === null || isChannelId(id) ? id : noRoom;
};
const spaceIdIn = (row: SqlRow): SpaceId | null => {
  const id = textOrNull(row, 'space_id');
  return isSpaceId(id) ? id : null;
};
/** Id of the root message (from the server or local), or `null` if the column holds no message id. */
const rootIn = (row: SqlRow): string | null => {
  const id = textOrNull(row, 'thread_root_id');
  return id !== null && (isMessageId(id) || isLocalEnvelopeId(id)) ? id : null;
};

export const messageOf = (row: SqlRow): StoredMessage => ({
  envelopeId: textOf(row, 'envelope_id'),
  kind: oneOf(row, 'envelope_kind', kinds),
  roomId: roomIdIn(row),
  senderSlug: textOf(row, 'sender_slug'),
  spaceId: spaceIdIn(row),
  channelId: channelIdIn(row),
  recipientSlug: textOrNull(row, 'recipient_slug'),
  contentType: textOf(row, 'content_type'),
  content: contentOf(row),
  sentAt: numberOf(row, 'sent_at'),
  receivedAt: numberOf(row, 'received_at'),
  threadRootId: rootIn(row),
  replyToId: textOrNull(row, 'reply_to_id'),
  visible: numberOf(row, 'visible') === 1,
  encrypted: numberOf(row, 'encrypted') === 1,
});

export const outboxOf = (row: SqlRow): OutboxRow => ({
  envelopeId: textOf(row, 'envelope_id'),
  kind: oneOf(row, 'kind', kinds),
  spaceId: spaceIdIn(row),
  channelId: channelIdIn(row),
  recipientSlug: textOrNull(row, 'recipient_slug'),
  threadRootId: textOrNull(row, 'thread_root_id'),
  contentType: textOf(row, 'content_type'),
  content: contentOf(row),
  visible: numberOf(row, 'visible') === 1,
  createdAt: numberOf(row, 'created_at'),
  state: oneOf(row, 'state', ['queued', 'sealed', 'sent', 'failed']),
  sealed: textOrNull(row, 'sealed'),
  contentKey: textOrNull(row, 'content_key'),
  attempts: numberOf(row, 'attempts'),
  error: textOrNull(row, 'error'),
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
