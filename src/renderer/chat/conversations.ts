/** The conversations of a direct message, as the list of rooms and the chat show them. */
import { useShallow } from 'zustand/react/shallow';
import { countUnread } from '../../contract/count-unread.ts';
import type { HostClient } from '../../contract/host-api.ts';
import type { Room, RoomsView } from '../../contract/model.ts';
import { conversationTitle, isConversationOf, isFurther } from '../../contract/room-conversations.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { go } from '../state/route.ts';
import { showError } from '../state/screen.ts';
import { useRooms } from '../state/subscriptions.ts';

export function conversationName(room: Pick<Room, 'id' | 'conversation'>): string {
  const title = conversationTitle(room);
  if (title !== '') return visibleLine(title);
  return isFurther(room) ? t('conversations.new') : t('conversations.main');
}

/** Name of a room among all rooms: `#channel`, the person, or the person and the conversation. */
export function roomLabel(room: Pick<Room, 'id' | 'kind' | 'name' | 'conversation'>): string {
  if (room.kind === 'channel') return visibleLine(`#${room.name}`);
  const name = visibleLine(room.name);
  return isFurther(room) ? t('conversations.of', { name, title: conversationName(room) }) : name;
}

/** The main conversation first, then the newest; none until the rooms are loaded. */
export function useConversations(roomId: string): readonly Room[] {
  return useRooms(useShallow((view) => (view === null ? [] : conversationsOf(view, roomId))));
}

const lastActivity = ({ lastMessageAt, conversation }: Room): number =>
  lastMessageAt ?? conversation?.startedAt ?? 0;

function conversationsOf(view: RoomsView, roomId: string): readonly Room[] {
  const all = Object.values(view.rooms).filter(
    (room) => room.kind === 'dm' && isConversationOf(room, roomId),
  );
  return all.sort((a, b) => Number(isFurther(a)) - Number(isFurther(b)) || lastActivity(b) - lastActivity(a));
}

/** Unread messages that count in all of them. */
export const unreadIn = (view: RoomsView, rooms: readonly Room[]): number =>
  rooms.reduce((sum, room) => sum + countUnread(view, room), 0);

/** Time of the newest message in ms; `null` without one. */
export function newestAt(rooms: readonly Room[]): number | null {
  const times = rooms.flatMap(({ lastMessageAt }) => lastMessageAt ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/** The conversation that a click on the person opens: an unread one, else the one with the newest message. */
export function currentConversation(main: Room, further: readonly Room[]): string {
  const open = [main, ...further.filter(({ conversation }) => conversation?.archived !== true)];
  const unread = open.filter((room) => room.unread > 0);
  const [first] = (unread.length > 0 ? unread : open).toSorted(
    (a, b) => (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0),
  );
  return first?.id ?? main.id;
}

/** Starts a conversation and shows it; resolves to its room, or to `null` after a notice with the reason. */
export async function startConversation(link: HostClient, room: string): Promise<string | null> {
  const started = await link.call('chat.newConversation', { room });
  if (!started.ok) {
    showError(started.error);
    return null;
  }
  go({ view: 'chat', room: started.value.roomId });
  return started.value.roomId;
}
