/**
 * The keys of all threads. Transcripts, open turns, tasks and usage are found by them, so two threads must never share one
 * (T6). A key begins with its kind, and no id holds the separator: `dm|<slug>` is a direct message, which is one thread
 * for ever; `ch|<channel>|<root>` a thread of a channel; `task|<number>` the work on a task; `run|<id>` a run of a workflow;
 * `program|<text>` what a program outside calls its own session.
 */
import { type ChannelId, dmSlug, isChannelId, isSlug } from '../../contract/room-id.ts';
import { assertNever } from '../lib/assert.ts';

export type Thread =
  /** `rootId`: the place of an answer among the direct messages; the thread is the same. */
  | { readonly kind: 'dm'; readonly slug: string; readonly rootId: string | null }
  /** `rootId` is null for the channel as a whole, as a place for an answer. */
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly rootId: string | null }
  | { readonly kind: 'task'; readonly task: number }
  | { readonly kind: 'run'; readonly run: string }
  | { readonly kind: 'program'; readonly session: string };
/** A thread in which people write. */
export type Conversation = Extract<Thread, { readonly kind: 'dm' | 'channel' }>;

/** Ids of messages and runs, those that the host makes included. */
const isPart = (text: string): boolean => /^[A-Za-z0-9_.-]{1,200}$/.test(text);

const joined = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join('|');

export function threadKey(thread: Thread): string {
  switch (thread.kind) {
    case 'dm':
      return joined('dm', thread.slug, thread.rootId);
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

/** `null` if the key is no key of a thread, e.g. that of a question of the host's own. */
export function readThreadKey(key: string): Thread | null {
  const [kind, first = '', root = null, ...more] = key.split('|');
  if (kind === 'program') return { kind, session: key.slice('program|'.length) };
  if (more.length > 0 || (root !== null && !isPart(root))) return null;
  if (kind === 'dm' && isSlug(first)) return { kind, slug: first, rootId: root };
  if (kind === 'ch' && isChannelId(first)) return { kind: 'channel', channelId: first, rootId: root };
  if (kind === 'task' && root === null && /^[1-9]\d{0,14}$/.test(first)) return { kind, task: Number(first) };
  return kind === 'run' && root === null && isPart(first) ? { kind, run: first } : null;
}

/** `null` if nobody writes in that thread: a task, a run, a program. */
export function readConversation(key: string): Conversation | null {
  const thread = readThreadKey(key);
  return thread?.kind === 'dm' || thread?.kind === 'channel' ? thread : null;
}

/** Under which key an agent remembers what is said in this room below this root. */
export function threadKeyOf(roomId: string, rootId: string): string {
  const conversation = conversationIn(roomId, rootId);
  return threadKey(conversation.kind === 'dm' ? { ...conversation, rootId: null } : conversation);
}

/** Throws for an id of no room and a root that is no id: both are parsed where they come in. */
export function conversationIn(roomId: string, rootId: string | null): Conversation {
  if (rootId !== null && !isPart(rootId)) throw new Error('A thread needs the id of a message as its root.');
  const slug = dmSlug(roomId);
  if (slug !== null) return { kind: 'dm', slug, rootId };
  if (isChannelId(roomId)) return { kind: 'channel', channelId: roomId, rootId };
  throw new Error('A thread needs the id of a room.');
}

/**
 * A key as it is written today, of one that may be from before: `dm:<slug>`, `<channel>/<root>`. Stores were migrated; the
 * journal of a run is a chain of hashes, and keeps what it has.
 */
export function fromOldKey(key: string): string {
  const [room = '', root] = key.split('/');
  const isOld = !key.includes('|') && (dmSlug(room) !== null || isChannelId(room));
  if (!isOld || (root !== undefined && !isPart(root))) return key;
  return threadKey(conversationIn(room, root ?? null));
}
