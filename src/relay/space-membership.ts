/** Leaving, removing, roles and ownership (spec §2.4). A space always has exactly one owner. */

import { z } from 'zod';
import { say } from '../language/say.ts';
import { refuseRequest } from './refusal.ts';
import {
  type ChangeResult,
  change,
  changedChannel,
  channelIdField,
  endInvitations,
  idSchema,
  leads,
  memberOf,
  payloadOf,
  type Scene,
  spaceIdField,
} from './space-change.ts';

const spaceSchema = z.object({ space_id: spaceIdField });
const channelSchema = spaceSchema.extend({ channel_id: channelIdField });
const removeSpaceSchema = spaceSchema.extend({ removed_slug: idSchema });
const removeChannelSchema = channelSchema.extend({ removed_slug: idSchema });
const roleSchema = spaceSchema.extend({ target_slug: idSchema, new_role: z.enum(['admin', 'member']) });
const ownerSchema = spaceSchema.extend({ new_owner_slug: idSchema });

export function leaveSpace(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, spaceSchema);
  if (!payload.ok) return payload;
  const member = memberOf(scene, payload.value.space_id);
  if (!member.ok) return member;
  if (member.value.role === 'owner') {
    return refuseRequest('CONFLICT', say('relay.ownerCannotLeave'));
  }
  scene.store.spaces.removeMember(payload.value.space_id, scene.signer.slug);
  endInvitations(scene, payload.value.space_id, scene.signer.slug);
  return change({ alsoTell: [scene.signer.slug], membershipChanged: true });
}

export function leaveChannel(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, channelSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, channel_id: channelId } = payload.value;
  const channel = changedChannel(scene, spaceId, channelId);
  if (!channel.ok) return channel;
  scene.store.spaces.removeChannelMember(channelId, scene.signer.slug);
  return change({ channelId, alsoTell: [scene.signer.slug], membershipChanged: true, channelChanged: true });
}

export function removeFromSpace(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, removeSpaceSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, removed_slug: removed } = payload.value;
  const member = memberOf(scene, spaceId);
  if (!member.ok) return member;
  const target = scene.store.spaces.member(spaceId, removed);
  if (!leads(member.value)) return refuseRequest('FORBIDDEN', say('relay.adminsRemove'));
  if (!target) return refuseRequest('NOT_FOUND', say('relay.notMember', { slug: removed }));
  if (target.role === 'owner' || (target.role === 'admin' && member.value.role !== 'owner')) {
    return refuseRequest('FORBIDDEN', say('relay.mayNotRemove', { removed }));
  }
  scene.store.spaces.removeMember(spaceId, removed);
  endInvitations(scene, spaceId, removed);
  return change({ alsoTell: [removed], membershipChanged: true });
}

export function removeFromChannel(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, removeChannelSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, channel_id: channelId, removed_slug: removed } = payload.value;
  const member = memberOf(scene, spaceId);
  if (!member.ok) return member;
  const channel = changedChannel(scene, spaceId, channelId);
  if (!channel.ok) return channel;
  if (!leads(member.value) && channel.value.ownerSlug !== scene.signer.slug) {
    return refuseRequest('FORBIDDEN', say('relay.adminsRemove'));
  }
  const target = scene.store.spaces.channelMember(channelId, removed);
  if (!target) return refuseRequest('NOT_FOUND', say('relay.notMember', { slug: removed }));
  const rank = scene.store.spaces.member(spaceId, removed)?.role;
  const above = target.role === 'owner' || rank === 'owner' || (rank === 'admin' && !leads(member.value));
  if (above && (member.value.role !== 'owner' || removed === scene.signer.slug)) {
    return refuseRequest('FORBIDDEN', say('relay.mayNotRemove', { removed }));
  }
  scene.store.spaces.removeChannelMember(channelId, removed);
  return change({ channelId, alsoTell: [removed], membershipChanged: true, channelChanged: true });
}

export function updateRole(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, roleSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, target_slug: slug, new_role: role } = payload.value;
  const member = memberOf(scene, spaceId);
  if (!member.ok) return member;
  const target = scene.store.spaces.member(spaceId, slug);
  if (member.value.role !== 'owner') return refuseRequest('FORBIDDEN', say('relay.ownerSetsRoles'));
  if (!target) return refuseRequest('NOT_FOUND', say('relay.notMember', { slug }));
  if (target.role === 'owner') return refuseRequest('CONFLICT', say('relay.handOverInstead'));
  scene.store.spaces.saveMember(spaceId, { slug, role }, scene.now);
  return change({ membershipChanged: true });
}

export function transferOwnership(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, ownerSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, new_owner_slug: slug } = payload.value;
  const { spaces } = scene.store;
  const member = memberOf(scene, spaceId);
  if (!member.ok) return member;
  if (member.value.role !== 'owner') return refuseRequest('FORBIDDEN', say('relay.ownerHandsOver'));
  if (!spaces.member(spaceId, slug)) return refuseRequest('NOT_FOUND', say('relay.notMember', { slug }));
  if (slug === scene.signer.slug) return refuseRequest('CONFLICT', say('relay.spaceYours'));
  spaces.saveMember(spaceId, { slug: scene.signer.slug, role: 'admin' }, scene.now);
  spaces.saveMember(spaceId, { slug, role: 'owner' }, scene.now);
  spaces.setSpaceOwner(spaceId, slug);
  return change({ membershipChanged: true });
}
