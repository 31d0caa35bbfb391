/**
 * Sealed messages (spec §1.6): a signed payload under a fresh content key, which is wrapped for every
 * recipient device. Opening checks everything that a hostile server could change, with a separate reason for
 * each refusal.
 */

import { isRecord } from '../../contract/is-record.ts';
import { ok, type Result } from '../../contract/result.ts';
import { type ChannelId, isConversationId, type SpaceId } from '../../contract/room-id.ts';
import { say } from '../../language/say.ts';
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, KeyPair } from '../ports.ts';
import { messageHpkeInfo, messageOuterAad, type OuterRoute, wrapAad } from './aad.ts';
import { parseObject } from './canonical-json.ts';
import { hpkeOpen, hpkeSeal } from './hpke.ts';
import type { Session } from './identity.ts';
import { type MessageDraft, signPayload, verifyPayload } from './payload.ts';
import { refuseWire } from './refusal.ts';
import type { VerifiedIdentity } from './registry.ts';
import {
  type MessageEnvelope,
  type MessagePayload,
  messageEnvelopeSchema,
  plaintextEnvelopeSchema,
} from './wire.ts';

export interface RecipientDevice {
  readonly deviceId: string;
  /** base64url X25519 key. */
  readonly kemPublicKey: string;
}

export interface SealInput extends MessageDraft {
  readonly envelopeId: string;
  readonly session: Session;
  /** All devices of all members, including the sender's own. */
  readonly recipients: readonly RecipientDevice[];
  /** The sender follows a script: said beside the signed payload, which other clients verify whole (ADR 48). */
  readonly scripted?: boolean;
  /** Conversation of the direct message, beside the signed payload like `scripted` (ADR 50). */
  readonly conversationId?: string | null;
}

export interface SealedMessage {
  /** Body of `POST /messages`. */
  readonly envelope: MessageEnvelope;
  /** 32 bytes, to wrap for devices that the server reports missing. */
  readonly contentKey: Uint8Array;
  /** Nonce of the payload, which reveals a replay under another envelope id. */
  readonly messageNonce: string;
}

type Recipients = MessageEnvelope['recipients'];

/** Compact JSON with ASCII escapes, as 0.8.1 writes it. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

type RouteFields = Pick<
  MessageEnvelope,
  'envelope_id' | 'envelope_kind' | 'sender_slug' | 'sent_at' | 'space_id' | 'channel_id' | 'recipient_slug'
>;

const outerRoute = (envelope: RouteFields): OuterRoute => ({
  envelopeId: envelope.envelope_id,
  kind: envelope.envelope_kind,
  senderSlug: envelope.sender_slug,
  sentAt: envelope.sent_at,
  spaceId: envelope.space_id,
  channelId: envelope.channel_id,
  recipientSlug: envelope.recipient_slug,
});

function wrapFor(
  engine: CryptoEngine,
  envelopeId: string,
  contentKey: Uint8Array,
  devices: readonly RecipientDevice[],
): Result<Recipients> {
  const recipients: Recipients = [];
  for (const device of new Map(devices.map((each) => [each.deviceId, each])).values()) {
    const key = fromBase64Url(device.kemPublicKey);
    const aad = wrapAad(envelopeId, device.deviceId);
    if (!aad.ok) return aad;
    const sealed = key?.length === 32 ? hpkeSeal(engine, key, messageHpkeInfo, aad.value, contentKey) : null;
    if (!sealed)
      return refuseWire('weak_kem_key', say('server.weakRecipientKey', { deviceId: device.deviceId }));
    recipients.push({
      device_id: device.deviceId,
      hpke_enc: toBase64Url(sealed.enc),
      wrapped_content_key: toBase64Url(sealed.ciphertext),
    });
  }
  return ok(recipients);
}

/** The members beside the signed payload; none for most messages, whose bytes stay as they were. */
const besidePayload = ({ scripted, conversationId }: SealInput): Readonly<Record<string, unknown>> => ({
  ...(scripted === true ? { sender_script: true } : {}),
  ...(conversationId == null ? {} : { conversation_id: conversationId }),
});

/**
 * Errors: `not_canonical`, `no_recipients`, `weak_kem_key` and those of the route (`missing_route`,
 * `empty_field`, …).
 */
export function sealMessage(engine: CryptoEngine, input: SealInput): Result<SealedMessage> {
  if (input.recipients.length === 0) return refuseWire('no_recipients', say('server.messageWithoutDevice'));
  const signed = signPayload(engine, input, input.session);
  if (!signed.ok) return signed;
  const contentKey = engine.randomBytes(32);
  const nonce = engine.randomBytes(12);
  const head = {
    type: 'message_envelope' as const,
    version: 1 as const,
    envelope_id: input.envelopeId,
    envelope_kind: input.kind,
    sender_slug: input.senderSlug,
    sent_at: input.sentAt,
    space_id: input.spaceId,
    channel_id: input.channelId,
    recipient_slug: input.recipientSlug,
    content_nonce: toBase64Url(nonce),
  };
  const aad = messageOuterAad(outerRoute(head));
  if (!aad.ok) return aad;
  const recipients = wrapFor(engine, input.envelopeId, contentKey, input.recipients);
  if (!recipients.ok) return recipients;
  const content = { ...signed.value, ...besidePayload(input) };
  const ciphertext = engine.aeadSeal(contentKey, nonce, aad.value, utf8(asciiJson(content)));
  const envelope = { ...head, content_ciphertext: toBase64Url(ciphertext), recipients: recipients.value };
  return ok({ envelope, contentKey, messageNonce: signed.value.payload.message_nonce });
}

/**
 * The same envelope for further devices: identical id, nonce, ciphertext and route, only the new `recipients`
 * (§11.2).
 */
export function addRecipients(
  engine: CryptoEngine,
  envelope: MessageEnvelope,
  contentKey: Uint8Array,
  devices: readonly RecipientDevice[],
): Result<MessageEnvelope> {
  const recipients = wrapFor(engine, envelope.envelope_id, contentKey, devices);
  return recipients.ok ? ok({ ...envelope, recipients: recipients.value }) : recipients;
}

export interface OpenedMessage {
  readonly envelopeId: string;
  readonly payload: MessagePayload;
  readonly encrypted: boolean;
  /** The sender says that it follows a script. */
  readonly scripted: boolean;
  /** Conversation of a direct message; `null` if the sender names none. */
  readonly conversationId: string | null;
}

export interface OpeningDevice {
  readonly deviceId: string;
  /** Raw X25519 secret. */
  readonly kemSecret: Uint8Array;
}

const malformed = () => refuseWire('malformed', say('server.invalidEnvelope'));

function unwrapKey(engine: CryptoEngine, envelope: MessageEnvelope, me: OpeningDevice): Result<Uint8Array> {
  const entry = envelope.recipients.find((recipient) => recipient.device_id === me.deviceId);
  if (!entry) return refuseWire('not_for_me', say('server.messageNotForDevice'));
  const enc = fromBase64Url(entry.hpke_enc);
  const ciphertext = fromBase64Url(entry.wrapped_content_key);
  const aad = wrapAad(envelope.envelope_id, me.deviceId);
  if (!enc || !ciphertext || !aad.ok) return malformed();
  const mine = ownKeyPair(engine, me.kemSecret);
  const key = hpkeOpen(engine, mine, { enc, ciphertext }, messageHpkeInfo, aad.value);
  return key?.length === 32 ? ok(key) : refuseWire('bad_wrap', say('server.keyNotForDevice'));
}

/** Cached public keys, computed once per secret object. */
const ownKeys = new WeakMap<Uint8Array, KeyPair>();

function ownKeyPair(engine: CryptoEngine, secret: Uint8Array): KeyPair {
  const known = ownKeys.get(secret) ?? engine.x25519KeyPair(secret);
  ownKeys.set(secret, known);
  return known;
}

function openContent(engine: CryptoEngine, envelope: MessageEnvelope, key: Uint8Array): Result<unknown> {
  const nonce = fromBase64Url(envelope.content_nonce);
  if (nonce?.length !== 12) return refuseWire('bad_nonce', say('server.invalidMessageNonce'));
  const ciphertext = fromBase64Url(envelope.content_ciphertext);
  if (!ciphertext) return malformed();
  const aad = messageOuterAad(outerRoute(envelope));
  if (!aad.ok) return aad;
  const plaintext = engine.aeadOpen(key, nonce, aad.value, ciphertext);
  if (!plaintext) return refuseWire('bad_tag', say('server.messageChanged'));
  const text = fromUtf8(plaintext);
  return text === null ? malformed() : parseObject(text);
}

const same = (a: string | null | undefined, b: string | null | undefined): boolean =>
  (a ?? null) === (b ?? null);

function routesAgree(payload: MessagePayload, envelope: MessageEnvelope): boolean {
  return (
    payload.envelope_kind === envelope.envelope_kind &&
    payload.sent_at === envelope.sent_at &&
    same(payload.space_id, envelope.space_id) &&
    same(payload.channel_id, envelope.channel_id) &&
    same(payload.recipient_slug, envelope.recipient_slug)
  );
}

/**
 * `raw`: parsed JSON as received. Checks shape, wrap, tag, sender, the sender's chain at `sent_at`,
 * signature, and that inner and outer routes agree. Errors have their reason in `where`.
 */
export function openMessage(
  engine: CryptoEngine,
  raw: unknown,
  me: OpeningDevice,
  sender: VerifiedIdentity,
): Result<OpenedMessage> {
  const parsed = messageEnvelopeSchema.safeParse(raw);
  if (!parsed.success) return malformed();
  const envelope = parsed.data;
  if (envelope.sender_slug !== sender.slug) {
    return refuseWire(
      'sender_mismatch',
      say('server.envelopeSenderMismatch', { sender_slug: envelope.sender_slug, slug: sender.slug }),
    );
  }
  const key = unwrapKey(engine, envelope, me);
  if (!key.ok) return key;
  const signed = openContent(engine, envelope, key.value);
  if (!signed.ok) return signed;
  const payload = verifyPayload(engine, signed.value, sender);
  if (!payload.ok) return payload;
  if (!routesAgree(payload.value, envelope)) {
    return refuseWire('route_mismatch', say('server.messageRouteMismatch'));
  }
  const beside = isRecord(signed.value) ? signed.value : {};
  return ok({
    envelopeId: envelope.envelope_id,
    payload: payload.value,
    encrypted: true,
    scripted: beside.sender_script === true,
    conversationId: isConversationId(beside.conversation_id) ? beside.conversation_id : null,
  });
}

/** Unverified route of an envelope of either form, to choose the registry and the room. */
export interface EnvelopeRoute {
  readonly envelopeId: string;
  readonly encrypted: boolean;
  readonly kind: 'channel' | 'dm';
  readonly senderSlug: string;
  readonly sentAt: number;
  readonly spaceId: SpaceId | null;
  readonly channelId: ChannelId | null;
  readonly recipientSlug: string | null;
}

export function envelopeRoute(raw: unknown): Result<EnvelopeRoute> {
  if (isRecord(raw) && raw.type === 'plaintext_message_envelope') {
    const plain = plaintextEnvelopeSchema.safeParse(raw);
    return plain.success
      ? ok(route(plain.data.envelope_id, plain.data.signed_payload.payload, false))
      : malformed();
  }
  const sealed = messageEnvelopeSchema.safeParse(raw);
  return sealed.success ? ok(route(sealed.data.envelope_id, sealed.data, true)) : malformed();
}

function route(
  envelopeId: string,
  fields: MessageEnvelope | MessagePayload,
  encrypted: boolean,
): EnvelopeRoute {
  return {
    envelopeId,
    encrypted,
    kind: fields.envelope_kind,
    senderSlug: fields.sender_slug,
    sentAt: fields.sent_at,
    spaceId: fields.space_id ?? null,
    channelId: fields.channel_id ?? null,
    recipientSlug: fields.recipient_slug ?? null,
  };
}
