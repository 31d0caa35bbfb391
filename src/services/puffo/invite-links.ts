/**
 * Invite links to spaces (spec §2.4): makes, lists and revokes them in an account's name, and redeems those of
 * other people. Only the hash of a new link's secret is sent.
 */
import { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, CryptoEngine, Random } from '../../core/ports.ts';
import { inviteHash, newLinkSecret } from '../../core/puffo/invite-codes.ts';
import { eventIdSchema, slugSchema, spaceIdSchema } from '../../core/puffo/wire.ts';
import { say } from '../../language/say.ts';
import type { AccountLinks, SpaceLink } from './account-types.ts';
import { noAnswer, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import type { SpaceEvents } from './space-events.ts';
import { createTransport } from './transport.ts';
import { postUnsigned } from './unsigned-post.ts';
import { validItems } from './valid-items.ts';

export interface InviteLinksDeps {
  readonly client: SignedClient;
  readonly events: Pick<SpaceEvents, 'sign' | 'send'>;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
}

const path = '/v2/invitations/links';
const time = z.number().int().nonnegative();
const listSchema = z.looseObject({
  links: validItems(
    z
      .looseObject({
        link_id: eventIdSchema,
        inviter_slug: slugSchema,
        created_at: time,
        expires_at: time.nullable(),
        max_uses: time.nullable(),
        uses: time,
      })
      .transform(
        (raw): SpaceLink => ({
          linkId: raw.link_id,
          inviterSlug: raw.inviter_slug,
          createdAt: raw.created_at,
          expiresAt: raw.expires_at,
          maxUses: raw.max_uses,
          uses: raw.uses,
        }),
      ),
  ),
});

export function createInviteLinks(deps: InviteLinksDeps): AccountLinks {
  const { client, events, crypto, clock, random } = deps;
  return {
    async create(spaceId, { expiresAt, maxUses }) {
      const secret = newLinkSecret(random);
      const event = await events.sign('create_invite_capability', {
        space_id: spaceId,
        secret_hash: inviteHash(crypto, secret),
        expires_at: expiresAt,
        max_uses: maxUses,
        issued_at: clock.now(),
      });
      if (!event.ok) return event;
      const sent = await events.send(spaceId, event.value);
      return sent.ok ? ok({ linkId: event.value.event_id, secret }) : sent;
    },
    async list(spaceId) {
      const target = `${path}?space_id=${encodeURIComponent(spaceId)}`;
      const answer = await client.json('GET', target, listSchema);
      return answer.ok ? ok(answer.value.links) : answer;
    },
    async revoke(spaceId, linkId) {
      const payload = { space_id: spaceId, link_id: linkId, revoked_at: clock.now() };
      const event = await events.sign('revoke_invite_capability', payload);
      const sent = event.ok ? await events.send(spaceId, event.value) : event;
      return sent.ok ? ok(undefined) : sent;
    },
    async redeem(secret, { spaceId, linkId }) {
      const payload = { space_id: spaceId, link_id: linkId, redeemed_at: clock.now() };
      const event = await events.sign('redeem_invite_capability', payload);
      if (!event.ok) return event;
      const body = { secret, event: event.value };
      const answer = await client.json('POST', `${path}/redeem`, z.unknown(), { body });
      return answer.ok ? ok(undefined) : answer;
    },
  };
}

/** Names from the server are untrusted and cut. */
const name = z.string().transform((text) => text.slice(0, 300));
const lookSchema = z.looseObject({
  link_id: eventIdSchema,
  space_id: spaceIdSchema,
  space_name: name,
  inviter_slug: slugSchema,
  inviter_name: name,
  signs_up: z.boolean(),
});

export interface LookedAtLink {
  readonly linkId: string;
  readonly spaceId: string;
  readonly spaceName: string;
  readonly inviterSlug: string;
  readonly inviterName: string;
  /** The link also lets a new person sign up. */
  readonly signsUp: boolean;
}

/** Asks the link's server what it leads to; needs no account there. */
export async function lookAtLink(
  serverUrl: string,
  secret: string,
  clock: Clock,
): Promise<Result<LookedAtLink, RequestError>> {
  const transport = createTransport(serverUrl, clock);
  try {
    const answer = await postUnsigned(transport, clock, `${path}/look`, { secret });
    if (!answer.ok) return answer;
    const parsed = lookSchema.safeParse(answer.value);
    if (!parsed.success) return err(noAnswer('protocol', say('spaces.linkServerUnfit')));
    const { link_id: linkId, space_id: spaceId, space_name: spaceName, ...raw } = parsed.data;
    return ok({
      linkId,
      spaceId,
      spaceName,
      inviterSlug: raw.inviter_slug,
      inviterName: raw.inviter_name,
      signsUp: raw.signs_up,
    });
  } finally {
    transport.close();
  }
}
