/**
 * Changes to spaces, channels and their members (spec §2.3, §2.4): signed events if the protocol has them,
 * signed requests otherwise. Each makes its account reload the rooms afterwards.
 */

import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { slugSchema } from '../../core/puffo/wire.ts';
import type { AccountSpaces, MemberView, SentInvite } from './account-types.ts';
import type { ServerDirectory } from './directory.ts';
import { serverInviteSchema } from './invitations.ts';
import type { RequestError } from './request-error.ts';
import type { Rooms } from './rooms.ts';
import type { SignedClient } from './signed-client.ts';
import type { SpaceEvents } from './space-events.ts';
import { validItems } from './valid-items.ts';

export interface SpaceActionsDeps {
  readonly client: SignedClient;
  readonly events: SpaceEvents;
  readonly directory: Pick<ServerDirectory, 'members' | 'profiles' | 'formats'>;
  readonly rooms: Pick<Rooms, 'snapshot' | 'refresh'>;
  readonly clock: Clock;
}

type Done<T = void> = Promise<Result<T, RequestError>>;

const membersSchema = z.looseObject({
  members: validItems(
    z.looseObject({
      slug: slugSchema,
      role: z.string().max(40).nullish(),
      display_name: z.string().max(300).nullish(),
      identity_type: z.string().max(40).nullish(),
    }),
  ),
});

const pathOf = (spaceId: string, more = ''): string => `/spaces/${encodeURIComponent(spaceId)}${more}`;
const channelPath = (spaceId: string, channelId: string): string =>
  pathOf(spaceId, `/channels/${encodeURIComponent(channelId)}`);

export function createSpaceActions(deps: SpaceActionsDeps): AccountSpaces {
  const { client, events, directory, rooms, clock } = deps;

  /** Reloads rooms and members before resolving; a failed reload does not fail the change. */
  const then = async <T>(spaceId: string, doing: Done<T>): Done<T> => {
    const done = await doing;
    if (!done.ok) return done;
    directory.members.changed(spaceId);
    await rooms.refresh();
    return done;
  };
  const request = async (method: 'PATCH' | 'POST' | 'DELETE', target: string, body?: object): Done => {
    const answer = await client.json(method, target, z.unknown(), body ? { body } : {});
    return answer.ok ? ok(undefined) : answer;
  };
  const event = async (kind: string, payload: Parameters<SpaceEvents['post']>[1]): Done => {
    const posted = await events.post(kind, payload);
    return posted.ok ? ok(undefined) : posted;
  };
  const now = (): number => clock.now();

  return {
    rename: (spaceId, name) => then(spaceId, request('PATCH', pathOf(spaceId), { name })),
    archive: (spaceId, archived) =>
      then(spaceId, request('POST', pathOf(spaceId, archived ? '/archive' : '/unarchive'))),
    leave: (spaceId) => then(spaceId, event('leave_space', { space_id: spaceId, effective_from: now() })),
    remove: (spaceId, slug) =>
      then(
        spaceId,
        event('remove_from_space', { space_id: spaceId, removed_slug: slug, effective_from: now() }),
      ),
    setRole: (spaceId, slug, role) =>
      then(
        spaceId,
        role === 'owner'
          ? event('transfer_space_ownership', { space_id: spaceId, new_owner_slug: slug, issued_at: now() })
          : event('update_role', { space_id: spaceId, target_slug: slug, new_role: role, issued_at: now() }),
      ),
    members: (spaceId) => listMembers(deps, spaceId),
    createChannel: async (spaceId, name, encrypted) => {
      const made = await events.createChannel(spaceId, name, encrypted);
      if (made.ok && encrypted) directory.formats.keepSealed(made.value.channelId);
      return then(spaceId, Promise.resolve(made));
    },
    renameChannel: (spaceId, channelId, name) =>
      then(spaceId, request('PATCH', channelPath(spaceId, channelId), { name })),
    deleteChannel: (spaceId, channelId) => then(spaceId, request('DELETE', channelPath(spaceId, channelId))),
    leaveChannel: (spaceId, channelId) =>
      then(
        spaceId,
        event('leave_channel', { space_id: spaceId, channel_id: channelId, effective_from: now() }),
      ),
    removeFromChannel: (spaceId, channelId, slug) => {
      const payload = { space_id: spaceId, channel_id: channelId, removed_slug: slug };
      return then(spaceId, event('remove_from_channel', { ...payload, effective_from: now() }));
    },
    invite: (spaceId, channelId, slug) => then(spaceId, events.invite(spaceId, channelId, slug)),
    sentInvites: () => listSent(client),
    cancelInvite: ({ eventId, scope, spaceId, channelId }) =>
      event(`cancel_${scope}_invite`, {
        space_id: spaceId,
        ...(channelId === null ? {} : { channel_id: channelId }),
        invitation_event_id: eventId,
        cancelled_at: now(),
      }),
  };
}

const sentSchema = z.looseObject({ invites: z.array(z.unknown()).max(1_000) });
const inviteeSchema = z.looseObject({ invitee_slug: slugSchema });

async function listSent(client: SignedClient): Done<readonly SentInvite[]> {
  const answer = await client.json('GET', '/invites?direction=sent', sentSchema);
  if (!answer.ok) return answer;
  return ok(
    answer.value.invites.flatMap((raw) => {
      const [invite, invitee] = [serverInviteSchema.safeParse(raw), inviteeSchema.safeParse(raw)];
      return invite.success && invitee.success
        ? [{ ...invite.data, inviteeSlug: invitee.data.invitee_slug }]
        : [];
    }),
  );
}

/** Servers of 0.8 list members by channel only: the result is then everyone in a channel of this account. */
async function listMembers(deps: SpaceActionsDeps, spaceId: string): Done<readonly MemberView[]> {
  const { client, directory, rooms } = deps;
  const answer = await client.json('GET', pathOf(spaceId, '/members'), membersSchema);
  if (answer.ok) {
    return ok(
      answer.value.members.map(({ slug, role, display_name: name, identity_type: type }) => {
        const known = directory.profiles.known(slug);
        return {
          slug,
          role: role ?? 'member',
          displayName: name || known.displayName,
          agent: known.agent || type === 'agent',
        };
      }),
    );
  }
  if (answer.error.status !== 404 && answer.error.code !== 'protocol') return answer;
  const members = new Map<string, MemberView>();
  for (const channel of rooms.snapshot().channels) {
    if (channel.spaceId !== spaceId) continue;
    for (const member of channel.members) members.set(member.slug, { ...member, role: 'member' });
  }
  return members.size === 0 ? answer : ok([...members.values()]);
}
