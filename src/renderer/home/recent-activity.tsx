import { useMemo } from 'react';
import { countUnread } from '../../contract/count-unread.ts';
import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { roomLabel } from '../chat/conversations.ts';
import { RoomSign } from '../chat/room-icon.tsx';
import { plainSnippet } from '../format/snippet.ts';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { useRooms } from '../state/subscriptions.ts';

const shown = 6;
const noCounts: Readonly<Record<string, number>> = {};
const none: Readonly<Record<string, Room>> = {};

export function Happened() {
  const rooms = useRooms((view) => view?.rooms ?? none);
  const counted = useRooms((view) => view?.counted ?? noCounts);
  const latest = useMemo(
    () =>
      Object.values(rooms)
        .filter((room) => room.lastMessageAt !== null)
        .sort((a, b) => (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0))
        .slice(0, shown),
    [rooms],
  );
  return (
    <section className="card" aria-labelledby="home-happened">
      <h2 id="home-happened">{t('home.happened')}</h2>
      {latest.length === 0 && <p className="card-empty">{t('home.noMessages')}</p>}
      <ul className="rows">
        {latest.map((room) => (
          <li key={room.id}>
            <button type="button" className="row" onClick={() => go({ view: 'chat', room: room.id })}>
              <RoomSign room={room} />
              <span className="row-name">
                <Name>{room.kind === 'dm' ? roomLabel(room) : room.name}</Name>
              </span>
              {countUnread({ counted }, room) > 0 && (
                <span className="chip is-accent">
                  {t('home.newInRoom', { count: countUnread({ counted }, room) })}
                </span>
              )}
              <span className="row-now">
                <bdi>{plainSnippet(room.lastText)}</bdi>
              </span>
              <span className="row-time">
                {room.lastMessageAt !== null && <Ago at={room.lastMessageAt} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
