import { t } from '../../language/texts.ts';
import { NewAgentButton } from '../agents/no-agent-chosen.tsx';
import { Empty } from '../parts/empty.tsx';
import { useRooms } from '../state/subscriptions.ts';
import { ChatPage } from './chat-page.tsx';

export function ChatRoute({ room }: { room: string | null }) {
  return room === null ? <NoRoomChosen /> : <ChatPage key={room} roomId={room} />;
}

/** Page without a selected room; a new member of a server may not have any room. */
function NoRoomChosen() {
  const none = useRooms((view) => view !== null && Object.keys(view.rooms).length === 0);
  if (!none)
    return (
      <Empty page title={t('chat.choose')}>
        {t('chat.chooseHint')}
      </Empty>
    );
  return (
    <Empty page title={t('chat.noRooms')}>
      <p>{t('chat.noRoomsHint')}</p>
      <NewAgentButton />
    </Empty>
  );
}
