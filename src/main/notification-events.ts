/** Derives notification events from two consecutive states of a topic. */
import type { Approval, ApprovalsView } from '../contract/approvals.ts';
import type { NotifyKind } from '../contract/desktop-methods.ts';
import { mentions } from '../contract/mentions.ts';
import type { AgentSummary, ChatMessage, Room, RoomsView } from '../contract/model.ts';
import { countsDespite, type Mutes } from '../contract/mute.ts';
import { wholeQuestion } from '../contract/one-line-question.ts';
import { localize, localizeError } from '../language/texts.ts';
import { agentRoute } from './tray-menu.ts';

export interface NotificationEvent {
  readonly kind: NotifyKind;
  /** Name of the agent, person or workflow. */
  readonly who: string;
  /** Shown only if the operator allowed texts in notifications. */
  readonly text: string;
  /** Route of the page that the notification opens. */
  readonly route: string;
  /**
   * Only for `approvals`: what an answer needs, and the name of the negative answer (deny, if `no` is
   * absent).
   */
  readonly approval: {
    readonly id: string;
    readonly digest: string;
    /** `none` if the gate has no yes-or-no answer. */
    readonly no?: 'reject' | 'none';
    /** The question on one line, if a notification can show all of it; else `null`. */
    readonly whole: string | null;
  } | null;
  /** Set if the event is about a task or a workflow run rather than the agent itself. */
  readonly about?: 'task' | 'run';
}

/** New, or reminded by its agent. */
const isNews = (before: Approval | undefined, { remindedAt }: Approval): boolean =>
  before === undefined || before.remindedAt !== remindedAt;

/** New approvals; those of the first state are skipped, because the tray already shows them. */
export function questionsAsked(before: ApprovalsView | null, after: ApprovalsView): NotificationEvent[] {
  if (before === null) return [];
  return Object.values(after.waiting)
    .filter((asked) => asked.quietUntil === null && isNews(before.waiting[asked.id], asked))
    .map((asked) => {
      const { id, digest, agentName, gate } = asked;
      const title = localize(asked.title);
      const approval = { id, digest, whole: wholeQuestion(asked, localize) };
      return {
        kind: 'approvals',
        who: agentName,
        text: `${agentName} ${title}`,
        route: `#/inbox/${encodeURIComponent(id)}`,
        approval: gate ? { ...approval, no: gate.kind === 'approval' ? 'reject' : 'none' } : approval,
      };
    });
}

type Agents = Readonly<Record<string, AgentSummary>>;

export function agentsFailed(before: Agents | null, after: Agents): NotificationEvent[] {
  if (before === null) return [];
  return Object.values(after)
    .filter(({ id, dot }) => dot === 'error' && before[id] !== undefined && before[id].dot !== 'error')
    .map(({ id, displayName, error }) => ({
      kind: 'failed',
      who: displayName || id,
      text: localizeError(error),
      route: agentRoute(id),
      approval: null,
    }));
}

export const roomRoute = (id: string): string => `#/chat/${encodeURIComponent(id)}`;

export interface RoomNews {
  readonly room: Room;
  /** Messages later than this are new, in ms since the epoch. */
  readonly after: number;
}

/** Rooms with new messages from others. */
export function roomsWithNews(before: RoomsView | null, after: RoomsView): RoomNews[] {
  if (before === null || before.self !== after.self) return [];
  return Object.values(after.rooms).flatMap((room) => {
    const earlier = before.rooms[room.id];
    const last = earlier?.lastMessageAt ?? 0;
    const grew = room.unread > (earlier?.unread ?? 0);
    return grew && (room.lastMessageAt ?? 0) >= last ? [{ room, after: last }] : [];
  });
}

interface Reader {
  /** Slug of the operator. */
  readonly self: string;
  readonly mutes: Mutes;
  /** ms since the epoch. */
  readonly now: number;
  /** Slugs of own agents. */
  readonly own: ReadonlySet<string>;
}

function kindOf(
  message: ChatMessage,
  page: readonly ChatMessage[],
  room: Room,
  reader: Reader,
): NotifyKind | null {
  // An approval in the chat has its own notification.
  if (message.own || message.asks !== null) return null;
  const thread = message.threadRootId;
  const asked = page.some((one) => one.own && (one.id === thread || (thread && one.threadRootId === thread)));
  if (reader.own.has(message.senderSlug) && (asked || room.kind === 'dm')) return 'finished';
  // Messages between agents are hidden from people, but the answer to the operator's own question is still
  // announced above.
  if (!message.visible) return null;
  if (mentions(message.text, reader.self) || room.kind === 'dm') return 'mentioned';
  return null;
}

/** `page` holds the newest messages of the room. */
export function messagesFor(
  news: RoomNews,
  page: readonly ChatMessage[],
  reader: Reader,
): NotificationEvent[] {
  return page.flatMap((message) => {
    if (message.sentAt <= news.after) return [];
    if (!countsDespite(reader.mutes, message, reader.self, reader.now)) return [];
    const kind = kindOf(message, page, news.room, reader);
    if (kind === null) return [];
    return [
      { kind, who: message.senderName, text: message.text, route: roomRoute(news.room.id), approval: null },
    ];
  });
}
