/** Sends, fetches and acknowledges messages (spec §2.2, §11). A 201 follows only after the commit. */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { toBase64Url, utf8 } from '../core/lib/bytes.ts';
import { isEnvelopeId } from '../core/puffo/ids.ts';
import { verifyObject } from '../core/puffo/signatures.ts';
import { type MessageEnvelope, messageEnvelopeSchema, plaintextEnvelopeSchema } from '../core/puffo/wire.ts';
import { say } from '../language/say.ts';
import { sendReleased, welcome } from './contacts.ts';
import {
  answer,
  type Caller,
  type RelayContext,
  type RelayRequest,
  type RouteOutcome,
  wholeNumberParam,
} from './context.ts';
import { type Delivered, type DeliveryRequest, deliver } from './delivery.ts';
import { envelopeFor, messageFrame } from './message-frames.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { signerOf } from './signers.ts';
import type { NewMailRow } from './store-port.ts';

const digestOf = (context: RelayContext, parts: readonly unknown[]): string =>
  toBase64Url(context.crypto.sha256(utf8(JSON.stringify(parts))));

function route(from: {
  readonly envelope_kind: 'channel' | 'dm';
  readonly space_id?: string | null | undefined;
  readonly channel_id?: string | null | undefined;
  readonly recipient_slug?: string | null | undefined;
}): Result<Pick<NewMailRow, 'kind' | 'spaceId' | 'channelId' | 'recipientSlug'>, Refusal> {
  const [spaceId, channelId] = [from.space_id ?? null, from.channel_id ?? null];
  const recipientSlug = from.recipient_slug ?? null;
  const channel = spaceId !== null && channelId !== null && recipientSlug === null;
  const dm = spaceId === null && channelId === null && recipientSlug !== null;
  if (from.envelope_kind === 'channel' ? !channel : !dm) {
    return refuseRequest('InvalidInput', say('relay.oneDestination'));
  }
  return ok({ kind: from.envelope_kind, spaceId, channelId, recipientSlug });
}

function ownEnvelope(id: string, sender: string, caller: Caller): Result<void, Refusal> {
  if (!isEnvelopeId(id)) return refuseRequest('InvalidInput', say('relay.envelopeIdMalformed'));
  return sender === caller.slug ? ok(undefined) : refuseRequest('FORBIDDEN', say('relay.sendAsYourself'));
}

/**
 * A channel is either encrypted or plaintext (spec §11.1), so that each member can read each message. Direct
 * messages may be either: clients from 1.1 choose.
 */
function fitsFormat(context: RelayContext, message: NewMailRow): Result<void, Refusal> {
  const channel = message.channelId === null ? null : context.store.spaces.channel(message.channelId);
  if (!channel || channel.isEncrypted === message.encrypted) return ok(undefined);
  return refuseRequest(
    'CHANNEL_FORMAT_MISMATCH',
    channel.isEncrypted ? say('relay.conversationEncrypted') : say('relay.channelPlaintext'),
  );
}

/** Frame bytes for its own members and one entry of `recipients`, which has at most 300. */
const frameOverhead = 2_048;

/** A frame above the readers' cap would cost each of them the connection. */
export function fitsFrame(context: RelayContext, { body }: NewMailRow): Result<void, Refusal> {
  const room = context.limits.wsFrameBytes - frameOverhead;
  if (body.length * 3 <= room || utf8(body).length <= room) return ok(undefined);
  return refuseRequest('PAYLOAD_TOO_LARGE', say('relay.messageTooLong'));
}

async function accept(
  context: RelayContext,
  request: Omit<DeliveryRequest, 'now' | 'heldPerStranger'>,
): Promise<RouteOutcome> {
  const { message } = request;
  const short = fitsFrame(context, message);
  if (!short.ok) return short;
  const done = await context.queue.run(() => {
    const fits = fitsFormat(context, message);
    if (!fits.ok) return fits;
    const now = context.clock.now();
    const { heldPerStranger } = context.limits;
    const delivered = deliver(context.store, { ...request, now, heldPerStranger });
    return delivered.ok ? ok({ ...delivered.value, freed: welcome(context.store, message, now) }) : delivered;
  });
  if (!done.ok) return done;
  const { seq, envelopeId, devicesQueued, missing, held } = done.value;
  publishDelivered(context, message, done.value);
  sendReleased(context, done.value.freed);
  return answer(
    {
      ok: true,
      envelope_id: envelopeId,
      devices_queued: devicesQueued,
      seq,
      missing_devices: missing,
      ...(held ? { held: true } : {}),
    },
    201,
  );
}

/** Sends the message live; call after the commit. */
export function publishDelivered(
  context: RelayContext,
  message: NewMailRow,
  { seq, fresh, held }: Delivered,
): void {
  for (const { deviceId, entry } of fresh) {
    context.hub.sendToDevice(deviceId, messageFrame(seq, message.body, entry));
  }
  if (held && message.recipientSlug !== null) announceContact(context, message);
}

/** Tells the recipient that a sender waits for permission; contains nothing of the message. */
function announceContact(context: RelayContext, { senderSlug, recipientSlug }: NewMailRow): void {
  const { contacts } = context.store;
  if (recipientSlug === null || contacts.verdict(recipientSlug, senderSlug) === 'block') return;
  context.hub.sendToSlugs([recipientSlug], { type: 'contact_request', slug: senderSlug });
}

export const rawSchema = z.record(z.string(), z.unknown());

const deviceForm = /^dev_[A-Za-z0-9_-]{43}$/;
const encForm = /^[A-Za-z0-9_-]{43}=?$/;
const wrappedForm = /^[A-Za-z0-9_-]{64}$/;

/**
 * The entries by device id; `null` if one is malformed. Unknown members are dropped: they would go out in one
 * reader's frame, and could exceed that reader's cap (T24).
 */
function entriesOf({ recipients }: MessageEnvelope): ReadonlyMap<string, string> | null {
  const entries = new Map<string, string>();
  for (const { device_id, hpke_enc, wrapped_content_key } of recipients) {
    const fits =
      deviceForm.test(device_id) && encForm.test(hpke_enc) && wrappedForm.test(wrapped_content_key);
    if (!fits) return null;
    entries.set(device_id, JSON.stringify({ device_id, hpke_enc, wrapped_content_key }));
  }
  return entries;
}

export type Sendable = Pick<DeliveryRequest, 'message' | 'entries'>;

/** `raw` is the envelope as received, including unknown members. */
export function sealedMessage(
  context: RelayContext,
  raw: Readonly<Record<string, unknown>>,
  envelope: MessageEnvelope,
  caller: Caller,
): Result<Sendable, Refusal> {
  const own = ownEnvelope(envelope.envelope_id, envelope.sender_slug, caller);
  if (!own.ok) return own;
  const to = route(envelope);
  if (!to.ok) return to;
  const { recipients: _, ...kept } = raw;
  const entries = entriesOf(envelope);
  if (entries === null) return refuseRequest('InvalidInput', say('relay.recipientsMalformed'));
  return ok({
    entries,
    message: {
      ...to.value,
      envelopeId: envelope.envelope_id,
      senderSlug: caller.slug,
      sentAt: envelope.sent_at,
      receivedAt: context.clock.now(),
      encrypted: true,
      body: JSON.stringify(kept),
      digest: digestOf(context, [
        'sealed',
        to.value,
        envelope.sent_at,
        envelope.content_nonce,
        envelope.content_ciphertext,
      ]),
    },
  });
}

export async function sendMessage(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const raw = request.json(rawSchema);
  const parsed = request.json(messageEnvelopeSchema);
  if (!raw.ok) return raw;
  if (!parsed.ok) return parsed;
  const sendable = sealedMessage(context, raw.value, parsed.value, caller);
  return sendable.ok ? await accept(context, sendable.value) : sendable;
}

export async function sendPlaintext(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const raw = request.json(z.object({ signed_payload: z.object({ payload: rawSchema }) }));
  const parsed = request.json(plaintextEnvelopeSchema);
  const text = request.json(rawSchema);
  if (!parsed.ok) return parsed;
  if (!raw.ok) return raw;
  if (!text.ok) return text;
  const { payload, signature } = parsed.value.signed_payload;
  const own = ownEnvelope(parsed.value.envelope_id, payload.sender_slug, caller);
  if (!own.ok) return own;
  const to = route(payload);
  if (!to.ok) return to;
  const signer = signerOf(context.store.people, payload.sender_subkey_id, context.clock.now());
  const held =
    signer?.slug === caller.slug &&
    verifyObject(context.crypto, raw.value.signed_payload.payload, signature, signer.publicKey).ok;
  if (!held) return refuseRequest('FORBIDDEN', say('relay.messageSignatureInvalid'));
  return await accept(context, {
    entries: null,
    message: {
      ...to.value,
      envelopeId: parsed.value.envelope_id,
      senderSlug: caller.slug,
      sentAt: payload.sent_at,
      receivedAt: context.clock.now(),
      encrypted: false,
      body: JSON.stringify(text.value),
      // Ed25519 is deterministic: one signature means one content by one key.
      digest: digestOf(context, ['plain', signature]),
    },
  });
}

/** Bytes of one page of pending messages; a page always has at least one message. */
const pageBytes = 8 * 1024 * 1024;
/**
 * A client that sends no `limit` reads one page only (0.8.1 and 2.x), so it gets as much as clients accept.
 */
const wholeBytes = 48 * 1024 * 1024;

/** Rows read from the store at once, so that a page never holds more than its bytes in memory. */
const rowsAtOnce = 200;

/**
 * Builds the page as JSON text, because parsing the stored envelopes only to serialise them again costs time.
 */
export function listPending(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const { query } = request;
  const isPaged = query.has('limit');
  const limit = isPaged ? Math.max(1, wholeNumberParam(query, 'limit', 500, 1000)) : Number.POSITIVE_INFINITY;
  const mostBytes = isPaged ? pageBytes : wholeBytes;
  // A client that requests the messages of one sender acknowledges all it gets.
  const only = { kind: query.get('kind'), sender: query.get('sender') };
  const page = (parts: readonly string[], more: boolean): RouteOutcome =>
    answer(`{"messages":[${parts.join(',')}],"has_more":${more}}`);
  const parts: string[] = [];
  let bytes = 0;
  let after = wholeNumberParam(query, 'after', 0, Number.MAX_SAFE_INTEGER);
  for (;;) {
    const rows = context.store.mail.pending(caller.deviceId, after, rowsAtOnce, only);
    for (const row of rows) {
      const part = `{"seq":${row.seq},"envelope":${envelopeFor(row.body, row.entry)}}`;
      if (parts.length === limit || (parts.length > 0 && bytes + part.length > mostBytes))
        return page(parts, true);
      parts.push(part);
      bytes += part.length;
      after = row.seq;
    }
    if (rows.length < rowsAtOnce) return page(parts, false);
  }
}

const ackSchema = z.object({ envelope_ids: z.array(z.string().max(200)).max(1000) });

export async function acknowledgeMessages(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(ackSchema);
  if (!body.ok) return body;
  const done = await context.queue.run(() =>
    ok(context.store.mail.acknowledge(caller.deviceId, body.value.envelope_ids)),
  );
  return done.ok ? answer({ ok: true, acknowledged: done.value }) : done;
}
