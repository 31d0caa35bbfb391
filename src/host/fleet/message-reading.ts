import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { searchQuery } from '../../core/lib/full-text-query.ts';
import { orStoreError } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { ChatPost, MessageSearchPort, MessagingPort } from '../../core/tools/chat-ports.ts';
import type { RoomFilter } from '../../core/tools/tool.ts';
import type { Profiles } from '../../services/puffo/profiles.ts';
import { searchMessages } from '../history/search-messages.ts';
import { type ChatAccount, findMessagingRoom } from './messaging-rooms.ts';

export interface MessageReadingDeps {
  readonly account: ChatAccount;
  readonly store: AccountStore;
  readonly profiles: Pick<Profiles, 'known'>;
  readonly clock: Clock;
}

const pageSize = 200;
/** Messages searched for thread roots of a room. */
const deepest = 4_000;

export const noMessage = fail(
  'not_found',
  'agents.unknownMessage',
  {},
  { help: 'agents.onlyReceivedReadable' },
);
const noWords = fail('invalid_input', 'agents.noSearchWords', {}, { help: 'agents.searchWordRules' });

/** The agent reads its team chat from its own store, without asking the server. */
export type MessageReading = Pick<MessagingPort, 'channelHistory' | 'threadHistory' | 'post'> &
  MessageSearchPort;

export function createMessageReading({
  account,
  store,
  profiles,
  clock,
}: MessageReadingDeps): MessageReading {
  const post = (message: StoredMessage, replies = repliesTo(message)): ChatPost => {
    const sender = profiles.known(message.senderSlug);
    const { text, attachments } = messageText(message);
    return {
      id: message.envelopeId,
      roomId: message.roomId,
      senderSlug: message.senderSlug,
      senderName: sender.displayName,
      senderAgent: sender.agent,
      text,
      ...(attachments.length === 0 ? {} : { files: attachments }),
      sentAt: message.sentAt,
      threadRootId: message.threadRootId,
      replies,
    };
  };
  /** The operator's answers to questions are for the host only (T8). */
  const isForTools = ({ envelopeId }: StoredMessage): boolean =>
    store.decision(envelopeId)?.reason !== 'consent';
  const repliesTo = ({ threadRootId, envelopeId }: StoredMessage): number =>
    threadRootId === null ? Math.max(0, store.thread(envelopeId, pageSize).length - 1) : 0;
  const shown = (messages: readonly StoredMessage[]): readonly ChatPost[] =>
    messages.filter(isForTools).map((message) => post(message));
  return {
    channelHistory: (channel, query) =>
      orStoreError(async () => {
        const place = await findMessagingRoom(account, channel);
        if (!place.ok) return place;
        const { kind, roomId } = place.value;
        if (kind === 'dm') return ok(shown(rootsOf(store, roomId, query)));
        const range = { ...query, limit: Math.min(query.limit, pageSize) };
        const roots = store.queries.roots(roomId, range) ?? [];
        return ok(roots.map(({ message, replies }) => post(message, replies)));
      }),
    threadHistory: (rootId, limit) =>
      orStoreError(async () => {
        const named = store.message(rootId);
        const root = named ? threadRootOf(named, (id) => store.message(id)) : rootId;
        const messages = store.thread(root, Math.min(limit, pageSize));
        return messages.length === 0 ? err(noMessage) : ok(shown(messages));
      }),
    post: (id) =>
      orStoreError(async () => {
        const message = store.message(id);
        return message && isForTools(message) ? ok(post(message)) : err(noMessage);
      }),
    search: (query) => orStoreError(() => searching({ account, store, clock }, query, shown)),
  };
}

type Query = Parameters<MessageSearchPort['search']>[0];

async function searching(
  { account, store, clock }: Pick<MessageReadingDeps, 'account' | 'store' | 'clock'>,
  { words, channel, limit, mayRead }: Query,
  shown: (messages: readonly StoredMessage[]) => readonly ChatPost[],
): ReturnType<MessageSearchPort['search']> {
  if (searchQuery(words) === null) return err(noWords);
  const place = channel === '' ? null : await findMessagingRoom(account, channel);
  if (place && !place.ok) return place;
  const { rooms, leftOut } = await searchedRooms(store, place?.value.roomId, mayRead);
  const found = await Promise.all(
    rooms.map((room) => searchMessages(clock, store, { words, limit, ...room })),
  );
  const messages = newestOf(found.flatMap((one) => one.messages));
  const more = messages.length > limit || found.some(({ hasMore }) => hasMore);
  return ok({ posts: shown(messages.slice(0, limit).reverse()), more, leftOut });
}

/** One search over everything, or one per readable room if `mayRead` is given. */
async function searchedRooms(store: AccountStore, roomId: string | undefined, mayRead?: RoomFilter) {
  if (roomId !== undefined) return { rooms: [{ roomId }], leftOut: 0 };
  if (!mayRead) return { rooms: [{}], leftOut: 0 };
  const known = store.rooms().map((room) => ({ roomId: room.roomId }));
  const may = await Promise.all(known.map((room) => mayRead(room.roomId)));
  const rooms = known.filter((_, index) => may[index]);
  return { rooms, leftOut: known.length - rooms.length };
}

/** Same order as a single search: latest arrival first. */
const newestOf = (messages: readonly StoredMessage[]): readonly StoredMessage[] =>
  [...messages].sort((a, b) => b.receivedAt - a.receivedAt);

type RootQuery = Parameters<MessagingPort['channelHistory']>[1];

const isAfter = (one: StoredMessage, other: StoredMessage): boolean =>
  one.sentAt > other.sentAt || (one.sentAt === other.sentAt && one.envelopeId > other.envelopeId);

/** Roots of threads in direct messages, newest last; ids order messages of the same ms. */
function rootsOf(store: AccountStore, roomId: string, query: RootQuery): readonly StoredMessage[] {
  const since = query.since === undefined ? null : store.message(query.since);
  const earliest = Math.max(query.after ?? 0, since?.sentAt ?? 0);
  const limit = Math.min(query.limit, pageSize);
  const fits = (message: StoredMessage): boolean =>
    message.threadRootId === null &&
    message.sentAt < (query.before ?? Number.POSITIVE_INFINITY) &&
    message.sentAt > (query.after ?? -1) &&
    (since === null || isAfter(message, since));
  const found: StoredMessage[] = [];
  let from: string | undefined;
  for (let seen = 0; seen < deepest && found.length < limit; seen += pageSize) {
    const page = store.history({ roomId, limit: pageSize, ...(from ? { before: from } : {}) });
    found.unshift(...page.messages.filter(fits));
    const oldest = page.messages[0];
    if (!page.hasMore || !oldest || oldest.sentAt < earliest) break;
    from = oldest.envelopeId;
  }
  return found.slice(-limit);
}
