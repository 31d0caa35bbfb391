/**
 * Brings one sealed message to the server: the first body is stored before it is sent and sent again byte for byte,
 * so a lost answer never makes a second message; devices that the server misses get the same envelope (spec §11.2).
 */
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { AccountStore, CryptoEngine, OutboxRow } from '../../core/ports.ts';
import { addRecipients, type RecipientDevice, sealMessage } from '../../core/puffo/envelope.ts';
import { type MessageEnvelope, messageEnvelopeSchema } from '../../core/puffo/wire.ts';
import { parseJson } from './parse-json.ts';
import type { Recipients, SendFault, SendRoute } from './recipients.ts';
import { isTransient, plainError, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import type { Subkeys } from './subkeys.ts';

export interface DeliveryDeps {
  readonly slug: string;
  readonly store: AccountStore;
  readonly client: SignedClient;
  readonly subkeys: Subkeys;
  readonly crypto: CryptoEngine;
  readonly recipients: Recipients;
}

/** How the server asks to wait before the next try, where it does. */
export interface DeliveryFault extends SendFault {
  readonly retryAfterMs: number | null;
  /** Nothing else will get through either: the server cannot be reached. */
  readonly unreachable: boolean;
}

interface Sealed {
  readonly body: string;
  readonly envelope: MessageEnvelope;
  readonly contentKey: Uint8Array;
}

const answerSchema = z.looseObject({
  missing_devices: z
    .array(
      z.union([z.string(), z.looseObject({ device_id: z.string() }).transform((device) => device.device_id)]),
    )
    .nullish(),
});

const maxRounds = 4;
/** So that the message with one recipient's entry still fits into a frame of 1 MiB. */
const maxCiphertextChars = 1_000_000;

const local = (fault: SendFault): Result<never, DeliveryFault> =>
  err({ ...fault, retryAfterMs: null, unreachable: false });

function ofServer(error: RequestError): Result<never, DeliveryFault> {
  const mismatch = error.serverCode === 'CHANNEL_FORMAT_MISMATCH';
  const plain = appError(
    'unsupported',
    'This channel is not encrypted, and Kennel sends only sealed messages.',
  );
  return err({
    error: mismatch ? plain : plainError(error),
    transient: isTransient(error),
    retryAfterMs: error.retryAfterMs,
    unreachable: error.status === null,
  });
}

export const routeOf = (row: OutboxRow): SendRoute | null => {
  if (row.kind === 'dm')
    return row.recipientSlug === null ? null : { kind: 'dm', recipientSlug: row.recipientSlug };
  if (row.spaceId === null || row.channelId === null) return null;
  return { kind: 'channel', spaceId: row.spaceId, channelId: row.channelId };
};

export class Delivery {
  readonly #deps: DeliveryDeps;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Resolves when the server has the message for every device that can be told. */
  async deliver(row: OutboxRow): Promise<Result<void, DeliveryFault>> {
    const route = routeOf(row);
    if (route === null) {
      return local({
        error: appError('invalid_input', 'The message has no room to go to.'),
        transient: false,
      });
    }
    const sealed = row.sealed === null ? await this.#seal(row, route) : this.#stored(row);
    if (!sealed.ok) return sealed;
    return this.#post(sealed.value, route);
  }

  async #seal(row: OutboxRow, route: SendRoute): Promise<Result<Sealed, DeliveryFault>> {
    const { slug, subkeys, crypto, recipients, store } = this.#deps;
    const session = await subkeys.current();
    if (!session.ok) return ofServer(session.error);
    const devices = await recipients.devices(route, false);
    if (!devices.ok) return local(devices.error);
    const made = sealMessage(crypto, {
      envelopeId: row.envelopeId,
      kind: row.kind,
      senderSlug: slug,
      spaceId: row.spaceId,
      channelId: row.channelId,
      recipientSlug: row.recipientSlug,
      sentAt: row.createdAt,
      threadRootId: row.threadRootId,
      replyToId: null,
      contentType: row.contentType,
      content: row.content,
      visible: row.visible,
      session: session.value,
      recipients: devices.value,
    });
    if (!made.ok) return local({ error: made.error, transient: false });
    const { envelope, contentKey, messageNonce } = made.value;
    if (envelope.content_ciphertext.length > maxCiphertextChars) {
      return local({
        error: appError('too_large', 'The message is longer than a server takes.'),
        transient: false,
      });
    }
    const body = JSON.stringify(envelope);
    store.outboxSealed(row.envelopeId, body, toBase64Url(contentKey), messageNonce);
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

  async #post(sealed: Sealed, route: SendRoute): Promise<Result<void, DeliveryFault>> {
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
      if (extra.length === 0) return ok(undefined);
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
