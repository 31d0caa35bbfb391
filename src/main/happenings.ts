/** What happened that a person may want to hear of while looking elsewhere, read from two states of a feed topic. */
import type { Approval, ApprovalsView } from '../contract/consent.ts';
import type { NotifyKind } from '../contract/desktop-methods.ts';
import type { AgentSummary, ChatMessage, Room, RoomsView } from '../contract/model.ts';
import { told } from '../language/texts.ts';
import { agentRoute } from './tray-menu.ts';

export interface Happening {
  readonly kind: NotifyKind;
  /** Who it is about, by name. */
  readonly who: string;
  /** What it is about; shown only where a person allowed that. */
  readonly text: string;
  /** The exact place in the window. */
  readonly route: string;
  /** Only of `approvals`: what an answer has to carry, and what a no to it is called; absent `no`: deny. */
  readonly approval: {
    readonly id: string;
    readonly digest: string;
    /** `none`: it is no question of yes or no. */
    readonly no?: 'reject' | 'none';
  } | null;
  /** It is about a task of theirs, or a run of the workflow of that name, and not about them. */
  readonly about?: 'task' | 'run';
}

/** It was not there, or its author wanted it to be told again. */
const isNews = (before: Approval | undefined, { remindedAt }: Approval): boolean =>
  before === undefined || before.remindedAt !== remindedAt;

/** Questions that came; those that were there before anybody looked are in the tray already. */
export function questionsAsked(before: ApprovalsView | null, after: ApprovalsView): Happening[] {
  if (before === null) return [];
  return Object.values(after.waiting)
    .filter((asked) => asked.quietUntil === null && isNews(before.waiting[asked.id], asked))
    .map(({ id, digest, agentName, title, gate }) => ({
      kind: 'approvals',
      who: agentName,
      text: `${agentName} ${told(title)}`,
      route: `#/inbox/${encodeURIComponent(id)}`,
      approval: gate ? { id, digest, no: gate.kind === 'approval' ? 'reject' : 'none' } : { id, digest },
    }));
}

type Agents = Readonly<Record<string, AgentSummary>>;

export function agentsFailed(before: Agents | null, after: Agents): Happening[] {
  if (before === null) return [];
  return Object.values(after)
    .filter(({ id, dot }) => dot === 'error' && before[id] !== undefined && before[id].dot !== 'error')
    .map(({ id, displayName, error }) => ({
      kind: 'failed',
      who: displayName || id,
      text: told(error?.message ?? ''),
      route: agentRoute(id),
      approval: null,
    }));
}

export interface RoomNews {
  readonly room: Room;
  /** ms since the epoch: what is later is news. */
  readonly after: number;
}

/** Rooms in which somebody else has written since. */
export function roomsWithNews(before: RoomsView | null, after: RoomsView): RoomNews[] {
  if (before === null || before.self !== after.self) return [];
  return Object.values(after.rooms).flatMap((room) => {
    const earlier = before.rooms[room.id];
    const last = earlier?.lastMessageAt ?? 0;
    const grew = room.unread > (earlier?.unread ?? 0);
    return grew && (room.lastMessageAt ?? 0) >= last ? [{ room, after: last }] : [];
  });
}

/** A slug in a pattern: letters, digits, - and _ only, by the protocol. */
const mentions = (text: string, slug: string): boolean =>
  /^[\w-]+$/.test(slug) && new RegExp(`(^|[^\\w-])@${slug}(?![\\w-])`).test(text);

interface Reader {
  /** The operator's own slug. */
  readonly self: string;
  /** Slugs of our own agents. */
  readonly own: ReadonlySet<string>;
}

function kindOf(
  message: ChatMessage,
  page: readonly ChatMessage[],
  room: Room,
  reader: Reader,
): NotifyKind | null {
  // A question that is put into the chat has its own announcement.
  if (message.own || message.asks !== null) return null;
  const thread = message.threadRootId;
  const asked = page.some((one) => one.own && (one.id === thread || (thread && one.threadRootId === thread)));
  if (reader.own.has(message.senderSlug) && (asked || room.kind === 'dm')) return 'finished';
  // What agents say among themselves is marked as not for people; the answer to one's own question is heard all the same.
  if (!message.visible) return null;
  if (mentions(message.text, reader.self) || room.kind === 'dm') return 'mentioned';
  return null;
}

/** `page`: the newest messages of the room. */
export function messagesFor(news: RoomNews, page: readonly ChatMessage[], reader: Reader): Happening[] {
  return page.flatMap((message) => {
    if (message.sentAt <= news.after) return [];
    const kind = kindOf(message, page, news.room, reader);
    if (kind === null) return [];
    const route = `#/chat/${encodeURIComponent(news.room.id)}`;
    return [{ kind, who: message.senderName, text: message.text, route, approval: null }];
  });
}
