/** Reads spaces, channels, members, invitations and events; a member's settings (spec §2.2). */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { say } from '../language/say.ts';
import {
  answer,
  type Caller,
  type RelayContext,
  type RelayRequest,
  type RouteOutcome,
  wholeNumberParam,
} from './context.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { defaultSettings } from './space-invitations.ts';
import type { ChannelRow, SpaceEventRow, SpaceMemberRow } from './store-port.ts';

export function listSpaces(context: RelayContext, _request: RelayRequest, caller: Caller): RouteOutcome {
  const { spaces } = context.store;
  return answer({
    spaces: spaces.spacesOf(caller.slug).map((space) => ({
      space_id: space.spaceId,
      name: space.name,
      owner_slug: space.ownerSlug,
      created_at: space.createdAt,
      // Clients from 2.0 read these two; spaces have neither here.
      description: '',
      avatar_url: '',
      role: spaces.member(space.spaceId, caller.slug)?.role ?? 'member',
      joined_at: spaces.joinedAt(space.spaceId, caller.slug),
      archived: space.archived,
    })),
  });
}

function insideSpace(context: RelayContext, request: RelayRequest, caller: Caller): Result<string, Refusal> {
  const spaceId = request.params.space ?? '';
  return context.store.spaces.member(spaceId, caller.slug)
    ? ok(spaceId)
    : refuseRequest('FORBIDDEN', say('relay.membersSeeSpace'));
}

export function listChannels(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const spaceId = insideSpace(context, request, caller);
  if (!spaceId.ok) return spaceId;
  const { spaces } = context.store;
  const visible = (channel: ChannelRow): boolean =>
    channel.isPublic || spaces.channelMember(channel.channelId, caller.slug) !== null;
  return answer({
    channels: spaces
      .channels(spaceId.value)
      .filter(visible)
      .map((channel) => ({
        channel_id: channel.channelId,
        space_id: channel.spaceId,
        name: channel.name,
        description: channel.description,
        is_public: channel.isPublic,
        is_encrypted: channel.isEncrypted,
        owner_slug: channel.ownerSlug,
        created_at: channel.createdAt,
        is_member: spaces.channelMember(channel.channelId, caller.slug) !== null,
      })),
  });
}

function memberViews(context: RelayContext, members: readonly SpaceMemberRow[]): readonly unknown[] {
  const known = new Map(
    context.store.people
      .identities(members.map((member) => member.slug))
      .map((identity) => [identity.slug, identity]),
  );
  return members.map(({ slug, role }) => ({
    slug,
    role,
    display_name: known.get(slug)?.displayName ?? slug,
    identity_type: known.get(slug)?.identityType ?? 'human',
    owner_slug: known.get(slug)?.operatorSlug ?? null,
    online: context.hub.isConnected(slug),
  }));
}

export function listSpaceMembers(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const spaceId = insideSpace(context, request, caller);
  if (!spaceId.ok) return spaceId;
  return answer({ members: memberViews(context, context.store.spaces.members(spaceId.value)) });
}

export function listChannelMembers(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): RouteOutcome {
  const spaceId = insideSpace(context, request, caller);
  if (!spaceId.ok) return spaceId;
  const channelId = request.params.channel ?? '';
  const { spaces } = context.store;
  const channel = spaces.channel(channelId);
  if (
    channel?.spaceId !== spaceId.value ||
    !(channel.isPublic || spaces.channelMember(channelId, caller.slug))
  ) {
    return refuseRequest('FORBIDDEN', say('relay.membersSeeChannel'));
  }
  return answer({ members: memberViews(context, spaces.channelMembers(channelId)) });
}

export const eventCursor = (event: Pick<SpaceEventRow, 'at' | 'signerSlug' | 'eventId'>): string =>
  `${event.at}:${event.signerSlug}:${event.eventId}`;

export function parseCursor(
  text: string | null,
): { readonly at: number; readonly signerSlug: string; readonly eventId: string } | null {
  const match = /^(\d{1,15}):([^:]{1,200}):([^:]{1,200})$/.exec(text ?? '');
  return match ? { at: Number(match[1]), signerSlug: match[2] ?? '', eventId: match[3] ?? '' } : null;
}

export function listEvents(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const spaceId = insideSpace(context, request, caller);
  if (!spaceId.ok) return spaceId;
  const text = request.query.get('since');
  const since = parseCursor(text);
  if (text !== null && text !== '' && text !== '0' && since === null) {
    return refuseRequest('InvalidInput', say('relay.cursorMalformed'));
  }
  const limit = Math.max(1, wholeNumberParam(request.query, 'limit', 200, 500));
  const rows = context.store.spaces.events({
    spaceId: spaceId.value,
    slug: caller.slug,
    since,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return answer({
    events: page.map((row) => JSON.parse(row.event) as unknown),
    has_more: rows.length > limit,
    next_cursor: last ? eventCursor(last) : text,
  });
}

export function listInvites(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const { spaces } = context.store;
  const sent = request.query.get('direction') === 'sent';
  const invitations = spaces.openInvitations(sent ? { inviter: caller.slug } : { invitee: caller.slug });
  return answer({
    invites: invitations.map((invitation) => ({
      invitation_event_id: invitation.eventId,
      scope: invitation.scope,
      space_id: invitation.spaceId,
      channel_id: invitation.channelId,
      inviter_slug: invitation.inviterSlug,
      invitee_slug: invitation.inviteeSlug,
      space_name: spaces.space(invitation.spaceId)?.name ?? '',
      channel_name: invitation.channelId === null ? null : (spaces.channel(invitation.channelId)?.name ?? ''),
      created_at: invitation.createdAt,
    })),
  });
}

const settingsSchema = z.object({
  auto_accept_owner_invite: z.boolean().optional(),
  auto_accept_member_invite: z.boolean().optional(),
});

/** Allows members and invitees, because an agent may decide before it joins. */
function settingsSpace(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Result<string, Refusal> {
  const spaceId = request.params.space ?? '';
  const { spaces } = context.store;
  const concerned =
    spaces.member(spaceId, caller.slug) !== null ||
    spaces.openInvitations({ invitee: caller.slug }).some((open) => open.spaceId === spaceId);
  return concerned ? ok(spaceId) : refuseRequest('FORBIDDEN', say('relay.notInSpace'));
}

export function readSettings(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const spaceId = settingsSpace(context, request, caller);
  if (!spaceId.ok) return spaceId;
  const settings = context.store.spaces.settings(spaceId.value, caller.slug) ?? defaultSettings;
  return answer({
    auto_accept_owner_invite: settings.autoAcceptOwnerInvite,
    auto_accept_member_invite: settings.autoAcceptMemberInvite,
  });
}

export async function changeSettings(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const spaceId = settingsSpace(context, request, caller);
  if (!spaceId.ok) return spaceId;
  const body = request.json(settingsSchema);
  if (!body.ok) return body;
  const { people, spaces } = context.store;
  const agent = people.identity(caller.slug)?.identityType === 'agent';
  if (agent && body.value.auto_accept_member_invite !== undefined) {
    return refuseRequest('FORBIDDEN', say('relay.agentJoinsByOperator'));
  }
  const saved = await context.queue.run(() => {
    const before = spaces.settings(spaceId.value, caller.slug) ?? defaultSettings;
    const settings = {
      autoAcceptOwnerInvite: body.value.auto_accept_owner_invite ?? before.autoAcceptOwnerInvite,
      autoAcceptMemberInvite: body.value.auto_accept_member_invite ?? before.autoAcceptMemberInvite,
    };
    spaces.saveSettings(spaceId.value, caller.slug, settings);
    return ok(settings);
  });
  if (!saved.ok) return saved;
  return answer({
    auto_accept_owner_invite: saved.value.autoAcceptOwnerInvite,
    auto_accept_member_invite: saved.value.autoAcceptMemberInvite,
  });
}
