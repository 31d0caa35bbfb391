import type { RoomsView } from '../../contract/model.ts';
import { dmSlug } from '../../contract/room-id.ts';
import type { ChatPerson } from './people.ts';

export interface RoomNames {
  readonly people: { get(slug: string): ChatPerson };
  readonly rooms: { state(): RoomsView };
}

/** `#name` of a channel or the name of the other person; the id if the room is unknown. */
export function roomName({ people, rooms }: RoomNames, roomId: string): string {
  const slug = dmSlug(roomId);
  if (slug !== null) return people.get(slug).displayName;
  const room = rooms.state().rooms[roomId];
  return room ? `#${room.name}` : roomId;
}
