/** `create_space` and `create_channel` (spec §2.4). A new space gets the public channel `general`. */

import { z } from 'zod';
import { say } from '../language/say.ts';
import { refuseRequest } from './refusal.ts';
import {
  type ChangeResult,
  change,
  channelIdField,
  leads,
  memberOfOpen,
  payloadOf,
  type Scene,
  spaceIdField,
} from './space-change.ts';

const nameSchema = z.string().trim().min(1).max(120);
const spaceSchema = z.object({ space_id: spaceIdField, name: nameSchema });
const channelSchema = z.object({
  space_id: spaceIdField,
  channel_id: channelIdField,
  name: nameSchema,
  description: z.string().max(1000).optional(),
  is_public: z.boolean().optional(),
});

export const firstChannelName = 'general';

export function createSpace(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, spaceSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, name } = payload.value;
  const { spaces } = scene.store;
  const { slug } = scene.signer;
  if (spaces.space(spaceId) || spaces.isGone(spaceId))
    return refuseRequest('CONFLICT', say('relay.spaceIdTaken'));
  spaces.addSpace({ spaceId, name, ownerSlug: slug, createdAt: scene.now, archived: false });
  spaces.saveMember(spaceId, { slug, role: 'owner' }, scene.now);
  const channelId = scene.newChannelId();
  spaces.addChannel({
    channelId,
    spaceId,
    name: firstChannelName,
    description: '',
    isPublic: true,
    isEncrypted: true,
    ownerSlug: slug,
    createdAt: scene.now,
  });
  spaces.saveChannelMember(channelId, { slug, role: 'owner' }, scene.now);
  const event = scene.serverKey.sign(
    'create_channel',
    {
      space_id: spaceId,
      channel_id: channelId,
      name: firstChannelName,
      created_at: scene.now,
      is_public: true,
    },
    slug,
  );
  return change({ emitted: [{ event, channelId }], membershipChanged: true });
}

export function createChannel(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, channelSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, channel_id: channelId, name } = payload.value;
  const member = memberOfOpen(scene, spaceId);
  if (!member.ok) return member;
  if (scene.signer.identityType === 'agent' && !leads(member.value)) {
    return refuseRequest('FORBIDDEN', say('relay.agentCreatesAsAdmin'));
  }
  const { spaces } = scene.store;
  if (spaces.channel(channelId) || spaces.isGone(channelId))
    return refuseRequest('CONFLICT', say('relay.channelIdTaken'));
  const isPublic = payload.value.is_public ?? false;
  spaces.addChannel({
    channelId,
    spaceId,
    name,
    description: payload.value.description ?? '',
    isPublic,
    isEncrypted: scene.isEncrypted,
    ownerSlug: scene.signer.slug,
    createdAt: scene.now,
  });
  spaces.saveChannelMember(channelId, { slug: scene.signer.slug, role: 'owner' }, scene.now);
  if (isPublic) {
    for (const { slug } of spaces.members(spaceId)) {
      if (slug !== scene.signer.slug)
        spaces.saveChannelMember(channelId, { slug, role: 'member' }, scene.now);
    }
  }
  return change({ channelId, channelChanged: true });
}
