import type { Connection, Room, RoomsView } from '../../contract/model.ts';
import { dmRoomId, dmSlug, mainRoom } from '../../contract/room-id.ts';
import type { DmConversation, RoomDigest } from '../../core/puffo/account-store.ts';
import type { Invite, RoomsSnapshot } from '../../services/puffo/account-types.ts';
import { viewInvite } from '../spaces/received-invites.ts';
import type { ChatPerson } from './people.ts';

interface RoomsSource {
  readonly self: string;
  /** Updated separately by `ChatPresence`. */
  readonly presence: RoomsView['presence'];
  readonly connection: Connection;
  readonly snapshot: RoomsSnapshot;
  readonly digests: readonly RoomDigest[];
  readonly conversations: readonly DmConversation[];
  /** Slugs of own registered agents; each has a room even without messages. */
  readonly agentSlugs: readonly string[];
  person(slug: string): ChatPerson;
  readonly invites: readonly Invite[];
  readonly trust: RoomsView['trust'];
  readonly scripts: RoomsView['scripts'];
  readonly muted: Pick<RoomsView, 'mutes' | 'counted'>;
}

export const noRooms: RoomsView = {
  self: null,
  connection: 'none',
  spaces: [],
  rooms: {},
  presence: {},
  invites: [],
  trust: {},
  scripts: [],
  mutes: {},
  counted: {},
};

const lastTextLength = 140;
const titleLength = 80;

function digestFields(digest: RoomDigest | undefined): Pick<Room, 'unread' | 'lastMessageAt' | 'lastText'> {
  return {
    unread: digest?.unread ?? 0,
    lastMessageAt: digest?.lastMessageAt ?? null,
    lastText: digest?.lastText.slice(0, lastTextLength) ?? '',
  };
}

export function viewRooms(source: RoomsSource): RoomsView {
  const digests = new Map(source.digests.map((digest) => [digest.roomId, digest]));
  const rooms: Record<string, Room> = {};
  for (const channel of source.snapshot.channels) {
    rooms[channel.id] = {
      id: channel.id,
      kind: 'channel',
      name: channel.name,
      spaceId: channel.spaceId,
      encrypted: channel.encrypted,
      members: channel.members.map(({ slug, role }) => {
        const { displayName, agent } = source.person(slug);
        return { slug, displayName, agent, role };
      }),
      ...digestFields(digests.get(channel.id)),
    };
  }
  const peers = new Set(source.agentSlugs);
  for (const { roomId } of source.digests) {
    const slug = dmSlug(roomId);
    if (slug !== null) peers.add(slug);
  }
  for (const { roomId } of source.conversations) peers.add(dmSlug(roomId) ?? '');
  const direct = (id: string, slug: string): Room => ({
    id,
    kind: 'dm',
    name: source.person(slug).displayName,
    spaceId: null,
    encrypted: true,
    members: [source.self, slug].map((each) => ({ ...source.person(each), role: 'member' })),
    ...digestFields(digests.get(id)),
  });
  for (const slug of peers) {
    if (slug !== '') rooms[dmRoomId(slug)] = direct(dmRoomId(slug), slug);
  }
  for (const { roomId, title, firstText, startedAt, archived } of source.conversations) {
    const main = rooms[mainRoom(roomId)];
    if (main === undefined || (roomId === main.id && title === '')) continue;
    const shown = title || firstText.slice(0, titleLength);
    rooms[roomId] = {
      ...direct(roomId, dmSlug(roomId) ?? ''),
      conversation: { title: shown, startedAt, archived },
    };
  }
  return {
    self: source.self,
    connection: source.connection,
    spaces: source.snapshot.spaces.map((space) => ({ ...space })),
    rooms,
    presence: source.presence,
    invites: source.invites.map((invite) => viewInvite(invite, (slug) => source.person(slug).displayName)),
    trust: source.trust,
    scripts: source.scripts,
    mutes: source.muted.mutes,
    counted: source.muted.counted,
  };
}
