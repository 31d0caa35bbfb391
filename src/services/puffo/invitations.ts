/**
 * Received invitations (spec §6.6): those of the declared operator, recognised only by the verified root key,
 * are accepted with a signed event; all others are reported after every poll, while they are open, and wait
 * for a person's decision. Network failures are retried.
 */

import { z } from 'zod';
import type { Log, Timer } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { channelIdSchema, eventIdSchema, slugSchema, spaceIdSchema } from '../../core/puffo/wire.ts';
import type { Invite } from './account-types.ts';
import type { Identities } from './identities.ts';
import { isTransient } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import type { SpaceEvents } from './space-events.ts';
import type { Wheel } from './timer-wheel.ts';

/** Accepts an invitation of the operator. `null` if it cannot be decided now. */
export type ConsiderInvite = (invite: Invite) => Promise<KnownInvite | null>;

export interface ConsiderInviteDeps {
  readonly identity: Identity;
  readonly events: SpaceEvents;
  readonly identities: Identities;
  readonly log: Log;
  /** Called after the operator's invitation was accepted. */
  onJoined(invite: Invite): void;
}

export const createConsiderInvite =
  ({ identity, events, identities, log, onJoined }: ConsiderInviteDeps): ConsiderInvite =>
  async (invite) => {
    const operator = identity.identityCert?.declared_operator_public_key ?? null;
    const inviter = await identities.verified(invite.inviterSlug, Number.POSITIVE_INFINITY);
    if (!inviter.ok && inviter.error.kind === 'unavailable') return null;
    if (operator === null || !inviter.ok || inviter.value.rootPublicKey !== operator) {
      log.info('invites.waiting', { scope: invite.scope, inviter: invite.inviterSlug });
      return { waits: invite };
    }
    const accepted = await events.answer(invite, true);
    if (accepted.ok) onJoined(invite);
    else log.warn('invites.not_accepted', { code: accepted.error.code });
    return accepted.ok || !isTransient(accepted.error) ? 'done' : null;
  };

export interface InvitationsDeps {
  readonly client: SignedClient;
  readonly wheel: Wheel;
  readonly log: Log;
  readonly consider: ConsiderInvite;
  /** Called with all invitations on the server's list that need a person's decision. */
  onInvites(waiting: readonly Invite[]): void;
}

const text = z
  .string()
  .nullish()
  .transform((value) => (value ?? '').slice(0, 300));
/** One item of the list of open invitations, received or sent. */
export const serverInviteSchema = z
  .looseObject({
    invitation_event_id: eventIdSchema,
    scope: z.enum(['space', 'channel']),
    space_id: spaceIdSchema,
    channel_id: channelIdSchema.nullish(),
    inviter_slug: slugSchema,
    space_name: text,
    channel_name: text,
  })
  .transform(
    (raw): Invite => ({
      eventId: raw.invitation_event_id,
      scope: raw.scope,
      spaceId: raw.space_id,
      channelId: raw.scope === 'channel' ? (raw.channel_id ?? null) : null,
      inviterSlug: raw.inviter_slug,
      spaceName: raw.space_name,
      channelName: raw.channel_name,
    }),
  );
const answerSchema = z.looseObject({ invites: z.array(z.unknown()).max(1_000) });

const firstPollMs = 2_000;
const pollMs = 30_000;

/** Shared, because most accounts never have an invitation. */
const none: ReadonlyMap<string, KnownInvite> = new Map();

/** State of an invitation: waiting for a decision, or done. */
export type KnownInvite = { readonly waits: Invite } | 'done';

export class Invitations {
  readonly #deps: InvitationsDeps;
  /** The invitations of the server's last list, by event id. */
  #known = none;
  #told = 0;
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  #online = false;
  #polls = false;

  constructor(deps: InvitationsDeps) {
    this.#deps = deps;
  }

  /** `pushed` is true if the server announces new invitations, so one poll is enough. */
  online(pushed: boolean): void {
    this.#online = true;
    this.#polls = !pushed;
    this.#schedule(firstPollMs);
  }

  offline(): void {
    this.#online = false;
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Polls now, after an announced change or when a viewer can take another invitation. */
  look(): void {
    if (this.#online) this.#schedule(0);
  }

  knows(eventId: string | null): boolean {
    return eventId !== null && this.#known.has(eventId);
  }

  async stop(): Promise<void> {
    this.#polls = false;
    this.offline();
    await this.#running;
  }

  #schedule(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#deps.wheel.after(ms, () => {
      this.#timer = null;
      if (this.#running) this.#again = true;
      else this.#running = this.#look();
    });
  }

  async #look(): Promise<void> {
    let complete = false;
    try {
      do {
        this.#again = false;
        complete = await this.#poll();
      } while (this.#again && this.#online);
    } finally {
      this.#running = null;
      if (this.#online && this.#timer === null && (this.#polls || !complete)) this.#schedule(pollMs);
    }
  }

  /** Returns false if a query or an acceptance must be retried. */
  async #poll(): Promise<boolean> {
    const answer = await this.#deps.client.json('GET', '/invites?direction=received', answerSchema);
    if (!answer.ok) {
      this.#deps.log.debug('invites.not_read', { code: answer.error.code });
      return false;
    }
    const known = new Map<string, KnownInvite>();
    let complete = true;
    for (const raw of answer.value.invites) {
      const invite = serverInviteSchema.safeParse(raw);
      if (!invite.success) continue;
      const { eventId } = invite.data;
      const verdict = this.#known.get(eventId) ?? (await this.#deps.consider(invite.data));
      if (verdict) known.set(eventId, verdict);
      else complete = false;
    }
    this.#known = known.size === 0 ? none : known;
    this.#tell();
    return complete;
  }

  #tell(): void {
    const waiting = [...this.#known.values()].flatMap((known) => (known === 'done' ? [] : [known.waits]));
    if (waiting.length === 0 && this.#told === 0) return;
    this.#told = waiting.length;
    this.#deps.onInvites(waiting);
  }
}
