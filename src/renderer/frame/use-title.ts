import { useEffect } from 'react';
import { t } from '../../language/texts.ts';
import type { Route } from '../state/route.ts';
import { useAgents, useRooms } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';

/** Sets the document title to the open page and the unread count, for the task bar and the browser's tabs. */
export function useTitle(route: Route): void {
  const room = useRooms((view) => (route.view === 'chat' ? (view?.rooms[route.room ?? ''] ?? null) : null));
  const agent = useAgents((all) => (route.view === 'agents' ? (all?.[route.agent ?? ''] ?? null) : null));
  const unread = useRooms((view) =>
    Object.values(view?.rooms ?? {}).reduce((sum, one) => sum + one.unread, 0),
  );
  const name = room === null ? agent?.displayName : room.kind === 'channel' ? `#${room.name}` : room.name;
  const place = name === undefined ? t(`palette.${route.view}`) : visibleLine(name);
  const title = unread > 0 ? t('frame.titleUnread', { count: unread, place }) : t('frame.title', { place });
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = 'Kennel';
    };
  }, [title]);
}
