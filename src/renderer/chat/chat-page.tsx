import { useEffect, useRef } from 'react';
import type { Room } from '../../contract/model.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { plainSnippet } from '../format/snippet.ts';
import { rememberRoom } from '../frame/open-view.ts';
import { MentionScope } from '../markdown/mention-chips.tsx';
import { Empty } from '../parts/empty.tsx';
import { KeyNote } from '../people/key-note.tsx';
import { usePeople } from '../people/use-people.ts';
import { openInspector, speak, useScreen } from '../state/screen.ts';
import { useAgentBySlug, useRooms, useRoomTopic, useRoomView } from '../state/subscriptions.ts';
import { ChatHead } from './chat-head.tsx';
import { ComposerArea } from './composer-area.tsx';
import { ConversationBar } from './conversation-bar.tsx';
import { useConversations } from './conversations.ts';
import { usePlaceDrop } from './drop-files.ts';
import { Inspector } from './inspector.tsx';
import { useMarkRead } from './mark-read.ts';
import { MessageMenu } from './message-menu.tsx';
import { PinBar } from './message-notes.tsx';
import { ServerView } from './server-view.tsx';
import { Timeline } from './timeline.tsx';
import { WorkingBar } from './working-bar.tsx';

/** Display name for a direct message without messages: an own agent, a member of any room, or a stranger. */
function useName(slug: string | null): { readonly name: string | null; readonly asked: boolean } {
  const agent = useAgentBySlug(slug);
  const member = useRooms(
    (view) =>
      Object.values(view?.rooms ?? {})
        .flatMap((room) => room.members)
        .find((one) => one.slug === slug)?.displayName ?? null,
  );
  const known = slug === null ? null : (agent?.displayName ?? member);
  const { people, error } = usePeople(known === null ? slug : null);
  const stranger = people?.find((one) => one.slug === slug)?.displayName ?? null;
  return {
    name: known ?? stranger,
    asked: slug === null || known !== null || people !== null || error !== null,
  };
}

/** Whether a member of any room with this handle is an agent. */
const useIsAgent = (slug: string | null): boolean =>
  useRooms((view) =>
    Object.values(view?.rooms ?? {}).some(({ members }) =>
      members.some((one) => one.slug === slug && one.agent),
    ),
  );

interface Opened {
  /** The room from the feed, or a placeholder for a direct message that does not exist yet. */
  readonly room: Room | null;
  /** The host has told whether the room exists. */
  readonly known: boolean;
}

function useRoom(roomId: string): Opened {
  const loaded = useRooms((view) => view !== null);
  const room = useRooms((view) => view?.rooms[roomId] ?? null);
  const { name, asked } = useName(loaded && room === null ? dmSlug(roomId) : null);
  if (room !== null || name === null) return { room, known: loaded && asked };
  const placeholder: Room = {
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
  return { room: placeholder, known: true };
}

export function ChatPage({ roomId }: { roomId: string }) {
  useRoomTopic(roomId);
  const { room, known } = useRoom(roomId);
  const inspector = useScreen((screen) => screen.inspector);
  const serverView = useScreen((screen) => screen.serverView);
  const placeDrop = usePlaceDrop(room, null);
  const drop = serverView ? null : placeDrop;
  const isAgent = useIsAgent(dmSlug(roomId));
  const hasFurther = useConversations(roomId).length > 1;
  const hasConversations = room?.kind === 'dm' && (isAgent || hasFurther);
  useMarkRead(roomId);
  useArrivals(roomId);
  useEffect(() => {
    rememberRoom(roomId);
    return () => openInspector(null);
  }, [roomId]);
  if (room === null)
    return known ? (
      <Empty page state="offline" title={t('chat.notHere')}>
        {t('chat.notHereWhy')}
      </Empty>
    ) : null;
  return (
    <div className="chat">
      <div className="chat-main" {...(drop === null ? {} : drop.props)}>
        {drop?.over === true && <div className="drop-here">{t('chat.drop')}</div>}
        <ChatHead room={room} />
        {dmSlug(roomId) !== null && <KeyNote slug={dmSlug(roomId) ?? ''} name={room.name} agent={isAgent} />}
        {serverView ? (
          <ServerView room={room} />
        ) : (
          <MentionScope members={room.members}>
            {hasConversations && <ConversationBar room={room} />}
            <PinBar roomId={roomId} />
            <Timeline room={room} />
            <WorkingBar roomId={roomId} threadRootId={null} />
            <ComposerArea room={room} threadRootId={null} />
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
