import type { Annotation, ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { act } from '../state/action.ts';
import { openInspector } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { usePinCount } from './annotations.ts';

/** Pin and reactions of the operator under a message; a click removes a reaction. */
export function MessageNotes({ message, note }: { message: ChatMessage; note: Annotation }) {
  const { link } = useReplica();
  if (note.pinnedAt === null && note.reactions.length === 0) return null;
  return (
    <div className="message-notes">
      {note.pinnedAt !== null && (
        <span className="pin-mark" title={t('annotations.onlyHere')}>
          <Icon name="pin" size={14} /> {t('annotations.pinned')}
        </span>
      )}
      {note.reactions.map((emoji) => (
        <button
          key={emoji}
          type="button"
          className="reaction"
          aria-label={t('annotations.unreact', { emoji })}
          title={t('annotations.onlyHere')}
          onClick={() => void act(link, 'chat.react', { message: message.id, emoji, on: false })}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
}

/** Opens the list of pinned messages; renders nothing for a room without any. */
export function PinBar({ roomId }: { roomId: string }) {
  const count = usePinCount(roomId);
  if (count === 0) return null;
  return (
    <button type="button" className="pin-bar" onClick={() => openInspector({ type: 'pins' })}>
      <Icon name="pin" size={14} />
      <span>{t('annotations.pinCount', { count })}</span>
      <span className="soft">{t('annotations.onlyHere')}</span>
    </button>
  );
}
