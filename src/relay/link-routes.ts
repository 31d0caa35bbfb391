/** Looks an invite link up, joins its space, and lists the links of a space. */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { inviteHash } from '../core/puffo/invite-codes.ts';
import { say } from '../language/say.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { applyEvents } from './event-routes.ts';
import { checkLinkSignUps } from './quotas.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { leads } from './space-change.ts';
import { checkLink, isUsedUp } from './space-links.ts';
import type { InviteLinkRow } from './store-port-links.ts';

const secret = z.string().min(1).max(200);
const lookSchema = z.object({ secret });
const redeemSchema = z.object({ secret, event: z.unknown() });

interface Found {
  readonly link: InviteLinkRow;
  readonly hash: string;
}

function findLink(context: RelayContext, text: string): Result<Found, Refusal> {
  const hash = inviteHash(context.crypto, text);
  const link = context.store.links.bySecret(hash);
  return link ? ok({ link, hash }) : refuseRequest('NOT_FOUND', say('relay.linkInvalid'));
}

/** Names space and inviter before the receiver signs up or joins. A used-up link still serves its earlier users. */
export function serveLinkPreview(context: RelayContext, request: RelayRequest): RouteOutcome {
  const body = request.json(lookSchema);
  if (!body.ok) return body;
  const found = findLink(context, body.value.secret);
  if (!found.ok) return found;
  const { link } = found.value;
  const open = checkLink(context.store, link, context.clock.now());
  if (!open.ok) return open;
  const usedUp = isUsedUp(link);
  return answer({
    link_id: link.linkId,
    space_id: link.spaceId,
    space_name: context.store.spaces.space(link.spaceId)?.name ?? '',
    inviter_slug: link.inviterSlug,
    inviter_name: context.store.people.identity(link.inviterSlug)?.displayName ?? link.inviterSlug,
    expires_at: link.expiresAt,
    used_up: usedUp,
    signs_up: !usedUp && checkLinkSignUps(context, link.inviterSlug).ok,
  });
}

/** Idempotent: a member gets the same answer again, and counts once. */
export async function redeemLinkRoute(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(redeemSchema);
  if (!body.ok) return body;
  const found = findLink(context, body.value.secret);
  if (!found.ok) return found;
  const { spaceId } = found.value.link;
  const done = { ok: true, space_id: spaceId };
  if (context.store.spaces.member(spaceId, caller.slug)) return answer(done);
  const applied = await applyEvents(context, caller, {
    spaceId,
    isEncrypted: true,
    secretHash: found.value.hash,
    events: [body.value.event],
  });
  return applied.ok ? answer(done) : applied;
}

export function listLinks(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const spaceId = request.query.get('space_id') ?? '';
  const member = context.store.spaces.member(spaceId, caller.slug);
  if (!member || !leads(member)) return refuseRequest('FORBIDDEN', say('relay.adminsMakeLinks'));
  return answer({
    links: context.store.links.ofSpace(spaceId).map((link) => ({
      link_id: link.linkId,
      space_id: link.spaceId,
      inviter_slug: link.inviterSlug,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      max_uses: link.maxUses,
      uses: link.uses,
    })),
  });
}
