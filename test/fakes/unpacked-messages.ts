/** Inserts message rows as schemas before the packed one stored them. */
import type { AcceptRow } from '../../src/core/puffo/account-store.ts';
import type { Database } from '../../src/services/db/binding.ts';

export function insertUnpacked(
  db: Database,
  { message, decision, nonce }: Partial<AcceptRow> & Pick<AcceptRow, 'message'>,
): void {
  const json = typeof message.content !== 'string';
  db.prepare(`INSERT INTO messages (envelope_id, envelope_kind, sender_slug, channel_id, space_id, recipient_slug,
      content_type, content, sent_at, received_at, thread_root_id, reply_to_id, content_json, room_id, visible, encrypted,
      react, reason, priority, nonce)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run([
    message.envelopeId,
    message.kind,
    message.senderSlug,
    message.channelId,
    message.spaceId,
    message.recipientSlug,
    message.contentType,
    json ? JSON.stringify(message.content) : String(message.content),
    message.sentAt,
    message.receivedAt,
    message.threadRootId,
    message.replyToId,
    json ? 1 : 0,
    message.roomId,
    message.visible ? 1 : 0,
    message.encrypted ? 1 : 0,
    decision?.react ? 1 : 0,
    decision?.reason ?? 'x',
    decision?.priority ?? 3,
    nonce ?? null,
  ]);
}
