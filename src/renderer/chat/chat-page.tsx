import { useEffect, useRef } from 'react';
import type { Room } from '../../contract/model.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { rememberRoom } from '../frame/open-view.ts';
import { MentionScope } from '../markdown/mention-chips.tsx';
import { Empty } from '../parts/empty.tsx';
import { openInspector, speak, useScreen } from '../state/screen.ts';
import { useAgentBySlug, useRooms, useRoomTopic, useRoomView } from '../state/subscriptions.ts';
import { plainSnippet } from '../words/snippet.ts';
import { ChatHead } from './chat-head.tsx';
import { Inspector } from './inspector.tsx';
import { useMarkRead } from './mark-read.ts';
import { MessageMenu } from './message-menu.tsx';
import { PinBar } from './message-notes.tsx';
import { usePlaceDrop } from './place-drop.ts';
import { ServerView } from './server-view.tsx';
import { Timeline } from './timeline.tsx';
import { WorkingBar } from './working-bar.tsx';
import { WritePlace } from './write-place.tsx';

/** Display name for a direct message without messages: an own agent, or a member of any room. */
function useName(slug: string | null): string | null {
  const agent = useAgentBySlug(slug);
  const member = useRooms(
    (view) =>
      Object.values(view?.rooms ?? {})
        .flatMap((room) => room.members)
        .find((one) => one.slug === slug)?.displayName ?? null,
  );
  return slug === null ? null : (agent?.displayName ?? member);
}

/** The room from the feed, or a placeholder for a direct message that does not exist yet. */
function useRoom(roomId: string): Room | null {
  const known = useRooms((view) => view?.rooms[roomId] ?? null);
  const name = useName(dmSlug(roomId));
  if (known !== null || name === null) return known;
  return {
    id: roomId,
    kind: 'dm',
    name,
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
  const placeDrop = usePlaceDrop(room, null);
  const drop = serverView ? null : placeDrop;
  useMarkRead(roomId);
  useArrivals(roomId);
  useEffect(() => {
    rememberRoom(roomId);
    return () => openInspector(null);
  }, [roomId]);
  if (room === null)
    return loaded ? (
      <Empty page state="offline" title={t('chat.notHere')}>
        {t('chat.notHereWhy')}
      </Empty>
    ) : null;
  return (
    <div className="chat">
      <div className="chat-main" {...(drop === null ? {} : drop.props)}>
        {drop?.over === true && <div className="drop-here">{t('chat.drop')}</div>}
        <ChatHead room={room} />
        {serverView ? (
          <ServerView room={room} />
        ) : (
          <MentionScope members={room.members}>
            <PinBar roomId={roomId} />
            <Timeline room={room} />
            <WorkingBar roomId={roomId} threadRootId={null} />
            <WritePlace room={room} threadRootId={null} />
          </MentionScope>
        )}
      </div>
      {inspector !== null && !serverView && (
        <MentionScope members={room.members}>
          <Inspector room={room} inspector={inspector} />
        </MentionScope>
      )}
      <MessageMenu />
    </div>
  );
}

/** Announces newly arrived messages to screen readers, shortened; messages present at opening stay silent. */
function useArrivals(roomId: string): void {
  const last = useRoomView(roomId, (room) => room?.messages.at(-1) ?? null);
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (last === null) return;
    if (seen.current !== null && seen.current !== last.id && !last.own)
      speak(`${plainSnippet(last.senderName, 40)}: ${plainSnippet(last.text, 240)}`);
    seen.current = last.id;
  }, [last]);
}
