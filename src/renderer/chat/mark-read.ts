import { useEffect } from 'react';
import { useReplica, useRooms, useRoomView } from '../state/subscriptions.ts';

/** Marks the open room as read while the page is visible. */
export function useMarkRead(roomId: string): void {
  const { link } = useReplica();
  const unread = useRooms((view) => view?.rooms[roomId]?.unread ?? 0);
  const last = useRoomView(roomId, (room) => room?.messages.at(-1)?.id ?? null);
  useEffect(() => {
    const read = (): void => {
      if (unread > 0 && last !== null && !document.hidden) void link.call('chat.markRead', { room: roomId });
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [link, roomId, unread, last]);
}
