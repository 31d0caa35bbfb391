import { NewAgentButton } from '../agents/no-agent-chosen.tsx';
import { Empty } from '../parts/empty.tsx';
import { useRooms } from '../state/subscriptions.ts';

/** No room is open; somebody new on a server may not have one at all. */
export function NoRoomChosen() {
  const none = useRooms((view) => view !== null && Object.keys(view.rooms).length === 0);
  if (!none) return <Empty title="Choose a room">Your rooms and direct messages are in the list.</Empty>;
  return (
    <Empty title="No rooms yet">
      <p>
        Your first agent brings a room with it. A room that somebody invites you to appears here by itself.
      </p>
      <NewAgentButton />
    </Empty>
  );
}
