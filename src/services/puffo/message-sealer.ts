/**
 * Makes the body of a message: encrypted for every device of the room, or signed plaintext. A body is stored
 * before it is returned, so that another attempt sends the same bytes.
 */
import { fail } from '../../contract/fail.ts';
import { ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { subkeyLifetimeMs } from '../../core/puffo/certificates.ts';
import { addRecipients, sealMessage } from '../../core/puffo/envelope.ts';
import type { Session } from '../../core/puffo/identity.ts';
import { createPlaintextEnvelope } from '../../core/puffo/plaintext-envelope.ts';
import type { OutboxRow } from '../../core/puffo/stored-message.ts';
import {
  type MessageEnvelope,
  messageEnvelopeSchema,
  plaintextEnvelopeSchema,
} from '../../core/puffo/wire.ts';
import { type DeliveryFault, failedHere, refusedByServer } from './delivery-fault.ts';
import { parseJson } from './parse-json.ts';
import type { Recipients, SendRoute } from './recipients.ts';
import type { Subkeys } from './subkeys.ts';

export interface MessageSealerDeps {
  readonly sender: { readonly slug: string; isScripted(): boolean };
  readonly store: AccountStore;
  readonly subkeys: Subkeys;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly recipients: Recipients;
}

export interface SealedBody {
  readonly body: string;
  readonly envelope: MessageEnvelope;
  readonly contentKey: Uint8Array;
}

/** Half of the tolerance of Kennel's readers. */
const oldestBeforeKeyMs = 12 * 3_600_000;
/** Leaves room for one recipient's entry in a frame of 1 MiB. */
const maxCiphertextChars = 1_000_000;
const tooLong = fail('too_large', 'server.messageTooLarge');

/** The signed plaintext body of an earlier attempt, or `null` if that was encrypted or did not happen. */
function storedPlain(row: OutboxRow): { readonly body: string; readonly subkeyId: string } | null {
  const parsed = row.sealed === null ? null : parseJson(row.sealed);
  const envelope = parsed?.ok ? plaintextEnvelopeSchema.safeParse(parsed.value) : null;
  if (row.sealed === null || !envelope?.success) return null;
  return { body: row.sealed, subkeyId: envelope.data.signed_payload.payload.sender_subkey_id };
}

export class MessageSealer {
  readonly #deps: MessageSealerDeps;

  /** ms; the last time of sending that replaced a time of writing. */
  #lastSentAt = 0;

  constructor(deps: MessageSealerDeps) {
    this.#deps = deps;
  }

  /** Signed plaintext: the stored body, unless the signing key was renewed since. */
  async plainBody(row: OutboxRow): Promise<Result<string, DeliveryFault>> {
    const session = await this.#deps.subkeys.current();
    if (!session.ok) return refusedByServer(session.error);
    const stored = storedPlain(row);
    // The server checks the signing key on arrival: a key renewed meanwhile signs the same message anew.
    const isCurrent = stored?.subkeyId === session.value.subkeyId;
    return stored && isCurrent ? ok(stored.body) : this.#sign(row, session.value);
  }

  /** The stored envelope of an earlier attempt, or a new one. */
  async sealed(row: OutboxRow, route: SendRoute): Promise<Result<SealedBody, DeliveryFault>> {
    const afresh = row.sealed === null || storedPlain(row) !== null;
    return afresh ? this.#seal(row, route) : this.#stored(row);
  }

  /**
   * The envelope with the devices that the server reports missing, as far as they belong to verified members;
   * `null` if none does. Devices invented by the server are ignored.
   */
  async withMissing(
    { envelope, contentKey }: SealedBody,
    route: SendRoute,
    missing: readonly string[],
  ): Promise<Result<MessageEnvelope> | null> {
    if (missing.length === 0) return null;
    const wanted = new Set(missing);
    const devices = await this.#deps.recipients.devices(route, true);
    const extra = devices.ok ? devices.value.filter(({ deviceId }) => wanted.has(deviceId)) : [];
    return extra.length === 0 ? null : addRecipients(this.#deps.crypto, envelope, contentKey, extra);
  }

  #sign(row: OutboxRow, session: Session): Result<string, DeliveryFault> {
    const { crypto, store } = this.#deps;
    const made = createPlaintextEnvelope(crypto, this.#draft(row, session));
    if (!made.ok) return failedHere({ error: made.error, transient: false });
    const body = JSON.stringify(made.value);
    if (body.length > maxCiphertextChars) return failedHere({ error: tooLong, transient: false });
    const { message_nonce: nonce, sent_at: sentAt } = made.value.signed_payload.payload;
    store.outboxSealed(row.envelopeId, body, '', nonce, sentAt);
    return ok(body);
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
      senderSlug: this.#deps.sender.slug,
      spaceId: row.spaceId,
      channelId: row.channelId,
      recipientSlug: row.recipientSlug,
      conversationId: row.conversationId ?? null,
      sentAt: this.#sentAt(row.createdAt, session),
      threadRootId: row.threadRootId,
      replyToId: null,
      contentType: row.contentType,
      content: row.content,
      visible: row.visible,
      scripted: this.#deps.sender.isScripted(),
      session,
    };
  }

  async #seal(row: OutboxRow, route: SendRoute): Promise<Result<SealedBody, DeliveryFault>> {
    const { subkeys, crypto, recipients, store } = this.#deps;
    const session = await subkeys.current();
    if (!session.ok) return refusedByServer(session.error);
    const devices = await recipients.devices(route, false);
    if (!devices.ok) return failedHere(devices.error);
    const made = sealMessage(crypto, {
      ...this.#draft(row, session.value),
      recipients: devices.value,
    });
    if (!made.ok) return failedHere({ error: made.error, transient: false });
    const { envelope, contentKey, messageNonce } = made.value;
    if (envelope.content_ciphertext.length > maxCiphertextChars)
      return failedHere({ error: tooLong, transient: false });
    const body = JSON.stringify(envelope);
    store.outboxSealed(row.envelopeId, body, toBase64Url(contentKey), messageNonce, envelope.sent_at);
    return ok({ body, envelope, contentKey });
  }

  #stored(row: OutboxRow): Result<SealedBody, DeliveryFault> {
    const body = row.sealed ?? '';
    const parsed = parseJson(body);
    const envelope = parsed.ok ? messageEnvelopeSchema.safeParse(parsed.value) : null;
    const contentKey = fromBase64Url(row.contentKey ?? '');
    if (envelope?.success && contentKey?.length === 32)
      return ok({ body, envelope: envelope.data, contentKey });
    return failedHere({
      error: fail('corrupt', 'server.outboxMessageUnreadable'),
      transient: false,
    });
  }
}
