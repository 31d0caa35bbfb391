import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type ChannelId, dmSlug, type SpaceId } from '../../contract/room-id.ts';
import type { Account } from '../../services/puffo/account-types.ts';

export type ChatAccount = Pick<Account, 'person' | 'rooms' | 'refreshRooms' | 'kickOutbox' | 'channelName'>;

/** A room that an agent names: a channel id, or `@slug`. */
export type MessagingRoom =
  | { readonly kind: 'channel'; readonly roomId: ChannelId; readonly spaceId: SpaceId }
  | { readonly kind: 'dm'; readonly roomId: string; readonly slug: string };

const noRoom = fail('not_found', 'agents.notInChannel', {}, { help: 'agents.useListChannels' });

/** Asks the server if the account has no channels yet. */
export async function knownRooms(account: ChatAccount) {
  const known = account.rooms().channels;
  if (known.length > 0) return ok(known);
  const asked = await account.refreshRooms();
  if (!asked.ok) return err(fail('unavailable', 'agents.channelsUnavailable'));
  return ok(account.rooms().channels);
}

/** Room id of a channel, or of direct messages with `@slug` (`@slug~conversation`). */
export const messagingRoom = (channel: string): string =>
  channel.startsWith('@') ? `dm:${channel.slice(1)}` : channel;

/** The reverse of `messagingRoom`. */
export const messagingAddress = (roomId: string): string =>
  roomId.startsWith('dm:') ? `@${roomId.slice('dm:'.length)}` : roomId;

export async function findMessagingRoom(
  account: ChatAccount,
  channel: string,
): Promise<Result<MessagingRoom>> {
  if (channel.startsWith('@')) {
    const roomId = messagingRoom(channel);
    const slug = dmSlug(roomId);
    return slug === null ? err(noRoom) : ok({ kind: 'dm', roomId, slug });
  }
  for (const fresh of [false, true]) {
    if (fresh) await account.refreshRooms();
    const rooms = await knownRooms(account);
    if (!rooms.ok) return rooms;
    const room = rooms.value.find(({ id }) => id === channel);
    if (room) return ok({ kind: 'channel', roomId: room.id, spaceId: room.spaceId });
  }
  return err(noRoom);
}
