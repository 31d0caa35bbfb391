/** Rows of the list of rooms: spaces with their channels, direct messages, and agents without a conversation. */
import type { Room } from '../../contract/model.ts';
import { isFurther } from '../../contract/room-conversations.ts';
import { dmRoomId, mainRoom } from '../../contract/room-id.ts';
import { byWords } from '../format/order.ts';
import type { ShownSpace } from '../spaces/rights.ts';

export interface QuietAgent {
  readonly id: string;
  readonly roomId: string;
  readonly name: string;
}

export type RoomItem =
  | { readonly kind: 'space'; readonly key: string; readonly space: ShownSpace }
  /** A space in which the operator sees no channel. */
  | { readonly kind: 'none'; readonly key: string }
  | { readonly kind: 'direct'; readonly key: string }
  /** `further`: the other conversations of a direct message. */
  | { readonly kind: 'room'; readonly key: string; readonly room: Room; readonly further: readonly Room[] }
  | { readonly kind: 'others'; readonly key: string; readonly count: number; readonly open: boolean }
  | { readonly kind: 'agent'; readonly key: string; readonly agent: QuietAgent };

interface RoomsSource {
  readonly spaces: readonly ShownSpace[];
  readonly rooms: readonly Room[];
  /** Own agents, with the handle that messages to them need. */
  readonly agents: readonly { readonly id: string; readonly slug: string; readonly name: string }[];
  readonly selected: string | null;
  /** Whether the agents without a conversation are shown; `null` shows them while they are few. */
  readonly othersOpen: boolean | null;
}

/** Agents without a conversation that are shown without asking. */
const fewAgents = 5;

const byName = (a: Room, b: Room): number => byWords(a.name, b.name);

/** An open conversation, or one with messages. */
const isListed = (room: Room, selected: string | null, further: Further): boolean =>
  room.unread > 0 || room.lastMessageAt !== null || room.id === selected || further.has(room.id);

/** Further conversations by their main one. */
type Further = ReadonlyMap<string, readonly Room[]>;

const none: readonly Room[] = [];

function furtherIn(rooms: readonly Room[]): Further {
  const found = new Map<string, Room[]>();
  for (const room of rooms.filter(isFurther)) {
    const main = mainRoom(room.id);
    const others = found.get(main);
    if (others) others.push(room);
    else found.set(main, [room]);
  }
  return found;
}

/** Archived spaces come last; spaces without channels stay, because their menu must stay reachable. */
export function listRooms(source: RoomsSource): readonly RoomItem[] {
  const { spaces, rooms } = source;
  const selected = source.selected === null ? null : mainRoom(source.selected);
  const further = furtherIn(rooms);
  const own: ReadonlySet<string> = new Set(source.agents.map(({ slug }) => dmRoomId(slug)));
  const direct = rooms.filter(
    (room) =>
      room.kind === 'dm' && !isFurther(room) && (!own.has(room.id) || isListed(room, selected, further)),
  );
  const listed: ReadonlySet<string> = new Set(direct.map(({ id }) => id));
  const quiet = source.agents
    .map(({ id, slug, name }) => ({ id, name, roomId: dmRoomId(slug) }))
    .filter(({ roomId }) => !listed.has(roomId))
    .sort((a, b) => byWords(a.name, b.name));
  const ofSpace = (space: ShownSpace): readonly RoomItem[] => {
    const channels = rooms.filter((room) => room.kind === 'channel' && room.spaceId === space.id);
    return [
      { kind: 'space', key: `space ${space.id}`, space },
      ...(channels.length === 0 ? [{ kind: 'none', key: `none ${space.id}` } as const] : roomItems(channels)),
    ];
  };
  const open = source.othersOpen ?? quiet.length <= fewAgents;
  return [
    ...spaces.filter(({ archived }) => !archived).flatMap(ofSpace),
    ...(direct.length === 0
      ? []
      : [{ kind: 'direct', key: 'direct' } as const, ...roomItems(direct, further)]),
    ...(quiet.length === 0 ? [] : [{ kind: 'others', key: 'others', count: quiet.length, open } as const]),
    ...quiet
      .filter(({ roomId }) => open || roomId === selected)
      .map((agent) => ({ kind: 'agent', key: agent.roomId, agent }) as const),
    ...spaces.filter(({ archived }) => archived).flatMap(ofSpace),
  ];
}

const roomItems = (rooms: readonly Room[], further: Further = new Map()): readonly RoomItem[] =>
  [...rooms]
    .sort(byName)
    .map((room) => ({ kind: 'room', key: room.id, room, further: further.get(room.id) ?? none }));
