/**
 * Signed space events in an account's name (spec §2.4): the subkey signs, the server applies all or nothing.
 */

import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import { type ChannelId, isChannelId, type SpaceId } from '../../contract/room-id.ts';
import type { Clock, CryptoEngine, Random } from '../../core/ports.ts';
import { signEvent } from '../../core/puffo/events.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { newChannelId, newSpaceId } from '../../core/puffo/ids.ts';
import type { SignedEvent } from '../../core/puffo/wire.ts';
import { say } from '../../language/say.ts';
import type { Invite } from './account-types.ts';
import { noAnswer, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import type { Subkeys } from './subkeys.ts';

export interface SpaceEventsDeps {
  readonly identity: Identity;
  readonly client: SignedClient;
  readonly subkeys: Subkeys;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
}

const emittedSchema = z.looseObject({ kind: z.string(), payload: z.record(z.string(), z.unknown()) });
const answerSchema = z.looseObject({ server_emitted_events: z.array(z.unknown()).nullish() }).nullable();

type Answer = z.infer<typeof answerSchema>;
type Done<T> = Promise<Result<T, RequestError>>;

/** The id of the channel that the server created with a new space. */
function firstChannel(answer: Answer): ChannelId | null {
  for (const raw of answer?.server_emitted_events ?? []) {
    const event = emittedSchema.safeParse(raw);
    const id = event.success && event.data.kind === 'create_channel' ? event.data.payload.channel_id : null;
    if (isChannelId(id)) return id;
  }
  return null;
}

export class SpaceEvents {
  readonly #deps: SpaceEventsDeps;

  constructor(deps: SpaceEventsDeps) {
    this.#deps = deps;
  }

  async createSpace(name: string): Done<{ readonly spaceId: SpaceId; readonly generalChannelId: ChannelId }> {
    const spaceId = newSpaceId(this.#deps.random);
    const made = await this.post('create_space', {
      space_id: spaceId,
      name,
      created_at: this.#deps.clock.now(),
    });
    if (!made.ok) return made;
    const generalChannelId = firstChannel(made.value);
    if (generalChannelId !== null) return ok({ spaceId, generalChannelId });
    return {
      ok: false,
      error: noAnswer('protocol', say('server.spaceWithoutChannel')),
    };
  }

  /** A channel is encrypted unless the request beside the event says otherwise. */
  async createChannel(
    spaceId: string,
    name: string,
    encrypted: boolean,
  ): Done<{ readonly channelId: string }> {
    const channelId = newChannelId(this.#deps.random);
    const created = { space_id: spaceId, channel_id: channelId, name, created_at: this.#deps.clock.now() };
    const made = await this.post('create_channel', created, encrypted ? {} : { is_encrypted: false });
    return made.ok ? ok({ channelId }) : made;
  }

  async invite(spaceId: string, channelId: string | null, slug: string): Done<void> {
    const kind = channelId === null ? 'invite_to_space' : 'invite_to_channel';
    const made = await this.post(kind, {
      space_id: spaceId,
      ...(channelId === null ? {} : { channel_id: channelId }),
      invitee_slug: slug,
      issued_at: this.#deps.clock.now(),
    });
    return made.ok ? ok(undefined) : made;
  }

  async answer(invite: Invite, accepts: boolean): Done<void> {
    const now = this.#deps.clock.now();
    const made = await this.post(`${accepts ? 'accept' : 'reject'}_${invite.scope}_invite`, {
      space_id: invite.spaceId,
      ...(invite.channelId === null ? {} : { channel_id: invite.channelId }),
      invitation_event_id: invite.eventId,
      ...(accepts ? { accepted_at: now } : { rejected_at: now }),
    });
    return made.ok ? ok(undefined) : made;
  }

  /** `beside` holds members of the request that are not part of the signed event. */
  async post(
    kind: string,
    payload: Readonly<Record<string, unknown>> & { space_id: string },
    beside: Readonly<Record<string, unknown>> = {},
  ): Done<Answer> {
    const event = await this.sign(kind, payload);
    return event.ok ? this.send(payload.space_id, event.value, beside) : event;
  }

  async sign(kind: string, payload: SignedEvent['payload']): Done<SignedEvent> {
    const { identity, subkeys, crypto, random } = this.#deps;
    const session = await subkeys.current();
    if (!session.ok) return session;
    const signer = { slug: identity.slug, deviceId: identity.deviceId, session: session.value };
    const event = signEvent(crypto, { kind, payload }, signer, random);
    if (!event.ok) return { ok: false, error: { ...noAnswer('invalid_input', event.error.message) } };
    return event;
  }

  send(spaceId: string, event: SignedEvent, beside: Readonly<Record<string, unknown>> = {}): Done<Answer> {
    const body = { space_id: spaceId, events: [event], ...beside };
    return this.#deps.client.json('POST', '/spaces/events', answerSchema, { body });
  }
}
