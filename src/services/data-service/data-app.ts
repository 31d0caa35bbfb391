/**
 * The data service of 0.8 (spec §4.4) with authentication added: every request needs an agent's token, and a
 * token opens only its own agent's messages (T4). Read-only.
 */
import type { MessageQueries, MessageRange } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { isSameSecret } from '../../platform/same-secret.ts';

export interface DataStore {
  readonly queries: MessageQueries;
  message(envelopeId: string): StoredMessage | null;
}

export interface DataAppDeps {
  /** Pairs of agent id and token. */
  readonly tokens: () => Iterable<readonly [agentId: string, token: string]>;
  /** `null` if the agent has no messages here, or none can be read now. */
  readonly storeOf: (agentId: string) => DataStore | null;
}

interface Read extends Omit<DataAnswer, 'shows'> {
  readonly of?: readonly StoredMessage[];
}

export interface DataAnswer {
  readonly status: number;
  readonly json: unknown;
  /** The agent and the rooms whose messages the response contains. */
  readonly shows?: { readonly agentId: string; readonly rooms: readonly string[] };
}

const answer = (json: unknown, of: readonly StoredMessage[] = []): Read => ({ status: 200, json, of });
const refuse = (status: number, error: string): DataAnswer => ({ status, json: { error } });

const view = (message: StoredMessage) => ({
  envelope_id: message.envelopeId,
  envelope_kind: message.kind,
  sender_slug: message.senderSlug,
  channel_id: message.channelId,
  space_id: message.spaceId,
  recipient_slug: message.recipientSlug,
  content_type: message.contentType,
  content: message.content,
  sent_at: message.sentAt,
  received_at: message.receivedAt,
  thread_root_id: message.threadRootId,
  reply_to_id: message.replyToId,
});

/** An integer query parameter, or the error response. */
function numberIn(query: URLSearchParams, name: string): number | undefined | DataAnswer {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : refuse(400, `${name} must be an integer`);
}

const maxLimit = 200;

function rangeIn(query: URLSearchParams, limit: number): MessageRange | DataAnswer {
  const found: Record<string, number> = { limit };
  for (const name of ['limit', 'before', 'after']) {
    const value = numberIn(query, name);
    if (typeof value === 'object') return value;
    // Clients send 0 for "no bound".
    if (value !== undefined && (name === 'limit' || value > 0)) found[name] = value;
  }
  const since = query.get('since') ?? '';
  const capped = Math.min(maxLimit, Math.max(1, found.limit ?? limit));
  return { ...found, limit: capped, ...(since === '' ? {} : { since }) };
}

const isAnswer = (value: MessageRange | DataAnswer): value is DataAnswer => 'status' in value;

function recent({ queries }: DataStore, query: URLSearchParams): Read {
  const channel = query.get('channel') ?? '';
  if (channel === '') return refuse(400, 'channel query param required');
  const range = rangeIn(query, 20);
  if (isAnswer(range)) return range;
  const found = queries.recent(channel, range.limit);
  return answer({ messages: found.map(view) }, found);
}

function roots({ queries }: DataStore, query: URLSearchParams): Read {
  const channel = query.get('channel') ?? '';
  if (channel === '') return refuse(400, 'channel query param required');
  const range = rangeIn(query, 20);
  if (isAnswer(range)) return range;
  const found = queries.roots(channel, range);
  if (!found) return refuse(404, 'channel not found');
  const rows = found.map(({ message, replies }) => ({ message: view(message), reply_count: replies }));
  return answer(
    { roots: rows },
    found.map(({ message }) => message),
  );
}

function thread({ queries }: DataStore, query: URLSearchParams, rootId: string): Read {
  const range = rangeIn(query, 50);
  if (isAnswer(range)) return range;
  const found = queries.thread(rootId, range);
  return found ? answer({ messages: found.map(view) }, found) : refuse(404, 'thread root not found');
}

function read(store: DataStore, path: readonly string[], query: URLSearchParams): Read {
  const [first = '', second = '', third = '', ...more] = path;
  if (more.length > 0) return refuse(404, 'not found');
  if (first === 'messages' && second === 'recent' && third === '') return recent(store, query);
  if (first === 'messages' && second !== '' && third === '') {
    const message = store.message(second);
    return message ? answer({ message: view(message) }, [message]) : refuse(404, 'message not found');
  }
  if (first === 'channels' && second === 'roots' && third === '') return roots(store, query);
  if (first === 'channels' && third === 'space') {
    const spaceId = store.queries.spaceOf(second);
    return spaceId === null ? refuse(404, 'channel unknown') : answer({ space_id: spaceId });
  }
  if (first === 'threads' && second !== '' && third === '') return thread(store, query, second);
  return refuse(404, 'not found');
}

/** Compares every token, so that the duration reveals nothing. */
export function agentOf(tokens: ReturnType<DataAppDeps['tokens']>, authorization: string): string | null {
  const given = /^Bearer ([\w-]{1,200})$/i.exec(authorization)?.[1] ?? '';
  let found: string | null = null;
  for (const [agentId, token] of tokens) {
    if (isSameSecret(token, given)) found = agentId;
  }
  return found;
}

function segmentsOf(path: string): readonly string[] | null {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

export interface DataRequest {
  readonly method: string;
  readonly target: string;
  readonly authorization: string;
}

export function createDataApp(deps: DataAppDeps): (request: DataRequest) => DataAnswer {
  return ({ method, target, authorization }) => {
    const agentId = agentOf(deps.tokens(), authorization);
    if (agentId === null) return refuse(401, 'token required');
    if (method !== 'GET') return refuse(405, 'only GET');
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    const segments = segmentsOf(path);
    const [empty, v1, data, agent, ...rest] = segments ?? [];
    if (empty !== '' || v1 !== 'v1' || data !== 'data') return refuse(404, 'not found');
    // Does not reveal if another agent exists.
    const store = agent === agentId ? deps.storeOf(agentId) : null;
    if (!store) return refuse(404, 'agent db not found');
    const { of = [], ...said } = read(store, rest, new URLSearchParams(query));
    const rooms = [...new Set(of.map(({ roomId }) => roomId))];
    return rooms.length === 0 ? said : { ...said, shows: { agentId, rooms } };
  };
}
