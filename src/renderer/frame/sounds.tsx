import { useEffect, useRef } from 'react';
import { countUnread } from '../../contract/count-unread.ts';
import { defaultNotifications, isQuiet } from '../../contract/quiet-hours.ts';
import { playSound } from '../parts/sound.ts';
import { useQueueLength } from '../state/queue.ts';
import { useRoute } from '../state/route.ts';
import { useHost, useRooms } from '../state/subscriptions.ts';

/** Messages that count; those of the open room are read while the page has the focus. */
function useUnread(): number {
  const open = useRoute(({ route }) => (route.view === 'chat' ? route.room : null));
  return useRooms((view) =>
    view === null
      ? 0
      : Object.values(view.rooms)
          .filter(({ id }) => id !== open || !document.hasFocus())
          .reduce((sum, room) => sum + countUnread(view, room), 0),
  );
}

/** In the app, an unwatched window leaves the sound to the notifications of the system. */
const mayPlay = (): boolean => document.hasFocus() || !('kennel' in window);

/** Plays a sound for new messages and for new items of the inbox, except in quiet hours. */
export function Sounds() {
  const settings = useHost((view) => view?.notifications ?? defaultNotifications);
  const unread = useUnread();
  const waiting = useQueueLength();
  const loaded = useRooms((view) => view !== null);
  const before = useRef<{ readonly unread: number; readonly waiting: number } | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = loaded ? { unread, waiting } : null;
    if (last === null || !settings.sounds || !mayPlay()) return;
    const asks = waiting > last.waiting;
    const isAllowed = !isQuiet(settings, new Date()) || (asks && settings.quietApprovals);
    if ((asks || unread > last.unread) && isAllowed) playSound();
  }, [settings, unread, waiting, loaded]);
  return null;
}
