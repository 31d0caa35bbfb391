/** Converts an opened message to the form of stores and agents, with the room it belongs to. */
import { dmRoomId, type RoomId } from '../../contract/room-id.ts';
import type { OpenedMessage } from '../../core/puffo/envelope.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';

/** `null` for a direct message between others, which should not have been sent here. */
export function storedMessage(
  opened: OpenedMessage,
  ownSlug: string,
  receivedAt: number,
): StoredMessage | null {
  const { payload, envelopeId } = opened;
  const roomId = roomOf(payload, ownSlug);
  if (roomId === null) return null;
  return {
    envelopeId,
    kind: payload.envelope_kind,
    roomId,
    senderSlug: payload.sender_slug,
    spaceId: payload.space_id,
    channelId: payload.channel_id,
    recipientSlug: payload.recipient_slug,
    contentType: payload.content_type,
    content: payload.content ?? '',
    sentAt: payload.sent_at,
    receivedAt,
    threadRootId: payload.thread_root_id ?? null,
    replyToId: payload.reply_to_id ?? null,
    visible: payload.is_visible_to_human,
    encrypted: opened.encrypted,
  };
}

function roomOf(payload: OpenedMessage['payload'], ownSlug: string): RoomId | null {
  if (payload.envelope_kind === 'channel') return payload.channel_id;
  if (payload.sender_slug === ownSlug)
    return payload.recipient_slug === null ? null : dmRoomId(payload.recipient_slug);
  return payload.recipient_slug === ownSlug ? dmRoomId(payload.sender_slug) : null;
}
