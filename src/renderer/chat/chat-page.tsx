import { useEffect } from 'react';
import type { Room } from '../../contract/model.ts';
import { rememberRoom } from '../frame/frame-keys.ts';
import { Empty } from '../parts/empty.tsx';
import { openInspector, useScreen } from '../state/screen.ts';
import { useAgentBySlug, useReplica, useRooms, useRoomTopic, useRoomView } from '../state/subscriptions.ts';
import { useArrivals } from './arrivals.ts';
import { ChatHead } from './chat-head.tsx';
import { Composer } from './composer.tsx';
import { Inspector } from './inspector.tsx';
import { dmSlug } from './room-sign.tsx';
import { ServerView } from './server-view.tsx';
import { Timeline } from './timeline.tsx';
import { WorkingBar } from './working-bar.tsx';

/** The room as the feed knows it, or a direct message with an own agent that nobody has written in yet. */
function useRoom(roomId: string): Room | null {
  const known = useRooms((view) => view?.rooms[roomId] ?? null);
  const agent = useAgentBySlug(dmSlug(roomId));
  if (known !== null || agent === null) return known;
  return {
    id: roomId,
    kind: 'dm',
    name: agent.displayName,
    spaceId: null,
    encrypted: true,
    members: [],
    unread: 0,
    lastMessageAt: null,
    lastText: '',
  };
}

export function ChatPage({ roomId }: { roomId: string }) {
  useRoomTopic(roomId);
  const room = useRoom(roomId);
  const loaded = useRooms((view) => view !== null);
  const inspector = useScreen((screen) => screen.inspector);
  const serverView = useScreen((screen) => screen.serverView);
  useReading(roomId);
  useArrivals(roomId);
  useEffect(() => {
    rememberRoom(roomId);
    return () => openInspector(null);
  }, [roomId]);
  if (room === null)
    return loaded ? (
      <Empty state="offline" title="This room is not here">
        You may no longer be a member of it.
      </Empty>
    ) : null;
  return (
    <div className="chat">
      <div className="chat-main">
        <ChatHead room={room} />
        {serverView ? (
          <ServerView room={room} />
        ) : (
          <>
            <Timeline room={room} />
            <WorkingBar roomId={roomId} threadRootId={null} />
            <Composer room={room} threadRootId={null} />
          </>
        )}
      </div>
      {inspector !== null && !serverView && <Inspector room={room} inspector={inspector} />}
    </div>
  );
}

/** Whatever is on an open, visible screen counts as read. */
function useReading(roomId: string): void {
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
