import { useEffect, useRef } from 'react';
import { countUnread } from '../../contract/count-unread.ts';
import type { Room, RoomsView } from '../../contract/model.ts';
import { defaultNotifications, isQuiet } from '../../contract/quiet-hours.ts';
import { playSound } from '../parts/sound.ts';
import { useQueueLength } from '../state/queue.ts';
import { useRoute } from '../state/route.ts';
import { useHost, useRooms } from '../state/subscriptions.ts';

type Count = (view: RoomsView, room: Room) => number;

/** Sum over the rooms; messages of the open room are read while the page has the focus. */
function useSum(count: Count): number {
  const open = useRoute(({ route }) => (route.view === 'chat' ? route.room : null));
  return useRooms((view) =>
    view === null
      ? 0
      : Object.values(view.rooms)
          .filter(({ id }) => id !== open || !document.hasFocus())
          .reduce((sum, room) => sum + count(view, room), 0),
  );
}

const countAll: Count = (_, { unread }) => unread;

/** In the app, an unwatched window leaves the sound to the notifications of the system. */
const mayPlay = (): boolean => document.hasFocus() || !('kennel' in window);

/** Plays a sound for new messages and for new items of the inbox, except in quiet hours. */
export function Sounds() {
  const settings = useHost((view) => view?.notifications ?? defaultNotifications);
  const counted = useSum(countUnread);
  const unread = useSum(countAll);
  const waiting = useQueueLength();
  const loaded = useRooms((view) => view !== null);
  const before = useRef<{ counted: number; unread: number; waiting: number } | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = loaded ? { counted, unread, waiting } : null;
    if (last === null || !settings.sounds || !mayPlay()) return;
    const asks = waiting > last.waiting;
    const isAllowed = !isQuiet(settings, new Date()) || (asks && settings.quietApprovals);
    // The end of a mute makes more messages count, but brings none.
    const hasNew = counted > last.counted && unread > last.unread;
    if ((asks || hasNew) && isAllowed) playSound();
  }, [settings, counted, unread, waiting, loaded]);
  return null;
}
