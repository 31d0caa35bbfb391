/**
 * Sends one message to the server. The first body is stored before it is sent and resent byte for byte, so a
 * lost response never causes a second message; devices that the server reports missing get the same envelope
 * (spec §11.2). In a channel that is not encrypted the message is signed plaintext (spec §11.1), but never in
 * one that was known as encrypted.
 */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { subkeyLifetimeMs } from '../../core/puffo/certificates.ts';
import { addRecipients, type RecipientDevice, sealMessage } from '../../core/puffo/envelope.ts';
import type { Session } from '../../core/puffo/identity.ts';
import { createPlaintextEnvelope } from '../../core/puffo/plaintext-envelope.ts';
import type { OutboxRow } from '../../core/puffo/stored-message.ts';
import {
  type MessageEnvelope,
  messageEnvelopeSchema,
  plaintextEnvelopeSchema,
} from '../../core/puffo/wire.ts';
import { parseJson } from './parse-json.ts';
import type { Recipients, SendFault, SendRoute } from './recipients.ts';
import { isTransient, plainError, type RequestError } from './request-error.ts';
import type { SendFormat, SendFormats } from './send-formats.ts';
import type { SignedClient } from './signed-client.ts';
import type { Subkeys } from './subkeys.ts';

export interface DeliveryDeps {
  readonly slug: string;
  readonly store: AccountStore;
  readonly client: SignedClient;
  readonly subkeys: Subkeys;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly recipients: Recipients;
  readonly formats: SendFormats;
}

/** A failed send, with the server's requested delay before the next attempt, if any. */
export interface DeliveryFault extends SendFault {
  readonly retryAfterMs: number | null;
  /** True if the server cannot be reached, so no other message would get through either. */
  readonly unreachable: boolean;
  /** True if the server requires the other format in this channel. */
  readonly mismatch?: boolean;
}

interface Sealed {
  readonly body: string;
  readonly envelope: MessageEnvelope;
  readonly contentKey: Uint8Array;
}

const answerSchema = z.looseObject({
  /** True if the recipient must allow the sender first (spec §11.4). */
  held: z.boolean().nullish(),
  missing_devices: z
    .array(
      z.union([z.string(), z.looseObject({ device_id: z.string() }).transform((device) => device.device_id)]),
    )
    .nullish(),
});

const maxRounds = 4;
/** Half of the tolerance of Kennel's readers. */
const oldestBeforeKeyMs = 12 * 3_600_000;
/** Leaves room for one recipient's entry in a frame of 1 MiB. */
const maxCiphertextChars = 1_000_000;
const tooLong = fail('too_large', 'server.messageTooLarge');

const local = (fault: SendFault): Result<never, DeliveryFault> =>
  err({ ...fault, retryAfterMs: null, unreachable: false });

const mismatchText = /is plaintext; send via|is encrypted; send a sealed envelope/;

function ofServer(error: RequestError): Result<never, DeliveryFault> {
  return err({
    error: plainError(error),
    transient: isTransient(error),
    retryAfterMs: error.retryAfterMs,
    unreachable: error.status === null,
    mismatch: error.serverCode === 'CHANNEL_FORMAT_MISMATCH' || mismatchText.test(error.serverText),
  });
}

const downgraded = fail('untrusted', 'server.channelDowngraded', {}, { help: 'server.askWhatHappened' });
const openAfterAll = fail('untrusted', 'server.channelTurnedPlain', {}, { help: 'server.sendAgainInClear' });
const atOdds = fail('protocol', 'server.messageFormRefused');

export const routeOf = (row: OutboxRow): SendRoute | null => {
  if (row.kind === 'dm')
    return row.recipientSlug === null ? null : { kind: 'dm', recipientSlug: row.recipientSlug };
  if (row.spaceId === null || row.channelId === null) return null;
  return { kind: 'channel', spaceId: row.spaceId, channelId: row.channelId };
};

/** The signed plaintext body of an earlier attempt, or `null` if that was encrypted or did not happen. */
function storedPlain(row: OutboxRow): { readonly body: string; readonly subkeyId: string } | null {
  const parsed = row.sealed === null ? null : parseJson(row.sealed);
  const envelope = parsed?.ok ? plaintextEnvelopeSchema.safeParse(parsed.value) : null;
  if (row.sealed === null || !envelope?.success) return null;
  return { body: row.sealed, subkeyId: envelope.data.signed_payload.payload.sender_subkey_id };
}

/** A note for the sender if the server holds the message until its reader agrees. */
const waits = (route: SendRoute, answer: z.infer<typeof answerSchema> | null): string | undefined =>
  route.kind === 'dm' && answer?.held === true
    ? `Waits at the server until ${route.recipientSlug} lets you write.`
    : undefined;

export class MessageDelivery {
  readonly #deps: DeliveryDeps;

  /** ms; the last time of sending that replaced a time of writing. */
  #lastSentAt = 0;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Resolves once the server has the message for every reachable device; with a note if it is held there. */
  async deliver(row: OutboxRow): Promise<Result<string | undefined, DeliveryFault>> {
    const route = routeOf(row);
    if (route === null) {
      return local({
        error: fail('invalid_input', 'server.messageRoomMissing'),
        transient: false,
      });
    }
    const used = this.#deps.formats.of(row.channelId);
    const sent = await this.#send(row, route, used);
    if (sent.ok || !sent.error.mismatch || row.channelId === null) return sent;
    return this.#otherForm(row, route, used, row.channelId);
  }

  /** Retries once in the other format, under the same id: the server has accepted nothing so far. */
  async #otherForm(
    row: OutboxRow,
    route: SendRoute,
    used: SendFormat,
    channelId: string,
  ): Promise<Result<string | undefined, DeliveryFault>> {
    const { formats } = this.#deps;
    const shownSealed = formats.shownSealed(channelId);
    const wanted = await formats.reread(channelId);
    if (!wanted.ok) return ofServer(wanted.error);
    if (formats.disputed(channelId)) return local({ error: downgraded, transient: false });
    // Written while the channel was shown as encrypted: plaintext needs an explicit confirmation.
    if (shownSealed && wanted.value === 'plain') return local({ error: openAfterAll, transient: false });
    return wanted.value === used
      ? local({ error: atOdds, transient: false })
      : this.#send(row, route, wanted.value);
  }

  /** Resends the stored body of an earlier attempt, if its format is still right. */
  async #send(
    row: OutboxRow,
    route: SendRoute,
    format: SendFormat,
  ): Promise<Result<string | undefined, DeliveryFault>> {
    if (format === 'plain') {
      const session = await this.#deps.subkeys.current();
      if (!session.ok) return ofServer(session.error);
      const stored = storedPlain(row);
      // The server checks the signing key on arrival: a key renewed meanwhile signs the same message anew.
      const isCurrent = stored?.subkeyId === session.value.subkeyId;
      const body = stored && isCurrent ? ok(stored.body) : this.#sign(row, session.value);
      return body.ok ? this.#postPlain(body.value) : body;
    }
    const afresh = row.sealed === null || storedPlain(row) !== null;
    const sealed = afresh ? await this.#seal(row, route) : this.#stored(row);
    if (!sealed.ok) return sealed;
    const sent = await this.#post(sealed.value, route);
    if (sent.ok && route.kind === 'channel') this.#deps.formats.sealedTaken(route.channelId);
    return sent;
  }

  #sign(row: OutboxRow, session: Session): Result<string, DeliveryFault> {
    const { crypto, store } = this.#deps;
    const made = createPlaintextEnvelope(crypto, this.#draft(row, session));
    if (!made.ok) return local({ error: made.error, transient: false });
    const body = JSON.stringify(made.value);
    if (body.length > maxCiphertextChars) return local({ error: tooLong, transient: false });
    const { message_nonce: nonce, sent_at: sentAt } = made.value.signed_payload.payload;
    store.outboxSealed(row.envelopeId, body, '', nonce, sentAt);
    return ok(body);
  }

  async #postPlain(body: string): Promise<Result<string | undefined, DeliveryFault>> {
    const target = '/v2/messages/plaintext';
    const answer = await this.#deps.client.json('POST', target, answerSchema.nullable(), { body });
    // A taken id is this message's own: an earlier attempt arrived but its response was lost.
    return answer.ok || answer.error.status === 409 ? ok(undefined) : ofServer(answer.error);
  }

  /**
   * Readers refuse a time that the signing key does not cover (T7). A message that was written in the future of a wrong
   * clock (F8), or long before this key was made (F9), therefore gets the time of sending; order is kept (I3).
   */
  #sentAt(createdAt: number, { expiresAt }: Session): number {
    const now = this.#deps.clock.now();
    const earliest = expiresAt - subkeyLifetimeMs - oldestBeforeKeyMs;
    if (createdAt >= earliest && createdAt <= now) return createdAt;
    this.#lastSentAt = Math.max(now, this.#lastSentAt + 1);
    return this.#lastSentAt;
  }

  #draft(row: OutboxRow, session: Session) {
    return {
      envelopeId: row.envelopeId,
      kind: row.kind,
      senderSlug: this.#deps.slug,
      spaceId: row.spaceId,
      channelId: row.channelId,
      recipientSlug: row.recipientSlug,
      sentAt: this.#sentAt(row.createdAt, session),
      threadRootId: row.threadRootId,
      replyToId: null,
      contentType: row.contentType,
      content: row.content,
      visible: row.visible,
      session,
    };
  }

  async #seal(row: OutboxRow, route: SendRoute): Promise<Result<Sealed, DeliveryFault>> {
    const { subkeys, crypto, recipients, store } = this.#deps;
    const session = await subkeys.current();
    if (!session.ok) return ofServer(session.error);
    const devices = await recipients.devices(route, false);
    if (!devices.ok) return local(devices.error);
    const made = sealMessage(crypto, {
      ...this.#draft(row, session.value),
      recipients: devices.value,
    });
    if (!made.ok) return local({ error: made.error, transient: false });
    const { envelope, contentKey, messageNonce } = made.value;
    if (envelope.content_ciphertext.length > maxCiphertextChars)
      return local({ error: tooLong, transient: false });
    const body = JSON.stringify(envelope);
    store.outboxSealed(row.envelopeId, body, toBase64Url(contentKey), messageNonce, envelope.sent_at);
    return ok({ body, envelope, contentKey });
  }

  #stored(row: OutboxRow): Result<Sealed, DeliveryFault> {
    const body = row.sealed ?? '';
    const parsed = parseJson(body);
    const envelope = parsed.ok ? messageEnvelopeSchema.safeParse(parsed.value) : null;
    const contentKey = fromBase64Url(row.contentKey ?? '');
    if (envelope?.success && contentKey?.length === 32)
      return ok({ body, envelope: envelope.data, contentKey });
    return local({
      error: fail('corrupt', 'server.outboxMessageUnreadable'),
      transient: false,
    });
  }

  async #post(sealed: Sealed, route: SendRoute): Promise<Result<string | undefined, DeliveryFault>> {
    let body = sealed.body;
    let recipients = sealed.envelope.recipients;
    let refused: Result<never, DeliveryFault> | null = null;
    for (let round = 0; round < maxRounds; round += 1) {
      const answer = await this.#deps.client.json('POST', '/messages', answerSchema.nullable(), { body });
      if (!answer.ok) {
        // A taken id is this message's own: an earlier attempt arrived but its response was lost.
        if (answer.error.status === 409) return ok(undefined);
        const without = recipients.filter(({ device_id }) => !answer.error.devices.includes(device_id));
        if (without.length === recipients.length || without.length === 0) return ofServer(answer.error);
        refused = ofServer(answer.error);
        recipients = without;
        body = JSON.stringify({ ...sealed.envelope, recipients });
        continue;
      }
      refused = null;
      const missing = answer.value?.missing_devices ?? [];
      const extra = missing.length === 0 ? [] : await this.#trusted(route, new Set(missing));
      if (extra.length === 0) return ok(waits(route, answer.value));
      const more = addRecipients(this.#deps.crypto, sealed.envelope, sealed.contentKey, extra);
      if (!more.ok) return ok(undefined);
      recipients = more.value.recipients;
      body = JSON.stringify(more.value);
    }
    return refused ?? ok(undefined);
  }

  /** The missing devices that belong to verified members; devices invented by the server are ignored. */
  async #trusted(route: SendRoute, missing: ReadonlySet<string>): Promise<readonly RecipientDevice[]> {
    const devices = await this.#deps.recipients.devices(route, true);
    return devices.ok ? devices.value.filter(({ deviceId }) => missing.has(deviceId)) : [];
  }
}
