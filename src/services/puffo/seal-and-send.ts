/**
 * Sends one message to the server. The first body is stored before it is sent and resent byte for byte, so a
 * lost response never causes a second message; devices that the server reports missing get the same envelope
 * (spec §11.2). In a channel that is not encrypted the message is signed plaintext (spec §11.1), but never in
 * one that was known as encrypted.
 */

import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { OutboxRow } from '../../core/puffo/stored-message.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { type DeliveryFault, failedHere, refusedByServer } from './delivery-fault.ts';
import type { MessageSealer, SealedBody } from './message-sealer.ts';
import type { SendRoute } from './recipients.ts';
import type { SendFormat, SendFormats } from './send-formats.ts';
import type { SignedClient } from './signed-client.ts';

export interface DeliveryDeps {
  readonly sealer: MessageSealer;
  readonly client: SignedClient;
  readonly formats: SendFormats;
}

/** A message has no more recipients. */
const mostMissing = 10_000;

const answerSchema = z.looseObject({
  /** True if the recipient must allow the sender first (spec §11.4). */
  held: z.boolean().nullish(),
  missing_devices: z
    .array(
      z.union([z.string(), z.looseObject({ device_id: z.string() }).transform((device) => device.device_id)]),
    )
    .max(mostMissing)
    .nullish()
    // The server has the message, so a wrong list must not send it again.
    .catch(null),
});

const maxRounds = 4;
const downgraded = fail('untrusted', 'server.channelDowngraded', {}, { help: 'server.askWhatHappened' });
const openAfterAll = fail('untrusted', 'server.channelTurnedPlain', {}, { help: 'server.sendAgainInClear' });
const atOdds = fail('protocol', 'server.messageFormRefused');

export const routeOf = (row: OutboxRow): SendRoute | null => {
  if (row.kind === 'dm')
    return row.recipientSlug === null ? null : { kind: 'dm', recipientSlug: row.recipientSlug };
  if (row.spaceId === null || row.channelId === null) return null;
  return { kind: 'channel', spaceId: row.spaceId, channelId: row.channelId };
};

/** A note for the sender if the server holds the message until its reader agrees. */
const waits = (route: SendRoute, answer: z.infer<typeof answerSchema> | null): HostText | undefined =>
  route.kind === 'dm' && answer?.held === true
    ? say('server.waitsForConsent', { name: route.recipientSlug })
    : undefined;

export class MessageDelivery {
  readonly #deps: DeliveryDeps;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Resolves once the server has the message for every reachable device; with a note if it is held there. */
  async deliver(row: OutboxRow): Promise<Result<HostText | undefined, DeliveryFault>> {
    const route = routeOf(row);
    if (route === null) {
      return failedHere({
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
  ): Promise<Result<HostText | undefined, DeliveryFault>> {
    const { formats } = this.#deps;
    const shownSealed = formats.shownSealed(channelId);
    const wanted = await formats.reread(channelId);
    if (!wanted.ok) return refusedByServer(wanted.error);
    if (formats.disputed(channelId)) return failedHere({ error: downgraded, transient: false });
    // Written while the channel was shown as encrypted: plaintext needs an explicit confirmation.
    if (shownSealed && wanted.value === 'plain') return failedHere({ error: openAfterAll, transient: false });
    return wanted.value === used
      ? failedHere({ error: atOdds, transient: false })
      : this.#send(row, route, wanted.value);
  }

  /** Resends the stored body of an earlier attempt, if its format is still right. */
  async #send(
    row: OutboxRow,
    route: SendRoute,
    format: SendFormat,
  ): Promise<Result<HostText | undefined, DeliveryFault>> {
    const { sealer, formats } = this.#deps;
    if (format === 'plain') {
      const body = await sealer.plainBody(row);
      return body.ok ? this.#postPlain(body.value) : body;
    }
    const sealed = await sealer.sealed(row, route);
    if (!sealed.ok) return sealed;
    const sent = await this.#post(sealed.value, route);
    if (sent.ok && route.kind === 'channel') formats.sealedTaken(route.channelId);
    return sent;
  }

  async #postPlain(body: string): Promise<Result<HostText | undefined, DeliveryFault>> {
    const target = '/v2/messages/plaintext';
    const answer = await this.#deps.client.json('POST', target, answerSchema.nullable(), { body });
    // A taken id is this message's own: an earlier attempt arrived but its response was lost.
    return answer.ok || answer.error.status === 409 ? ok(undefined) : refusedByServer(answer.error);
  }

  async #post(sealed: SealedBody, route: SendRoute): Promise<Result<HostText | undefined, DeliveryFault>> {
    let body = sealed.body;
    let recipients = sealed.envelope.recipients;
    let refused: Result<never, DeliveryFault> | null = null;
    for (let round = 0; round < maxRounds; round += 1) {
      const answer = await this.#deps.client.json('POST', '/messages', answerSchema.nullable(), { body });
      if (!answer.ok) {
        // A taken id is this message's own: an earlier attempt arrived but its response was lost.
        if (answer.error.status === 409) return ok(undefined);
        const without = recipients.filter(({ device_id }) => !answer.error.devices.includes(device_id));
        if (without.length === recipients.length || without.length === 0)
          return refusedByServer(answer.error);
        refused = refusedByServer(answer.error);
        recipients = without;
        body = JSON.stringify({ ...sealed.envelope, recipients });
        continue;
      }
      refused = null;
      const missing = answer.value?.missing_devices ?? [];
      const more = await this.#deps.sealer.withMissing(sealed, route, missing);
      if (more === null) return ok(waits(route, answer.value));
      if (!more.ok) return ok(undefined);
      recipients = more.value.recipients;
      body = JSON.stringify(more.value);
    }
    return refused ?? ok(undefined);
  }
}
