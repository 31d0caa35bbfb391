import type { Room } from '../../contract/model.ts';
import { StateDot } from '../mark/dot.tsx';
import { Avatar } from '../parts/name.tsx';
import { useAgentBySlug } from '../state/subscriptions.ts';

/** The slug behind a direct message's room id. */
export const dmSlug = (roomId: string): string | null => (roomId.startsWith('dm:') ? roomId.slice(3) : null);

/** # for a channel; for a direct message the agent's dot, or initials of a person. */
export function RoomSign({ room }: { room: Pick<Room, 'id' | 'kind' | 'name'> }) {
  const agent = useAgentBySlug(dmSlug(room.id));
  if (room.kind === 'channel')
    return (
      <span className="room-hash" aria-hidden="true">
        #
      </span>
    );
  if (agent !== null) return <StateDot state={agent.dot} />;
  return <Avatar name={room.name} slug={room.id} agent={false} />;
}
