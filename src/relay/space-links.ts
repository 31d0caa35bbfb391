/**
 * Invite links to spaces (spec §2.4): a leading member signs a standing invitation that contains the hash of a
 * secret, its expiry and its number of uses. A person who knows the secret joins by an event of their own, and may
 * sign up with it (ADR 51).
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { say } from '../language/say.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import {
  type ChangeResult,
  change,
  idSchema,
  joinSpace,
  leads,
  memberOf,
  memberOfOpen,
  notArchived,
  payloadOf,
  type Scene,
  spaceIdField,
} from './space-change.ts';
import type { RelayStore } from './store-port.ts';
import type { InviteLinkRow } from './store-port-links.ts';

const createSchema = z.object({
  space_id: spaceIdField,
  secret_hash: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'A SHA-256 in base64url has 43 characters.'),
  expires_at: z.number().int().nullish(),
  max_uses: z.number().int().min(1).max(1_000).nullish(),
});
const linkSchema = z.object({ space_id: spaceIdField, link_id: idSchema });

/** Anyone who has the link joins by it, so that no agent can be talked into making one. */
export function createLink(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, createSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, secret_hash: secretHash } = payload.value;
  const member = memberOfOpen(scene, spaceId);
  if (!member.ok) return member;
  if (scene.signer.identityType !== 'human' || !leads(member.value)) {
    return refuseRequest('FORBIDDEN', say('relay.adminsMakeLinks'));
  }
  const { links } = scene.store;
  const expiresAt = payload.value.expires_at ?? null;
  if (expiresAt !== null && expiresAt <= scene.now) {
    return refuseRequest('InvalidInput', say('relay.linkExpired'));
  }
  if (links.bySecret(secretHash)) return refuseRequest('CONFLICT', say('relay.linkTaken'));
  links.add({
    linkId: scene.event.event_id,
    secretHash,
    spaceId,
    inviterSlug: scene.signer.slug,
    createdAt: scene.now,
    expiresAt,
    maxUses: payload.value.max_uses ?? null,
  });
  return change({});
}

export function revokeLink(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, linkSchema);
  if (!payload.ok) return payload;
  const member = memberOf(scene, payload.value.space_id);
  if (!member.ok) return member;
  const link = scene.store.links.byId(payload.value.link_id);
  if (link?.spaceId !== payload.value.space_id) return refuseRequest('NOT_FOUND', say('relay.linkUnknown'));
  if (link.inviterSlug !== scene.signer.slug && !leads(member.value)) {
    return refuseRequest('FORBIDDEN', say('relay.adminsMakeLinks'));
  }
  scene.store.links.revoke(link.linkId, scene.now);
  return change({});
}

/** Each identity joins by a link once: a removed member does not return by it. */
export function redeemLink(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, linkSchema);
  if (!payload.ok) return payload;
  const { store, signer, now } = scene;
  const link = scene.secretHash === null ? null : store.links.bySecret(scene.secretHash);
  if (link?.linkId !== payload.value.link_id || link.spaceId !== payload.value.space_id) {
    return refuseRequest('FORBIDDEN', say('relay.linkInvalid'));
  }
  if (signer.identityType !== 'human') return refuseRequest('FORBIDDEN', say('relay.linkForPeople'));
  if (store.spaces.member(link.spaceId, signer.slug)) return change({});
  const use = store.links.use(link.linkId, signer.slug);
  if (use?.joined) return refuseRequest('CONFLICT', say('relay.linkUsedByYou'));
  const open = checkLink(store, link, now);
  if (!open.ok) return open;
  if (use === null && isUsedUp(link)) return refuseRequest('FORBIDDEN', say('relay.linkUsedUp'));
  store.links.saveUse(link.linkId, signer.slug, { signedUp: use?.signedUp ?? false, joined: true }, now);
  joinSpace(scene, link.spaceId, signer.slug);
  return change({ membershipChanged: true });
}

export const isUsedUp = (link: InviteLinkRow): boolean => link.maxUses !== null && link.uses >= link.maxUses;

/** Everything that ends a link except its number of uses. */
export function checkLink(store: RelayStore, link: InviteLinkRow, now: number): Result<void, Refusal> {
  if (link.revokedAt !== null) return refuseRequest('FORBIDDEN', say('relay.linkRevoked'));
  if (link.expiresAt !== null && link.expiresAt <= now) {
    return refuseRequest('FORBIDDEN', say('relay.linkExpired'));
  }
  const inviter = store.spaces.member(link.spaceId, link.inviterSlug);
  if (!inviter || !leads(inviter)) return refuseRequest('FORBIDDEN', say('relay.linkInviterGone'));
  const archived = notArchived(store.spaces.space(link.spaceId));
  return archived.ok ? ok(undefined) : archived;
}
