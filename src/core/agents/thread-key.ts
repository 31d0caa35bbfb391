/**
 * Keys of all threads. Transcripts, open turns, tasks and usage are stored by them, so two threads must never
 * share one (T6). A key starts with its kind, and no id contains the separators: `dm|<slug>` is the main
 * conversation of a direct message, which is a single thread, and `dm|<slug>~<conversation>` a further one;
 * `ch|<channel>|<root>` a thread of a channel; `task|<number>` a task;
 * `run|<id>` a workflow run; `program|<text>` a session of an external program.
 */
import {
  type ChannelId,
  conversationIdIn,
  dmRoomId,
  dmSlug,
  isChannelId,
  type RoomId,
} from '../../contract/room-id.ts';
import { assertNever } from '../lib/assert.ts';

export type Thread =
  /** `rootId`: message that an answer refers to; the thread stays the same. */
  | {
      readonly kind: 'dm';
      readonly slug: string;
      /** `null` for the main conversation. */
      readonly conversationId: string | null;
      readonly rootId: string | null;
    }
  /** `rootId`: `null` for the channel as a whole, as the target of an answer. */
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly rootId: string | null }
  | { readonly kind: 'task'; readonly task: number }
  | { readonly kind: 'run'; readonly run: string }
  | { readonly kind: 'program'; readonly session: string };
/** A thread in which people write. */
export type Conversation = Extract<Thread, { readonly kind: 'dm' | 'channel' }>;

/** Ids of messages and runs, including those that the host creates. */
const isPart = (text: string): boolean => /^[A-Za-z0-9_.-]{1,200}$/.test(text);

const joined = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join('|');

/** `<slug>` or `<slug>~<conversation>`, as in the id of the room. */
const dmPart = ({
  slug,
  conversationId,
}: {
  readonly slug: string;
  readonly conversationId: string | null;
}) => dmRoomId(slug, conversationId).slice('dm:'.length);

export function threadKey(thread: Thread): string {
  switch (thread.kind) {
    case 'dm':
      return joined('dm', dmPart(thread), thread.rootId);
    case 'channel':
      return joined('ch', thread.channelId, thread.rootId);
    case 'task':
      return joined('task', String(thread.task));
    case 'run':
      return joined('run', thread.run);
    case 'program':
      return joined('program', thread.session);
    default:
      return assertNever(thread);
  }
}

/** `null` if the key belongs to no thread, e.g. to a question of the host. */
export function readThreadKey(key: string): Thread | null {
  const [kind, first = '', root = null, ...more] = key.split('|');
  if (kind === 'program') return { kind, session: key.slice('program|'.length) };
  if (more.length > 0 || (root !== null && !isPart(root))) return null;
  if (kind === 'dm') return dmThread(`dm:${first}`, root);
  if (kind === 'ch' && isChannelId(first)) return { kind: 'channel', channelId: first, rootId: root };
  if (kind === 'task' && root === null && /^[1-9]\d{0,14}$/.test(first)) return { kind, task: Number(first) };
  return kind === 'run' && root === null && isPart(first) ? { kind, run: first } : null;
}

/** `null` if people do not write in that thread: a task, a run, a program. */
export function readConversation(key: string): Conversation | null {
  const thread = readThreadKey(key);
  return thread?.kind === 'dm' || thread?.kind === 'channel' ? thread : null;
}

/** Transcript key of the messages in this room below this root. */
export function threadKeyOf(roomId: string, rootId: string): string {
  const conversation = conversationIn(roomId, rootId);
  return threadKey(conversation.kind === 'dm' ? { ...conversation, rootId: null } : conversation);
}

function dmThread(roomId: string, rootId: string | null): Extract<Thread, { readonly kind: 'dm' }> | null {
  const slug = dmSlug(roomId);
  return slug === null ? null : { kind: 'dm', slug, conversationId: conversationIdIn(roomId), rootId };
}

/** Id of the room of a conversation. */
export const roomIdOf = (place: Conversation): RoomId =>
  place.kind === 'dm' ? dmRoomId(place.slug, place.conversationId) : place.channelId;

/** Throws for an invalid room or root id: both are parsed at the boundary. */
export function conversationIn(roomId: string, rootId: string | null): Conversation {
  if (rootId !== null && !isPart(rootId)) throw new Error('A thread needs the id of a message as its root.');
  const direct = dmThread(roomId, rootId);
  if (direct !== null) return direct;
  if (isChannelId(roomId)) return { kind: 'channel', channelId: roomId, rootId };
  throw new Error('A thread needs the id of a room.');
}

/**
 * Converts a key of older versions (`dm:<slug>`, `<channel>/<root>`) to the current form. Stores were
 * migrated; the journal of a run is a hash chain and keeps old keys.
 */
export function fromOldKey(key: string): string {
  const [room = '', root] = key.split('/');
  const isOld = !key.includes('|') && (dmSlug(room) !== null || isChannelId(room));
  if (!isOld || (root !== undefined && !isPart(root))) return key;
  return threadKey(conversationIn(room, root ?? null));
}
