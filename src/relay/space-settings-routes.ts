/**
 * Changes to a space or channel itself by a signed request (spec §2.3): renaming, archiving, restoring,
 * deleting. Each is decided and stored in one transaction; non-members learn nothing from the response.
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { say } from '../language/say.ts';
import { announceChannel, announceMembership } from './announce.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { leads, notArchived } from './space-change.ts';
import type { ChannelRow, SpaceMemberRow, SpaceRow, SpaceRows } from './store-port.ts';

const nameSchema = z.string().trim().min(1).max(120);
const spaceSchema = z.object({ name: nameSchema });
const channelSchema = z
  .object({ name: nameSchema.optional(), description: z.string().max(1000).optional() })
  .refine(({ name, description }) => name !== undefined || description !== undefined, {
    error: 'names nothing to change',
  });

interface Inside {
  readonly space: SpaceRow;
  readonly member: SpaceMemberRow;
}

function insideSpace(spaces: SpaceRows, request: RelayRequest, caller: Caller): Result<Inside, Refusal> {
  const spaceId = request.params.space ?? '';
  const space = spaces.space(spaceId);
  const member = space && spaces.member(spaceId, caller.slug);
  return member ? ok({ space, member }) : refuseRequest('FORBIDDEN', say('relay.spaceMembersOnly'));
}

function ownSpace(
  spaces: SpaceRows,
  request: RelayRequest,
  caller: Caller,
  action: 'archive' | 'delete' | 'unarchive',
): Result<Inside, Refusal> {
  const inside = insideSpace(spaces, request, caller);
  if (!inside.ok || inside.value.member.role === 'owner') return inside;
  return refuseRequest('FORBIDDEN', say(`relay.owner_${action}`));
}

const slugsOf = (members: readonly SpaceMemberRow[]): readonly string[] => members.map(({ slug }) => slug);

/** Runs `change` in one transaction, then notifies everyone who was a member before it. */
async function changeSpaceWith(
  context: RelayContext,
  request: RelayRequest,
  change: () => Result<void, Refusal>,
): Promise<RouteOutcome> {
  const spaceId = request.params.space ?? '';
  const done = await context.queue.run((): Result<readonly string[], Refusal> => {
    const audience = slugsOf(context.store.spaces.members(spaceId));
    const changed = change();
    return changed.ok ? ok(audience) : changed;
  });
  if (!done.ok) return done;
  announceMembership(context, spaceId, done.value);
  return answer({ ok: true });
}

export function changeSpace(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const { spaces } = context.store;
  return changeSpaceWith(context, request, () => {
    const inside = insideSpace(spaces, request, caller);
    if (!inside.ok) return inside;
    if (!leads(inside.value.member)) {
      return refuseRequest('FORBIDDEN', say('relay.adminsRename'));
    }
    const body = request.json(spaceSchema);
    if (!body.ok) return body;
    const open = notArchived(inside.value.space);
    if (!open.ok) return open;
    spaces.renameSpace(inside.value.space.spaceId, body.value.name);
    return ok(undefined);
  });
}

/** Idempotent. */
export const archiveSpace =
  (archived: boolean) =>
  (context: RelayContext, request: RelayRequest, caller: Caller): Promise<RouteOutcome> => {
    const { spaces } = context.store;
    return changeSpaceWith(context, request, () => {
      const inside = ownSpace(spaces, request, caller, archived ? 'archive' : 'unarchive');
      if (!inside.ok) return inside;
      spaces.setArchived(inside.value.space.spaceId, archived);
      return ok(undefined);
    });
  };

export function deleteSpace(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const { spaces } = context.store;
  return changeSpaceWith(context, request, () => {
    const inside = ownSpace(spaces, request, caller, 'delete');
    if (!inside.ok) return inside;
    const { spaceId } = inside.value.space;
    for (const { eventId } of spaces.openInvitations({ space: spaceId })) {
      spaces.setInvitationState(eventId, 'cancelled');
    }
    spaces.removeSpace(spaceId);
    return ok(undefined);
  });
}

/** A channel of which the caller is a member, with the audience of its changes. */
function insideChannel(
  spaces: SpaceRows,
  request: RelayRequest,
  caller: Caller,
): Result<Inside & { readonly channel: ChannelRow }, Refusal> {
  const inside = insideSpace(spaces, request, caller);
  if (!inside.ok) return inside;
  const channel = spaces.channel(request.params.channel ?? '');
  if (
    channel?.spaceId !== inside.value.space.spaceId ||
    !spaces.channelMember(channel.channelId, caller.slug)
  ) {
    return refuseRequest('FORBIDDEN', say('relay.channelMembersOnly'));
  }
  if (!leads(inside.value.member) && channel.ownerSlug !== caller.slug) {
    return refuseRequest('FORBIDDEN', say('relay.channelMakersDelete'));
  }
  const open = notArchived(inside.value.space);
  return open.ok ? ok({ ...inside.value, channel }) : open;
}

async function changeChannelWith(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
  change: (channel: ChannelRow) => Result<void, Refusal>,
): Promise<RouteOutcome> {
  const { spaces } = context.store;
  const done = await context.queue.run((): Result<readonly string[], Refusal> => {
    const inside = insideChannel(spaces, request, caller);
    if (!inside.ok) return inside;
    const { channel, space } = inside.value;
    const members = channel.isPublic
      ? spaces.members(space.spaceId)
      : spaces.channelMembers(channel.channelId);
    const changed = change(channel);
    return changed.ok ? ok(slugsOf(members)) : changed;
  });
  if (!done.ok) return done;
  announceChannel(context, request.params.space ?? '', request.params.channel ?? '', done.value);
  return answer({ ok: true });
}

export function changeChannel(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  return changeChannelWith(context, request, caller, (channel) => {
    const body = request.json(channelSchema);
    if (!body.ok) return body;
    const { name = channel.name, description = channel.description } = body.value;
    context.store.spaces.changeChannel(channel.channelId, { name, description });
    return ok(undefined);
  });
}

/** Members keep the messages in their own stores. */
export function deleteChannel(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const { spaces } = context.store;
  return changeChannelWith(context, request, caller, ({ channelId, spaceId, isPublic }) => {
    const publicOnes = spaces.channels(spaceId).filter((channel) => channel.isPublic);
    if (isPublic && publicOnes.length === 1) {
      return refuseRequest('CONFLICT', say('relay.oneChannelForAll'));
    }
    for (const invitation of spaces.openInvitations({ space: spaceId })) {
      if (invitation.channelId === channelId) spaces.setInvitationState(invitation.eventId, 'cancelled');
    }
    spaces.removeChannel(channelId);
    return ok(undefined);
  });
}
