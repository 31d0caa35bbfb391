import type { Room } from '../../contract/model.ts';
import { dmSlug, mainRoom } from '../../contract/room-id.ts';
import { StateDot } from '../mark/dot.tsx';
import { Avatar } from '../parts/name.tsx';
import { useSeen } from '../state/presence.ts';

/** `#` for a channel; for a direct message the state dot of an agent or the avatar of a person. */
export function RoomSign({ room }: { room: Pick<Room, 'id' | 'kind' | 'name'> }) {
  const seen = useSeen(dmSlug(room.id));
  if (room.kind === 'channel')
    return (
      <span className="room-hash" aria-hidden="true">
        {'#'}
      </span>
    );
  if (seen !== null) return <StateDot state={seen.dot} label={seen.words} />;
  return <Avatar name={room.name} slug={mainRoom(room.id)} agent={false} />;
}
