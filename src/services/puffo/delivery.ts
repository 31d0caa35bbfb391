/**
 * Brings one message to the server: the first body is stored before it is sent and sent again byte for byte, so a lost
 * answer never makes a second message; devices that the server misses get the same envelope (spec §11.2). In a channel
 * that is not encrypted it goes signed and in the clear (spec §11.1), never in one that was known as encrypted.
 */
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { AccountStore, Clock, CryptoEngine, OutboxRow } from '../../core/ports.ts';
import { addRecipients, type RecipientDevice, sealMessage } from '../../core/puffo/envelope.ts';
import type { Session } from '../../core/puffo/identity.ts';
import { createPlaintextEnvelope } from '../../core/puffo/plaintext-envelope.ts';
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

/** How the server asks to wait before the next try, where it does. */
export interface DeliveryFault extends SendFault {
  readonly retryAfterMs: number | null;
  /** Nothing else will get through either: the server cannot be reached. */
  readonly unreachable: boolean;
  /** The server wants the other form in this channel. */
  readonly mismatch?: boolean;
}

interface Sealed {
  readonly body: string;
  readonly envelope: MessageEnvelope;
  readonly contentKey: Uint8Array;
}

const answerSchema = z.looseObject({
  /** The recipient has to let the sender write first (spec §11.4). */
  held: z.boolean().nullish(),
  missing_devices: z
    .array(
      z.union([z.string(), z.looseObject({ device_id: z.string() }).transform((device) => device.device_id)]),
    )
    .nullish(),
});

const maxRounds = 4;
/** So that the message with one recipient's entry still fits into a frame of 1 MiB. */
const maxCiphertextChars = 1_000_000;
const tooLong = appError('too_large', 'The message is longer than a server takes.');

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

const downgraded = appError(
  'untrusted',
  'The server says that this channel is not encrypted any more, but this computer knows it as encrypted. Nothing was sent in the clear.',
  {
    hint: 'Ask in another way what happened. To talk in the clear, make a new channel that is not encrypted.',
  },
);
const openAfterAll = appError(
  'untrusted',
  'The server says only now that this channel is not encrypted. Nothing was sent in the clear.',
  { hint: 'Send it again if everybody at the server may read it.' },
);
const atOdds = appError(
  'protocol',
  'The server refuses the form of the message, and says that it is the right one for this channel.',
);

export const routeOf = (row: OutboxRow): SendRoute | null => {
  if (row.kind === 'dm')
    return row.recipientSlug === null ? null : { kind: 'dm', recipientSlug: row.recipientSlug };
  if (row.spaceId === null || row.channelId === null) return null;
  return { kind: 'channel', spaceId: row.spaceId, channelId: row.channelId };
};

/** The signed body of an earlier try; null when that was a sealed one, or there was none. */
function storedPlain(row: OutboxRow): string | null {
  const parsed = row.sealed === null ? null : parseJson(row.sealed);
  return parsed?.ok && plaintextEnvelopeSchema.safeParse(parsed.value).success ? row.sealed : null;
}

/** A note for the sender where the message lies at the server until its reader agrees. */
const waits = (route: SendRoute, answer: z.infer<typeof answerSchema> | null): string | undefined =>
  route.kind === 'dm' && answer?.held === true
    ? `Waits at the server until ${route.recipientSlug} lets you write.`
    : undefined;

export class Delivery {
  readonly #deps: DeliveryDeps;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Resolves when the server has the message for every device that can be told; with a note where it waits there. */
  async deliver(row: OutboxRow): Promise<Result<string | undefined, DeliveryFault>> {
    const route = routeOf(row);
    if (route === null) {
      return local({
        error: appError('invalid_input', 'The message has no room to go to.'),
        transient: false,
      });
    }
    const used = this.#deps.formats.of(row.channelId);
    const sent = await this.#send(row, route, used);
    if (sent.ok || !sent.error.mismatch || row.channelId === null) return sent;
    return this.#otherForm(row, route, used, row.channelId);
  }

  /** Once, under the same id: the server took nothing so far. */
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
    // Written while the channel was shown as encrypted: in the clear it goes only when somebody says so.
    if (shownSealed && wanted.value === 'plain') return local({ error: openAfterAll, transient: false });
    return wanted.value === used
      ? local({ error: atOdds, transient: false })
      : this.#send(row, route, wanted.value);
  }

  /** What is stored from an earlier try goes out as it is, if its form is still the right one. */
  async #send(
    row: OutboxRow,
    route: SendRoute,
    format: SendFormat,
  ): Promise<Result<string | undefined, DeliveryFault>> {
    if (format === 'plain') {
      const stored = storedPlain(row);
      const body = stored === null ? await this.#sign(row) : ok(stored);
      return body.ok ? this.#postPlain(body.value) : body;
    }
    const afresh = row.sealed === null || storedPlain(row) !== null;
    const sealed = afresh ? await this.#seal(row, route) : this.#stored(row);
    if (!sealed.ok) return sealed;
    const sent = await this.#post(sealed.value, route);
    if (sent.ok && route.kind === 'channel') this.#deps.formats.sealedTaken(route.channelId);
    return sent;
  }

  async #sign(row: OutboxRow): Promise<Result<string, DeliveryFault>> {
    const { subkeys, crypto, store } = this.#deps;
    const session = await subkeys.current();
    if (!session.ok) return ofServer(session.error);
    const made = createPlaintextEnvelope(crypto, this.#draft(row, session.value));
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
    // An id that is taken is our own: an earlier try arrived though its answer did not.
    return answer.ok || answer.error.status === 409 ? ok(undefined) : ofServer(answer.error);
  }

  /** A message is never sent later than now: with a time beyond the end of the signing key its readers refuse it (F8). */
  #draft(row: OutboxRow, session: Session) {
    return {
      envelopeId: row.envelopeId,
      kind: row.kind,
      senderSlug: this.#deps.slug,
      spaceId: row.spaceId,
      channelId: row.channelId,
      recipientSlug: row.recipientSlug,
      sentAt: Math.min(row.createdAt, this.#deps.clock.now()),
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
      error: appError('corrupt', 'The sealed message in the outbox cannot be read.'),
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
        // An id that is taken is our own: an earlier try arrived though its answer did not.
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

  /** Those of the devices that belong to verified members; ghosts of the server are left out. */
  async #trusted(route: SendRoute, missing: ReadonlySet<string>): Promise<readonly RecipientDevice[]> {
    const devices = await this.#deps.recipients.devices(route, true);
    return devices.ok ? devices.value.filter(({ deviceId }) => missing.has(deviceId)) : [];
  }
}
