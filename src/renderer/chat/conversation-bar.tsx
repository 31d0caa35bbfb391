import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { hidden } from '../parts/rich.tsx';
import { openInspector, useScreen } from '../state/screen.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';
import { conversationName, startConversation, unreadIn, useConversations } from './conversations.ts';

/** Names the open conversation, opens the list of all, and starts a new one. */
export function ConversationBar({ room }: { room: Room }) {
  const { link } = useReplica();
  const others = useConversations(room.id).filter(({ id }) => id !== room.id);
  const unread = useRooms((view) => (view === null ? 0 : unreadIn(view, others)));
  const open = useScreen(({ inspector }) => inspector?.type === 'conversations');
  return (
    <div className="conversation-bar">
      <button
        type="button"
        className="conversation-open"
        aria-expanded={open}
        title={t('conversations.all')}
        onClick={() => openInspector(open ? null : { type: 'conversations' })}
      >
        <Icon name="chat" size={14} />
        <span className="visually-hidden">{t('conversations.open')}</span>
        <bdi className="conversation-title">{conversationName(room)}</bdi>
        <Icon name="chevron" size={14} />
        {unread > 0 && (
          <span className="badge">{t.rich('conversations.unreadElsewhere', { count: unread, hidden })}</span>
        )}
      </button>
      <span className="spacer" />
      <button
        type="button"
        className="button is-small conversation-new"
        aria-label={t('conversations.new')}
        title={t('conversations.newHint')}
        onClick={() => void startConversation(link, room.id)}
      >
        <Icon name="plus" size={14} /> <span>{t('conversations.new')}</span>
      </button>
    </div>
  );
}
