import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { ChatMessage, Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { plainSnippet } from '../format/snippet.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { usePinCount } from './annotations.ts';
import { jumpTo } from './scroll-targets.ts';

/** Pinned messages of a room; a click shows the message in its place. */
export function PinsList({ room }: { room: Room }) {
  const { link } = useReplica();
  const count = usePinCount(room.id);
  const [pins, setPins] = useState<readonly ChatMessage[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of pins means another list
  useEffect(() => {
    let isCurrent = true;
    void link.call('chat.pins', { room: room.id }).then((result) => {
      if (!isCurrent) return;
      if (result.ok) setPins(result.value.messages);
      setError(result.ok ? null : result.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [link, room.id, count]);
  return (
    <>
      <p className="soft">{t('annotations.pinsHint')}</p>
      <ErrorNote error={error} />
      {count === 0 && <p>{t('annotations.noPins')}</p>}
      <ul className="pins" aria-label={t('annotations.pins')}>
        {pins.map((message) => (
          <li key={message.id} className="pin">
            <button
              type="button"
              className="pin-words"
              onClick={() => jumpTo({ roomId: room.id, id: message.id })}
            >
              <span className="hit-head">
                <strong>
                  <Name>{message.senderName}</Name>
                </strong>
                <span className="soft">
                  <Ago at={message.sentAt} />
                </span>
              </span>
              <bdi className="hit-text">
                {plainSnippet(
                  message.text === '' ? (message.attachments[0]?.filename ?? '') : message.text,
                  200,
                )}
              </bdi>
            </button>
            <IconButton
              icon="close"
              label={t('annotations.unpin')}
              onPress={() => void act(link, 'chat.pin', { message: message.id, on: false })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
