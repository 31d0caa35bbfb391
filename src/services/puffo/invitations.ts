/**
 * Invitations received (spec §6.6): the declared operator's, known by the verified root key and by nothing else, are
 * accepted with a signed event; all others wait for somebody to decide.
 */
import { z } from 'zod';
import type { Log, Timer } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { Invite } from './account-types.ts';
import type { Identities } from './identities.ts';
import type { SignedClient } from './signed-client.ts';
import type { SpaceEvents } from './space-events.ts';
import type { Wheel } from './wheel.ts';

export interface InvitationsDeps {
  readonly identity: Identity;
  readonly client: SignedClient;
  readonly events: SpaceEvents;
  readonly identities: Identities;
  readonly wheel: Wheel;
  readonly log: Log;
  onJoined(): void;
  onInvite(invite: Invite): void;
}

const id = z.string().min(1).max(200);
const text = z
  .string()
  .nullish()
  .transform((value) => (value ?? '').slice(0, 300));
const inviteSchema = z
  .looseObject({
    invitation_event_id: id,
    scope: z.enum(['space', 'channel']),
    space_id: id,
    channel_id: id.nullish(),
    inviter_slug: id,
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

export class Invitations {
  readonly #deps: InvitationsDeps;
  /** Accepted, or told to somebody, in this session. */
  readonly #dealtWith = new Set<string>();
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #polls = false;

  constructor(deps: InvitationsDeps) {
    this.#deps = deps;
  }

  /** `pushed`: the server tells of new invitations by itself, so one look is enough. */
  online(pushed: boolean): void {
    this.#polls = !pushed;
    this.#schedule(firstPollMs);
  }

  offline(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Something about invitations happened. */
  look(): void {
    this.#schedule(0);
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
      this.#running ??= this.#poll().finally(() => {
        this.#running = null;
        if (this.#polls && this.#timer === null) this.#schedule(pollMs);
      });
    });
  }

  async #poll(): Promise<void> {
    const answer = await this.#deps.client.json('GET', '/invites?direction=received', answerSchema);
    if (!answer.ok) {
      this.#deps.log.debug('invites.not_read', { code: answer.error.code });
      return;
    }
    for (const raw of answer.value.invites) {
      const invite = inviteSchema.safeParse(raw);
      if (invite.success && !this.#dealtWith.has(invite.data.eventId)) await this.#consider(invite.data);
    }
  }

  async #consider(invite: Invite): Promise<void> {
    const operator = this.#deps.identity.identityCert?.declared_operator_public_key ?? null;
    const inviter = await this.#deps.identities.verified(invite.inviterSlug, Number.POSITIVE_INFINITY);
    if (!inviter.ok && inviter.error.kind === 'unavailable') return;
    if (operator === null || !inviter.ok || inviter.value.rootPublicKey !== operator) {
      this.#dealtWith.add(invite.eventId);
      this.#deps.log.info('invites.waiting', { scope: invite.scope, inviter: invite.inviterSlug });
      this.#deps.onInvite(invite);
      return;
    }
    const accepted = await this.#deps.events.answer(invite, true);
    if (accepted.ok || accepted.error.status === 409) {
      this.#dealtWith.add(invite.eventId);
      this.#deps.onJoined();
    } else this.#deps.log.warn('invites.not_accepted', { code: accepted.error.code });
  }
}
