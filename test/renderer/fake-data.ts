/** Initial data of the fake host: a demo as the real host builds it, and a busier one for pictures. */
import type {
  AgentDetail,
  AgentSummary,
  ChatMessage,
  HostView,
  Room,
  RoomsView,
} from '../../src/contract/model.ts';

export const now = Date.now();
const minute = 60_000;

export const hostView = (change: Partial<HostView> = {}): HostView => ({
  version: '0.1.0',
  pid: 4711,
  home: '/home/ada/.kennel',
  startedAt: now - 12 * minute,
  state: 'ready',
  firstRun: false,
  demo: true,
  vault: {
    kind: 'demo-file',
    backend: '',
    note: 'No keychain was found, so this demo’s key lies in a file only you can read. Real identities need a passphrase.',
  },
  relay: { embedded: true, url: 'http://127.0.0.1:43121' },
  operator: {
    slug: 'you-3f9a',
    displayName: 'You',
    avatarUrl: '',
    serverUrl: 'http://127.0.0.1:43121',
    connection: 'online',
  },
  agents: { total: 2, working: 0, needsYou: 0, error: 0 },
  waiting: 0,
  spentToday: { tokens: 0, usd: null, unpriced: 0, simulated: false },
  brakes: [],
  problems: [],
  notifications: { sounds: true, quietHours: {}, quietApprovals: true },
  ...change,
});

export const agent = (id: string, change: Partial<AgentSummary> = {}): AgentSummary => ({
  id,
  slug: `${id}-1c2d`,
  displayName: id.charAt(0).toUpperCase() + id.slice(1),
  avatarUrl: '',
  role: '',
  roleShort: '',
  dot: 'idle',
  life: 'running',
  connection: 'online',
  activity: '',
  since: now - 4 * minute,
  runtimeKind: 'chat-local',
  provider: 'scripted',
  model: 'scripted',
  scripted: true,
  messageCount: 3,
  lastEventAt: now - 2 * minute,
  error: null,
  configError: null,
  restartAt: null,
  waiting: 0,
  spentToday: { tokens: 0, usd: null, unpriced: 0, simulated: false },
  ...change,
});

export const demoAgents = (): Record<string, AgentSummary> => ({
  guide: agent('guide', {
    role: 'Guide: shows you around and answers first questions',
    roleShort: 'Guide',
  }),
  checker: agent('checker', {
    role: 'Checker: reads what others wrote and says what is missing',
    roleShort: 'Checker',
    messageCount: 1,
  }),
});

/** One agent for each state of the status dot. */
export const busyAgents = (): Record<string, AgentSummary> => ({
  ...demoAgents(),
  guide: agent('guide', {
    role: 'Guide: shows you around and answers first questions',
    roleShort: 'Guide',
    dot: 'working',
    activity: 'answering in #general',
    since: now - 8000,
  }),
  scribe: agent('scribe', {
    displayName: 'Scribe',
    roleShort: 'Notes',
    role: 'Notes: keeps the minutes',
    scripted: false,
    provider: 'ollama',
    model: 'qwen3:8b',
    dot: 'needs_you',
    activity: 'wants to know which notes to keep',
    since: now - 3 * minute,
  }),
  porter: agent('porter', {
    roleShort: 'Builds',
    dot: 'error',
    life: 'gave_up',
    scripted: false,
    provider: 'openai',
    model: 'gpt-5-mini',
    error: {
      code: 'model_error',
      message:
        'The model refused the API key five times, so Porter stopped. Its unanswered messages are kept.',
      hint: 'Put in a valid key under Runtime, then choose Restart.',
    },
    since: now - 26 * minute,
  }),
  archivist: agent('archivist', {
    displayName: 'Archivist',
    dot: 'offline',
    life: 'paused',
    connection: 'none',
    since: now - 26 * 60 * minute,
  }),
});

export const detailOf = (summary: AgentSummary, soul: string): AgentDetail => ({
  ...summary,
  folder: `/home/ada/.kennel/agents/${summary.id}`,
  serverUrl: 'http://127.0.0.1:43121',
  deviceId: 'dev_0f3b7d9a',
  spaceId: 'sp_demo',
  operatorSlug: 'you-3f9a',
  createdAt: now - 60 * minute,
  soul,
  profile: soul,
  mode: 'ask',
  versions: { profile: 'v1', model: 'v1', limits: 'v1' },
  runtime: {
    kind: 'chat-local',
    provider: summary.scripted ? '' : summary.provider,
    model: summary.scripted ? '' : summary.model,
    baseUrl: '',
    apiKeySet: false,
    allowedTools: [],
    dockerImage: '',
    permissionMode: 'bypassPermissions',
    harness: '',
    maxTurns: 10,
  },
  modelSettings: {
    contextWindow: null,
    maxOutputTokens: null,
    temperature: null,
    nativeTools: null,
    price: null,
  },
  triggers: { on_mention: true, on_dm: true, hold_first_contact: true, channels: { ch_general: 'all' } },
  refused: {},
});

export const guideSoul = `You are **Guide**, the first helper a person meets here.

## How you speak

- Short and concrete, never more than three sentences at once.
- You say plainly that you follow a script and are no language model.

## What you leave alone

Anything that sounds like a decision. You ask instead.
`;

export const member = (slug: string, displayName: string, isAgent: boolean, role = '') => ({
  slug,
  displayName,
  agent: isAgent,
  role,
});

export const room = (id: string, change: Partial<Room> = {}): Room => ({
  id,
  kind: 'channel',
  name: 'general',
  spaceId: 'sp_demo',
  encrypted: true,
  members: [
    member('you-3f9a', 'You', false, 'owner'),
    member('guide-1c2d', 'Guide', true),
    member('checker-1c2d', 'Checker', true),
  ],
  unread: 0,
  lastMessageAt: null,
  lastText: '',
  ...change,
});

export const demoRooms = (): RoomsView => ({
  self: 'you-3f9a',
  connection: 'online',
  spaces: [{ id: 'sp_demo', name: 'Demo', role: 'owner', archived: false }],
  rooms: { ch_general: room('ch_general') },
  presence: {},
  trust: {},
  scripts: [],
  mutes: {},
  counted: {},
  invites: [],
});

export const message = (id: string, change: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  roomId: 'ch_general',
  senderSlug: 'guide-1c2d',
  senderName: 'Guide',
  senderAgent: true,
  own: false,
  text: '',
  sentAt: now,
  threadRootId: null,
  visible: true,
  encrypted: true,
  delivery: 'received',
  deliveryError: null,
  attachments: [],
  marks: [],
  steps: [],
  asks: null,
  ...change,
});

export const mine = (id: string, text: string, change: Partial<ChatMessage> = {}): ChatMessage =>
  message(id, {
    senderSlug: 'you-3f9a',
    senderName: 'You',
    senderAgent: false,
    own: true,
    text,
    delivery: 'sent',
    ...change,
  });

export const greeting = message('msg_greet', {
  sentAt: now - 11 * minute,
  text: 'Hello! I am **Guide**, a scripted helper, not a language model. Write `help` to see what I can do. Everything here is sealed on this computer before it goes to the server.',
});

const mark = (agentId: string, state: 'done' | 'silent' | 'working', reason: string) => ({
  agentId,
  slug: `${agentId}-1c2d`,
  state,
  reason,
});

/** Sample messages of a room. */
export const conversation = (): ChatMessage[] => [
  greeting,
  mine('msg_q1', 'help', {
    sentAt: now - 9 * minute,
    marks: [mark('guide', 'done', ''), mark('checker', 'silent', 'not_mentioned')],
  }),
  message('msg_a1', {
    sentAt: now - 9 * minute + 3000,
    threadRootId: 'msg_q1',
    visible: false,
    text: 'I follow a short script. Try one of these:\n\n| Write | and I |\n| --- | --- |\n| `echo hello` | say it back |\n| `plan` | make a small plan |\n| `slow` | take my time |\n| `fail` | show what a failure looks like |',
  }),
  mine('msg_q2', '@guide-1c2d plan a picnic for the team on Friday', {
    sentAt: now - 6 * minute,
    marks: [mark('guide', 'done', ''), mark('checker', 'silent', 'not_mentioned')],
  }),
  message('msg_a2', {
    sentAt: now - 6 * minute + 4000,
    threadRootId: 'msg_q2',
    text: 'Here is a small plan:\n\n1. **Place**: the meadow behind the office.\n2. **Food**: everyone brings one thing; I keep the list.\n3. **Rain**: the kitchen on the second floor.',
  }),
  mine('msg_q3', 'And who brings the blanket?', {
    sentAt: now - 5 * minute,
    threadRootId: 'msg_q2',
    marks: [mark('guide', 'done', '')],
  }),
  message('msg_a3', {
    sentAt: now - 5 * minute + 2500,
    threadRootId: 'msg_q2',
    text: 'Nobody yet. I would ask **Checker** to look over the list before Friday.',
  }),
];

export const checks = [
  { id: 'crypto', title: 'Encryption', status: 'ok', detail: 'All engines agree (sodium, noble).' },
  {
    id: 'vault',
    title: 'Keychain',
    status: 'warn',
    detail: 'No keychain was found.',
    hint: 'Set a passphrase with "kennel unlock" or KENNEL_PASSPHRASE before you use real identities.',
  },
  { id: 'disk', title: 'Disk', status: 'ok', detail: '41.2 GB free.' },
];

export interface Page {
  readonly room: string;
  readonly before?: string;
  readonly after?: string;
  readonly around?: string;
  readonly thread?: string;
  readonly limit?: number;
}

/** A page of history, with the paging rules of the host. */
export function pageOf(every: readonly ChatMessage[], page: Page) {
  const { room: roomId, before, after, around, thread, limit = 50 } = page;
  const all =
    thread === undefined ? every : every.filter((one) => one.id === thread || one.threadRootId === thread);
  const place = (id: string): number => all.findIndex((one) => one.id === id);
  let end = before === undefined ? all.length : place(before);
  let start = Math.max(0, end - limit);
  if (after !== undefined) [start, end] = [place(after) + 1, Math.min(all.length, place(after) + 1 + limit)];
  if (around !== undefined) {
    start = Math.max(0, place(around) - Math.floor(limit / 2));
    end = Math.min(all.length, place(around) + 1 + Math.ceil(limit / 2));
  }
  return { roomId, messages: all.slice(start, end), hasMore: start > 0, hasLater: end < all.length };
}
