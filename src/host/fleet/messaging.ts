import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type ChannelId, dmRoomId, dmSlug, type SpaceId } from '../../contract/room-id.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { searchQuery } from '../../core/lib/search-words.ts';
import { orStoreError } from '../../core/lib/store-error.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import type { AccountStore, OpenTurn } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import { contentWithFiles, type LocalFile } from '../../core/puffo/message-files.ts';
import type { PersonProfile } from '../../core/puffo/registry-store.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import { isTaskTurn } from '../../core/tasks/task-turn.ts';
import type { ChatFilesPort } from '../../core/tools/chat-files.ts';
import type { ChatPost, MessageSearchPort, MessagingPort } from '../../core/tools/chat-ports.ts';
import type { RoomFilter } from '../../core/tools/tool.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { Profiles } from '../../services/puffo/profiles.ts';
import type { AgentFiles } from '../files/agent-files.ts';
import { createChatFiles } from '../files/chat-files.ts';
import { searchMessages } from '../history/search.ts';
import { derivedEnvelopeId } from './derived-id.ts';
import { createOutsideAnswers } from './outside-answers.ts';

type ChatAccount = Pick<Account, 'person' | 'rooms' | 'refreshRooms' | 'kickOutbox' | 'channelName'>;

export interface MessagingDeps {
  readonly account: ChatAccount;
  readonly store: AccountStore;
  readonly profiles: Pick<Profiles, 'known'>;
  readonly identity: Pick<Identity, 'slug' | 'deviceId' | 'serverUrl'>;
  readonly crypto: Pick<CryptoEngine, 'sha256'>;
  readonly clock: Clock;
  readonly files: AgentFiles;
}

/** The team chat for one agent: reads its own store and sends through its outbox. */
export interface AgentMessaging extends MessagingPort, MessageSearchPort, ChatFilesPort {
  /** Id of the last message that one of these calls, or an outside program, sent to the turn's own thread. */
  sentHere(turnId: string, callIds: readonly string[]): string | null;
}

type Place =
  | { readonly kind: 'channel'; readonly roomId: ChannelId; readonly spaceId: SpaceId }
  | { readonly kind: 'dm'; readonly roomId: string; readonly slug: string };

const pageSize = 200;
/** Messages searched for thread roots of a room. */
const deepest = 4_000;

export function createAgentMessaging(deps: MessagingDeps): AgentMessaging {
  const { account, identity, store, files } = deps;
  const sends = sending(deps);
  return {
    ...sends,
    ...createChatFiles({ send: sends.send, store, files }),
    ...reading(deps),
    whoami: async () => ok(describeSelf(identity)),
    channels: async () => {
      const rooms = await knownRooms(account);
      if (!rooms.ok) return rooms;
      return ok(rooms.value.map(({ id, name, spaceId, encrypted }) => ({ id, name, spaceId, encrypted })));
    },
    roomOf: messagingRoom,
    channelName: async (channel) => {
      const name = account.channelName(channel);
      return name === channel ? '' : name;
    },
    members: async (channel) => {
      const place = await placeOf(account, channel);
      if (!place.ok) return place;
      if (place.value.kind === 'dm') {
        const people = [identity.slug, place.value.slug].map((slug) => account.person(slug));
        return ok((await Promise.all(people)).map(asMember));
      }
      const { roomId } = place.value;
      const room = account.rooms().channels.find(({ id }) => id === roomId);
      return ok((room?.members ?? []).map((member) => ({ ...member })));
    },
    user: async (slug) => ok(asMember(await account.person(slug))),
  };
}

const asMember = ({ slug, displayName, agent, role }: PersonProfile) => ({ slug, displayName, agent, role });

type Sending = Pick<AgentMessaging, 'here' | 'send' | 'sentHere'>;

function sending({ account, store, identity, crypto, clock }: MessagingDeps): Sending {
  const idOf = (turnId: string, callId: string): string =>
    derivedEnvelopeId(crypto, identity.slug, turnId, callId);
  const turnOf = (turnId: string): OpenTurn | null =>
    store.openTurns().find((turn) => turn.turnId === turnId) ?? null;
  const outside = createOutsideAnswers(store, crypto, identity.slug);
  return {
    here(turnId) {
      const turn = turnOf(turnId);
      return turn && { channel: channelOf(turn.roomId), rootId: turn.rootId };
    },
    send: (message) =>
      orStoreError(async () => {
        const place = await placeOf(account, message.channel);
        if (!place.ok) return place;
        const root = rootFor(store, place.value, message.rootId);
        if (!root.ok) return root;
        const own = turnOf(message.turnId) !== null || isTaskTurn(message.turnId);
        const answer = own ? null : outside.nextId(place.value.roomId, root.value);
        const id = answer ?? idOf(message.turnId, message.callId);
        const draft = draftOf(place.value, { id, root: root.value, at: clock.now(), ...message });
        store.enqueue(draft, identity.slug);
        account.kickOutbox();
        return ok({ messageId: id });
      }),
    sentHere(turnId, callIds) {
      const turn = turnOf(turnId);
      if (!turn) return null;
      const ids = callIds.map((callId) => idOf(turnId, callId)).reverse();
      return ids.find((id) => inThread(store.message(id), turn)) ?? outside.to(turn);
    },
  };
}

type Reading = Pick<AgentMessaging, 'channelHistory' | 'threadHistory' | 'post' | 'search'>;

function reading({ account, store, profiles, clock }: MessagingDeps): Reading {
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
        const place = await placeOf(account, channel);
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
  { account, store, clock }: Pick<MessagingDeps, 'account' | 'store' | 'clock'>,
  { words, channel, limit, mayRead }: Query,
  shown: (messages: readonly StoredMessage[]) => readonly ChatPost[],
): ReturnType<MessageSearchPort['search']> {
  if (searchQuery(words) === null) return err(noWords);
  const place = channel === '' ? null : await placeOf(account, channel);
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

const noMessage = fail('not_found', 'agents.unknownMessage', {}, { help: 'agents.onlyReceivedReadable' });
const noWords = fail('invalid_input', 'agents.noSearchWords', {}, { help: 'agents.searchWordRules' });
const noRoom = fail('not_found', 'agents.notInChannel', {}, { help: 'agents.useListChannels' });

const describeSelf = ({
  slug,
  deviceId,
  serverUrl,
}: MessagingDeps['identity']): Readonly<Record<string, string>> => ({
  slug,
  device: deviceId,
  server: serverUrl,
});

const channelOf = (roomId: string): string => {
  const slug = dmSlug(roomId);
  return slug === null ? roomId : `@${slug}`;
};

/** Asks the server if the account has no channels yet. */
async function knownRooms(account: ChatAccount) {
  const known = account.rooms().channels;
  if (known.length > 0) return ok(known);
  const asked = await account.refreshRooms();
  if (!asked.ok) return err(fail('unavailable', 'agents.channelsUnavailable'));
  return ok(account.rooms().channels);
}

/** Room id of a channel, or of direct messages with `@slug`. */
export const messagingRoom = (channel: string): string =>
  channel.startsWith('@') ? dmRoomId(channel.slice(1)) : channel;

async function placeOf(account: ChatAccount, channel: string): Promise<Result<Place>> {
  if (channel.startsWith('@')) {
    const slug = channel.slice(1);
    return ok({ kind: 'dm', roomId: dmRoomId(slug), slug });
  }
  for (const fresh of [false, true]) {
    if (fresh) await account.refreshRooms();
    const rooms = await knownRooms(account);
    if (!rooms.ok) return rooms;
    const room = rooms.value.find(({ id }) => id === channel);
    if (room) return ok({ kind: 'channel', roomId: room.id, spaceId: room.spaceId });
  }
  return err(noRoom);
}

/** A reply to a reply belongs to the same thread; a root in another room is rejected. */
function rootFor(store: AccountStore, place: Place, wanted: string): Result<string | null> {
  if (wanted === '') return ok(null);
  const message = store.message(wanted);
  if (message?.roomId !== place.roomId) return err(noMessage);
  const root = threadRootOf(message, (id) => store.message(id));
  // A prompt of the host itself is not a message of the room.
  return ok(isLocalEnvelopeId(root) ? null : root);
}

interface Outgoing {
  readonly id: string;
  readonly root: string | null;
  readonly text: string;
  readonly files?: readonly LocalFile[];
  readonly visible: boolean;
  /** ms since the epoch. */
  readonly at: number;
}

function draftOf(place: Place, { id, root, text, visible, at, files }: Outgoing): OutboxDraft {
  const plain = { contentType: 'text/plain', content: text };
  const said = files === undefined ? plain : contentWithFiles(text, files);
  const channel = place.kind === 'channel';
  return {
    envelopeId: id,
    kind: place.kind,
    spaceId: channel ? place.spaceId : null,
    channelId: channel ? place.roomId : null,
    recipientSlug: channel ? null : place.slug,
    threadRootId: root,
    ...said,
    // Only replies can be hidden (spec §3.2).
    visible: root === null || visible,
    createdAt: at,
  };
}

function inThread(message: StoredMessage | null, turn: OpenTurn): boolean {
  if (message?.roomId !== turn.roomId) return false;
  const rootId = isLocalEnvelopeId(turn.rootId) ? null : turn.rootId;
  return dmSlug(turn.roomId) !== null || message.threadRootId === rootId;
}
