/**
 * An operator retires one of its agents for good (spec §2.3): from then on none of the agent's devices can
 * sign or receive, it is a member of no space, and its slug is never reused.
 */

import { z } from 'zod';
import { ok } from '../contract/result.ts';
import { requestWindowMs } from '../core/puffo/http-signing.ts';
import { say } from '../language/say.ts';
import { announceCert, announceMembership, certAudience } from './announce.ts';
import { readOperatorRevocation } from './cert-checks.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { notFound, refuseRequest } from './refusal.ts';
import type { IdentityRow } from './store-port.ts';

/** More than an agent can have. */
const maxCerts = 100_000;

const wrappedSchema = z.object({ operator_revocation: z.unknown() });

/** Accepts the revocation bare or as the member `operator_revocation`, like device revocations. */
function revocationOf(value: unknown): unknown {
  const wrapped = wrappedSchema.safeParse(value);
  return wrapped.success ? (wrapped.data.operator_revocation ?? value) : value;
}

/**
 * Removes the agent from every space; a space it owns goes to its operator. Returns the audience by space.
 */
function leaveSpaces({ store, clock }: RelayContext, agent: IdentityRow, heir: string) {
  const { spaces } = store;
  const left = spaces.spacesOf(agent.slug).map(({ spaceId, ownerSlug }) => {
    if (ownerSlug === agent.slug) {
      spaces.saveMember(spaceId, { slug: heir, role: 'owner' }, clock.now());
      for (const { channelId, isPublic } of spaces.channels(spaceId))
        if (isPublic && !spaces.channelMember(channelId, heir))
          spaces.saveChannelMember(channelId, { slug: heir, role: 'member' }, clock.now());
      spaces.setSpaceOwner(spaceId, heir);
    }
    spaces.removeMember(spaceId, agent.slug);
    return { spaceId, told: spaces.members(spaceId).map(({ slug }) => slug) };
  });
  const { slug } = agent;
  for (const query of [{ invitee: slug }, { inviter: slug }] as const)
    for (const { eventId } of spaces.openInvitations(query)) spaces.setInvitationState(eventId, 'cancelled');
  return left;
}

export async function retireAgent(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(z.unknown());
  if (!body.ok) return body;
  const { people } = context.store;
  const agent = people.identity(request.params.slug ?? '');
  const operator = people.identity(caller.slug);
  if (!agent || !operator || agent.operatorSlug !== operator.slug) return notFound('agent');
  const raw = revocationOf(body.value);
  const keys = { operator: operator.rootPublicKey, agent: agent.rootPublicKey };
  const revocation = readOperatorRevocation(context.crypto, raw, keys);
  if (!revocation.ok) return revocation;
  const from = revocation.value.effective_from;
  if (from > context.clock.now() + requestWindowMs)
    return refuseRequest('InvalidInput', say('relay.retiredNow'));
  const cert = JSON.stringify(raw);
  const devices = people.devicesOf([agent.slug]);
  const audience = certAudience(context, agent.slug);
  const saved = await context.queue.run(() => {
    const known = people.certs([agent.slug], 0, maxCerts).some(({ kind }) => kind === 'operator_revocation');
    if (known) return ok(null);
    for (const { deviceId } of devices) people.revokeDevice(deviceId, Math.min(from, context.clock.now()));
    const left = leaveSpaces(context, agent, operator.slug);
    return ok({ left, seq: people.addCert(agent.slug, 'operator_revocation', cert) });
  });
  if (!saved.ok) return saved;
  const done = answer({ ok: true, agent_slug: agent.slug });
  if (saved.value === null) return done;
  announceCert(context, agent.slug, { seq: saved.value.seq, kind: 'operator_revocation', cert }, audience);
  for (const { spaceId, told } of saved.value.left) announceMembership(context, spaceId, told);
  for (const { deviceId } of devices)
    for (const connection of context.hub.ofDevice(deviceId)) connection.close(4401, 'agent retired');
  return done;
}
