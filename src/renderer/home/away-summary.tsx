import type { AwayView } from '../../contract/home-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { jumpTo } from '../chat/scroll-targets.ts';
import { relativeTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { showServerView } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { markSeen, useAway } from './page-visits.ts';

const mostRows = 5;

/** Summary of events since the page was last visible; renders nothing if none happened. */
export function Away() {
  const view = useAway((state) => state.view);
  const { link } = useReplica();
  if (view === null) return null;
  const { allowed, denied, expired } = view.decided;
  return (
    <section className="card home-away" aria-labelledby="home-away">
      <header className="card-head">
        <div>
          <h2 id="home-away">{t('home.away')}</h2>
          {view.since !== null && (
            <p className="soft">{t('home.awaySince', { time: relativeTime(view.since, Date.now()) })}</p>
          )}
        </div>
        <button type="button" className="button is-small" onClick={() => void markSeen(link)}>
          {t('home.markSeen')}
        </button>
      </header>
      <ul className="rows">
        {view.answered.slice(0, mostRows).map((row) => (
          <AnsweredRow key={row.agentId} row={row} />
        ))}
        {view.missed.slice(0, mostRows).map((row) => (
          <MissedRow key={`${row.agentId} ${row.message.id}`} row={row} />
        ))}
        {view.joined.slice(0, mostRows).map((row) => (
          <JoinedRow key={`${row.roomId} ${row.slug}`} row={row} />
        ))}
      </ul>
      {view.missed.length > mostRows && (
        <p className="soft">{t('home.missedMore', { count: view.missed.length - mostRows })}</p>
      )}
      {view.joined.length > mostRows && (
        <p className="soft">{t('home.joinedMany', { count: view.joined.length - mostRows })}</p>
      )}
      {allowed + denied + expired > 0 && (
        <button type="button" className="link card-foot" onClick={() => go({ view: 'inbox', id: null })}>
          {t('home.decided', { allowed, denied, expired })}
        </button>
      )}
    </section>
  );
}

const roomOf = (roomName: string) => () => <Name key="room">{roomName}</Name>;

function AnsweredRow({ row }: { row: AwayView['answered'][number] }) {
  return (
    <li>
      <button type="button" className="row" onClick={() => go({ view: 'chat', room: row.roomId })}>
        <Icon name="check" size={16} />
        <span className="row-name">
          <Name>{row.name}</Name>
        </span>
        <span className="row-now">
          {t.rich('home.answered', { count: row.count, room: roomOf(row.roomName) })}
        </span>
        <span className="row-time">
          <Ago at={row.at} />
        </span>
      </button>
    </li>
  );
}

function MissedRow({ row }: { row: AwayView['missed'][number] }) {
  const { roomId, roomName, id, sentAt } = row.message;
  const open = (): void => {
    showServerView(false);
    jumpTo({ roomId, id });
    go({ view: 'chat', room: roomId });
  };
  return (
    <li>
      <button type="button" className="row" onClick={open}>
        <StateDot state={row.state === 'failed' ? 'error' : 'offline'} label="" />
        <span className="row-name">
          <Name>{row.name}</Name>
        </span>
        <span className="row-now">
          {t('home.missedIn', { room: visibleLine(roomName), why: visibleLine(localize(row.text)) })}
        </span>
        <span className="row-time">
          <Ago at={sentAt} />
        </span>
      </button>
    </li>
  );
}

function JoinedRow({ row }: { row: AwayView['joined'][number] }) {
  return (
    <li>
      <button type="button" className="row" onClick={() => go({ view: 'chat', room: row.roomId })}>
        <Icon name="people" size={16} />
        <span className="row-name">
          <Name>{row.name}</Name>
        </span>
        <span className="row-now">{t.rich('home.joined', { room: roomOf(row.roomName) })}</span>
      </button>
    </li>
  );
}
