import { useEffect, useMemo, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { useReplica, useRoomView } from '../state/subscriptions.ts';
import { useWithoutDeleted } from './annotations.ts';

const none: readonly ChatMessage[] = [];

/** Live messages win, because they are newer than the fetched ones. */
export function mergeThread(
  read: readonly ChatMessage[],
  live: readonly ChatMessage[],
): readonly ChatMessage[] {
  const fresh = new Set(live.map((message) => message.id));
  return [...read.filter((message) => !fresh.has(message.id)), ...live].sort(
    (a, b) => a.sentAt - b.sentAt || (a.id < b.id ? -1 : 1),
  );
}

/** Returns a thread from its root on, even if the feed's window starts later. */
export function useWholeThread(roomId: string, rootId: string): readonly ChatMessage[] {
  const { link } = useReplica();
  const all = useRoomView(roomId, (view) => view?.messages ?? none);
  const [read, setRead] = useState(none);
  useEffect(() => {
    void link.call('chat.history', { room: roomId, thread: rootId, limit: 200 }).then((result) => {
      if (result.ok) setRead(result.value.messages);
    });
  }, [link, roomId, rootId]);
  const thread = useMemo(
    () =>
      mergeThread(
        read,
        all.filter((message) => message.id === rootId || message.threadRootId === rootId),
      ),
    [read, all, rootId],
  );
  return useWithoutDeleted(roomId, thread);
}
