import { countUnread } from '../../contract/count-unread.ts';
import { t } from '../../language/texts.ts';
import { overallDot } from '../format/states.ts';
import { Icon } from '../mark/icon.tsx';
import { Mark } from '../mark/mark.tsx';
import { keyWords } from '../palette/shortcuts.ts';
import { useQueueLength } from '../state/queue.ts';
import type { Route } from '../state/route.ts';
import { useRoute } from '../state/route.ts';
import { useAgents, useRooms } from '../state/subscriptions.ts';
import { openView, type RailRoute, railRoutes } from './open-view.ts';

export function Rail() {
  const view = useRoute((state) => state.route.view);
  const overall = useAgents((agents) => overallDot(Object.values(agents ?? {}).map((agent) => agent.dot)));
  const unread = useRooms((rooms) =>
    rooms === null ? 0 : Object.values(rooms.rooms).reduce((sum, room) => sum + countUnread(rooms, room), 0),
  );
  const waiting = useQueueLength();
  const badges: Partial<Record<Route['view'], readonly [number, string]>> = {
    chat: [unread, t('frame.unread')],
    inbox: [waiting, t('frame.waitingForYou')],
  };
  return (
    <nav className="rail" aria-label={t('frame.main')}>
      <span className="rail-mark">
        <Mark state={overall} size={30} />
      </span>
      {railRoutes.map((route, index) => (
        <RailItem
          key={route.view}
          route={route}
          digit={index + 1}
          current={route.view === view}
          badge={badges[route.view] ?? [0, '']}
        />
      ))}
    </nav>
  );
}

interface ItemOf {
  readonly route: RailRoute;
  readonly digit: number;
  readonly current: boolean;
  readonly badge: readonly [number, string];
}

function RailItem({ route, digit, current, badge: [count, words] }: ItemOf) {
  const label = t(`palette.${route.view}`);
  return (
    <button
      type="button"
      className={`rail-item rail-${route.view}`}
      aria-current={current ? 'page' : undefined}
      aria-keyshortcuts={`Alt+${digit}`}
      title={t('frame.place', { place: label, keys: keyWords(route.view) })}
      onClick={() => openView(route.view)}
    >
      <Icon name={route.view} />
      <span className="rail-label">{label}</span>
      {count > 0 && (
        <span className={`badge${route.view === 'inbox' ? ' is-amber' : ''}`}>
          {count > 99 ? '99+' : count}
          <span className="visually-hidden"> {words}</span>
        </span>
      )}
    </button>
  );
}
