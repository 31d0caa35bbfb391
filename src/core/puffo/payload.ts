/**
 * Signed payload of every message (spec §1.6): built with all fifteen members, verified as received.
 * Verification uses the raw object, because schema defaults must not become part of the signed data.
 */

import { isRecord } from '../../contract/is-record.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import { say } from '../../language/say.ts';
import { toBase64Url } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';
import type { Session } from './identity.ts';
import { refuseWire } from './refusal.ts';
import { findSubkey, type VerifiedIdentity } from './registry.ts';
import { signObject, verifyObject } from './signatures.ts';
import { type MessagePayload, messagePayloadSchema } from './wire.ts';

/** Fields that a sender chooses; `sentAt` in ms since the epoch. The unused route is `null`. */
export interface MessageDraft {
  readonly kind: 'channel' | 'dm';
  readonly senderSlug: string;
  readonly spaceId: SpaceId | null;
  readonly channelId: ChannelId | null;
  readonly recipientSlug: string | null;
  readonly sentAt: number;
  readonly threadRootId: string | null;
  readonly replyToId: string | null;
  readonly contentType: string;
  /** A string for text/plain, otherwise JSON without floats. */
  readonly content: unknown;
  readonly visible: boolean;
}

export interface SignedPayload {
  readonly payload: MessagePayload;
  readonly signature: string;
}

/** Signs with the session's subkey. Error: `not_canonical`. */
export function signPayload(
  engine: CryptoEngine,
  draft: MessageDraft,
  session: Session,
): Result<SignedPayload> {
  // Member order of the 0.8.1 client, so that even the plaintext bytes are equal.
  const payload = {
    type: 'message_payload' as const,
    version: 1 as const,
    envelope_kind: draft.kind,
    sender_slug: draft.senderSlug,
    sender_subkey_id: session.subkeyId,
    space_id: draft.spaceId,
    channel_id: draft.channelId,
    recipient_slug: draft.recipientSlug,
    sent_at: draft.sentAt,
    message_nonce: toBase64Url(engine.randomBytes(16)),
    thread_root_id: draft.threadRootId,
    reply_to_id: draft.replyToId,
    content_type: draft.contentType,
    content: draft.content,
    is_visible_to_human: draft.visible,
  };
  const signed = signObject(engine, payload, session.secret);
  return signed.ok ? ok({ payload, signature: signed.value }) : signed;
}

/** Exactly one complete route: a channel message names space and channel, a direct one its recipient. */
function routeFits(payload: MessagePayload): boolean {
  const { space_id: space, channel_id: channel, recipient_slug: recipient } = payload;
  return payload.envelope_kind === 'channel'
    ? Boolean(space && channel) && recipient === null
    : Boolean(recipient) && space === null && channel === null;
}

/**
 * `signed`: the parsed JSON `{payload, signature}`. Errors: `malformed`, `sender_mismatch`, those of
 * `findSubkey` at `sent_at`, `bad_signature`, `not_canonical`.
 */
export function verifyPayload(
  engine: CryptoEngine,
  signed: unknown,
  sender: VerifiedIdentity,
): Result<MessagePayload> {
  if (!isRecord(signed) || !isRecord(signed.payload)) {
    return refuseWire('malformed', say('server.signedPayloadMissing'));
  }
  const raw = signed.payload;
  const parsed = messagePayloadSchema.safeParse(raw);
  if (!parsed.success || !routeFits(parsed.data)) {
    return refuseWire('malformed', say('server.invalidPayload'));
  }
  const payload = parsed.data;
  if (payload.sender_slug !== sender.slug) {
    return refuseWire(
      'sender_mismatch',
      say('server.messageSenderMismatch', { sender_slug: payload.sender_slug, slug: sender.slug }),
    );
  }
  const subkey = findSubkey(sender, payload.sender_subkey_id, payload.sent_at);
  if (!subkey.ok) return subkey;
  const held = verifyObject(engine, raw, signed.signature, subkey.value.publicKey);
  return held.ok ? ok(payload) : held;
}
