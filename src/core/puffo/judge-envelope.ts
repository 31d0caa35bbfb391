/**
 * Opens one envelope against its sender's verified identity and decides what happens to it. If the sender or
 * the signing subkey may be newer than the cache, it queries the registry again, once per batch and sender.
 */
import { dmRoomId, type RoomId } from '../../contract/room-id.ts';
import type { CryptoEngine } from '../ports.ts';
import { type OpenedMessage, openMessage } from './envelope.ts';
import type { Identity } from './identity.ts';
import { openPlaintextEnvelope } from './plaintext-envelope.ts';
import type { Distrust, SenderIdentities } from './sender-identities.ts';
import type { StoredMessage } from './stored-message.ts';

export type EnvelopeVerdict =
  | { readonly type: 'message'; readonly message: StoredMessage; readonly nonce: string }
  /** Final; the server may delete it. */
  | { readonly type: 'refused'; readonly reason: string; readonly mayBeNews: boolean }
  /** The registry is unavailable now. */
  | { readonly type: 'deferred' }
  /** The sender's root key changed. */
  | { readonly type: 'held' };

/** A received envelope with its own claims. */
export interface Arrival {
  readonly raw: unknown;
  readonly senderSlug: string;
  readonly encrypted: boolean;
}

export interface JudgeDeps {
  readonly identity: Identity;
  readonly identities: SenderIdentities;
  readonly crypto: CryptoEngine;
}

const newsReasons = new Set(['unknown_subkey', 'unknown_device', 'sender_unknown', 'sender_unverifiable']);

/** `mayBeNews` is true if the missing entry may not have reached the registry yet. */
const refused = (reason: string): EnvelopeVerdict => ({
  type: 'refused',
  reason,
  mayBeNews: newsReasons.has(reason),
});

const ofSender = (distrust: Distrust): EnvelopeVerdict => {
  if (distrust.kind === 'unavailable') return { type: 'deferred' };
  if (distrust.kind === 'root_changed') return { type: 'held' };
  return refused(`sender_${distrust.kind}`);
};

async function attempt(
  deps: JudgeDeps,
  { raw, senderSlug, encrypted }: Arrival,
  now: number,
  maxAgeMs: number,
): Promise<EnvelopeVerdict> {
  const { identity, identities, crypto } = deps;
  const sender = await identities.verified(senderSlug, maxAgeMs);
  if (!sender.ok) return ofSender(sender.error);
  const me = { deviceId: identity.deviceId, kemSecret: identity.secrets.kem };
  const opened = encrypted
    ? openMessage(crypto, raw, me, sender.value)
    : openPlaintextEnvelope(crypto, raw, sender.value);
  if (!opened.ok) return refused(opened.error.where ?? 'malformed');
  const message = storedMessage(opened.value, identity.slug, now);
  if (message === null) return refused('misrouted');
  return { type: 'message', message, nonce: opened.value.payload.message_nonce };
}

/** `now` is the wall clock, `batchAgeMs` the time since the batch began. */
export async function judgeEnvelope(
  deps: JudgeDeps,
  arrival: Arrival,
  now: number,
  batchAgeMs: () => number,
): Promise<EnvelopeVerdict> {
  const first = await attempt(deps, arrival, now, Number.POSITIVE_INFINITY);
  if (first.type !== 'refused' || !first.mayBeNews) return first;
  return attempt(deps, arrival, now, batchAgeMs());
}

/** `null` for a direct message between others, which should not have been sent here. */
function storedMessage(opened: OpenedMessage, ownSlug: string, receivedAt: number): StoredMessage | null {
  const { payload, envelopeId } = opened;
  const roomId = roomOf(opened, ownSlug);
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
    ...(opened.scripted ? { scripted: true as const } : {}),
  };
}

function roomOf({ payload, conversationId }: OpenedMessage, ownSlug: string): RoomId | null {
  if (payload.envelope_kind === 'channel') return payload.channel_id;
  if (payload.sender_slug === ownSlug)
    return payload.recipient_slug === null ? null : dmRoomId(payload.recipient_slug, conversationId);
  return payload.recipient_slug === ownSlug ? dmRoomId(payload.sender_slug, conversationId) : null;
}
