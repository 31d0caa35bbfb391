/**
 * Invitations to spaces and channels (spec §2.4, §6.6). The relay accepts some channel invitations in the
 * invitee's name, with an event that contains the invitation: those of an agent's declared operator unless
 * the agent disabled it, and those of any member for people who enabled it. Joining a space is always the
 * invitee's own signed event.
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { say } from '../language/say.ts';
import { sameKey } from './cert-checks.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import {
  type ChangeResult,
  change,
  changedChannel,
  channelIdField,
  type EmittedEvent,
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
import type { IdentityRow, InvitationRow, MemberSettings } from './store-port.ts';

const spaceInviteSchema = z.object({ space_id: spaceIdField, invitee_slug: idSchema });
const channelInviteSchema = spaceInviteSchema.extend({ channel_id: channelIdField });
const answerSchema = z.object({
  space_id: spaceIdField,
  channel_id: channelIdField.nullish(),
  invitation_event_id: idSchema,
});

export const defaultSettings: MemberSettings = {
  autoAcceptOwnerInvite: true,
  autoAcceptMemberInvite: false,
};

type Scope = InvitationRow['scope'];

/** Human members may invite; an agent must be an admin of the space. */
function mayInvite(scene: Scene, spaceId: string): Result<void, Refusal> {
  const member = memberOfOpen(scene, spaceId);
  if (!member.ok) return member;
  return scene.signer.identityType === 'human' || leads(member.value)
    ? ok(undefined)
    : refuseRequest('FORBIDDEN', say('relay.agentInvitesAsAdmin'));
}

function findInvitee(scene: Scene, slug: string): Result<IdentityRow, Refusal> {
  const invitee = scene.store.people.identity(slug);
  return invitee ? ok(invitee) : refuseRequest('NOT_FOUND', say('relay.personUnknown', { slug }));
}

export function inviteToSpace(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, spaceInviteSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId } = payload.value;
  const allowed = mayInvite(scene, spaceId);
  if (!allowed.ok) return allowed;
  const invitee = findInvitee(scene, payload.value.invitee_slug);
  if (!invitee.ok) return invitee;
  if (scene.store.spaces.member(spaceId, invitee.value.slug)) {
    return refuseRequest('CONFLICT', say('relay.memberAlready', { slug: invitee.value.slug }));
  }
  return invite(scene, 'space', spaceId, null, invitee.value);
}

export function inviteToChannel(scene: Scene): ChangeResult {
  const payload = payloadOf(scene, channelInviteSchema);
  if (!payload.ok) return payload;
  const { space_id: spaceId, channel_id: channelId } = payload.value;
  const allowed = mayInvite(scene, spaceId);
  if (!allowed.ok) return allowed;
  const channel = changedChannel(scene, spaceId, channelId);
  if (!channel.ok) return channel;
  const invitee = findInvitee(scene, payload.value.invitee_slug);
  if (!invitee.ok) return invitee;
  if (!scene.store.spaces.member(spaceId, invitee.value.slug)) {
    return refuseRequest('FORBIDDEN', say('relay.inviteToSpaceFirst', { slug: invitee.value.slug }));
  }
  if (scene.store.spaces.channelMember(channelId, invitee.value.slug)) {
    return refuseRequest('CONFLICT', say('relay.memberAlready', { slug: invitee.value.slug }));
  }
  return invite(scene, 'channel', spaceId, channelId, invitee.value);
}

function invite(
  scene: Scene,
  scope: Scope,
  spaceId: string,
  channelId: string | null,
  invitee: IdentityRow,
): ChangeResult {
  const { spaces } = scene.store;
  const repeated = spaces
    .openInvitations({ invitee: invitee.slug })
    .some((open) => open.spaceId === spaceId && open.channelId === channelId);
  if (repeated) return refuseRequest('CONFLICT', say('relay.invitationOpen', { slug: invitee.slug }));
  // A blocked inviter is not told: the invitation looks rejected to them.
  const blocked = scene.store.contacts.verdict(invitee.slug, scene.signer.slug) === 'block';
  const invitation: InvitationRow = {
    eventId: scene.event.event_id,
    scope,
    spaceId,
    channelId,
    inviterSlug: scene.signer.slug,
    inviteeSlug: invitee.slug,
    createdAt: scene.now,
    state: blocked ? 'rejected' : 'open',
  };
  spaces.addInvitation(invitation);
  if (blocked) return change({ channelId });
  if (!acceptsAtOnce(scene, invitation, invitee)) return change({ channelId, alsoTell: [invitee.slug] });
  join(scene, invitation);
  return change({
    channelId,
    alsoTell: [invitee.slug],
    emitted: [acceptedBy(scene, invitation)],
    membershipChanged: true,
    channelChanged: channelId !== null,
  });
}

function acceptsAtOnce(scene: Scene, invitation: InvitationRow, invitee: IdentityRow): boolean {
  if (invitation.scope !== 'channel') return false;
  const settings = scene.store.spaces.settings(invitation.spaceId, invitee.slug) ?? defaultSettings;
  if (invitee.identityType === 'agent') {
    const byOwner = sameKey(invitee.operatorRootPublicKey, scene.signer.rootPublicKey);
    return byOwner && settings.autoAcceptOwnerInvite;
  }
  return settings.autoAcceptMemberInvite;
}

function acceptedBy(scene: Scene, invitation: InvitationRow): EmittedEvent {
  const event = scene.serverKey.sign(
    'accept_channel_invite',
    {
      space_id: invitation.spaceId,
      ...(invitation.channelId === null ? {} : { channel_id: invitation.channelId }),
      invitation_event_id: invitation.eventId,
      accepted_at: scene.now,
      original_invite: scene.event,
    },
    invitation.inviteeSlug,
  );
  return { event, channelId: invitation.channelId };
}

function join(scene: Scene, invitation: InvitationRow): void {
  const { spaces } = scene.store;
  spaces.setInvitationState(invitation.eventId, 'accepted');
  if (invitation.channelId === null) joinSpace(scene, invitation.spaceId, invitation.inviteeSlug);
  else {
    const member = { slug: invitation.inviteeSlug, role: 'member' as const };
    spaces.saveChannelMember(invitation.channelId, member, scene.now);
  }
}

/** The open invitation that a response names; only its inviter and invitee learn that it exists. */
function openInvitation(
  scene: Scene,
  scope: Scope,
  side: 'inviteeSlug' | 'inviterSlug',
): Result<InvitationRow, Refusal> {
  const payload = payloadOf(scene, answerSchema);
  if (!payload.ok) return payload;
  const invitation = scene.store.spaces.invitation(payload.value.invitation_event_id);
  if (
    invitation?.scope !== scope ||
    invitation[side] !== scene.signer.slug ||
    invitation.spaceId !== payload.value.space_id ||
    (scope === 'channel' && invitation.channelId !== payload.value.channel_id)
  ) {
    return refuseRequest('NOT_FOUND', say('relay.invitationUnknown'));
  }
  if (invitation.state !== 'open')
    return refuseRequest('CONFLICT', say(`relay.invitationClosed_${invitation.state}`));
  return ok(invitation);
}

export const acceptInvite =
  (scope: Scope) =>
  (scene: Scene): ChangeResult => {
    const invitation = openInvitation(scene, scope, 'inviteeSlug');
    if (!invitation.ok) return invitation;
    const { spaceId, channelId, inviterSlug } = invitation.value;
    const { spaces } = scene.store;
    const stillThere =
      channelId === null ? spaces.member(spaceId, inviterSlug) : spaces.channelMember(channelId, inviterSlug);
    if (!stillThere) {
      return refuseRequest('CONFLICT', say(`relay.inviterLeft_${scope}`, { inviterSlug }));
    }
    const open = notArchived(spaces.space(spaceId));
    if (!open.ok) return open;
    if (scope === 'channel') {
      const member = memberOf(scene, invitation.value.spaceId);
      if (!member.ok) return member;
    }
    join(scene, invitation.value);
    return change({
      channelId: invitation.value.channelId,
      membershipChanged: true,
      channelChanged: scope === 'channel',
    });
  };

export const closeInvite =
  (scope: Scope, state: 'rejected' | 'cancelled') =>
  (scene: Scene): ChangeResult => {
    const side = state === 'rejected' ? 'inviteeSlug' : 'inviterSlug';
    const invitation = openInvitation(scene, scope, side);
    if (!invitation.ok) return invitation;
    scene.store.spaces.setInvitationState(invitation.value.eventId, state);
    return change({
      channelId: invitation.value.channelId,
      alsoTell: [invitation.value.inviteeSlug, invitation.value.inviterSlug],
    });
  };
