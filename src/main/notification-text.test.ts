import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalsView } from '../contract/approvals.ts';
import type { AgentSummary, ChatMessage, Room, RoomsView } from '../contract/model.ts';
import type { Mutes } from '../contract/mute.ts';
import {
  agentsFailed,
  messagesFor,
  type NotificationEvent,
  questionsAsked,
  roomsWithNews,
} from './notification-events.ts';
import { announceOnDesktop } from './notification-text.ts';

const all = { approvals: true, finished: true, failed: true, mentioned: true };
const quiet = { notify: all, notifyText: false };
const open = { notify: all, notifyText: true };

const asked = (id: string, more: Partial<NotificationEvent> = {}): NotificationEvent => ({
  kind: 'approvals',
  who: 'Guide',
  text: 'Guide wants to run rm -rf /secret',
  route: `#/inbox/${id}`,
  approval: { id, digest: `d${id}`, whole: null },
  ...more,
});

describe('Notification text', () => {
  it('names the agent and the kind, and hides the details unless allowed', () => {
    const [said] = announceOnDesktop([asked('q1')], quiet);
    expect(said?.title).toBe('Guide needs your answer');
    expect(JSON.stringify(said)).not.toContain('secret');
    expect(announceOnDesktop([asked('q1')], open)[0]?.body).toBe('Guide wants to run rm -rf /secret');
  });

  it('links to the question and names only that one', () => {
    expect(announceOnDesktop([asked('q1')], quiet)).toMatchObject([
      { route: '#/inbox/q1', answer: { id: 'q1', digest: 'dq1' }, isWhole: false, questions: ['q1'] },
    ]);
  });

  it.each(['approvals', 'finished', 'failed', 'mentioned'] as const)(
    'is omitted for %s if switched off',
    (kind) => {
      const choice = { ...quiet, notify: { ...all, [kind]: false } };
      expect(announceOnDesktop([asked('q1', { kind })], choice)).toEqual([]);
      expect(announceOnDesktop([asked('q1', { kind })], quiet)).toHaveLength(1);
    },
  );

  it('combines several questions into one notification without an answer', () => {
    const three = ['q1', 'q2', 'q3'].map((id) => asked(id, { who: id === 'q3' ? 'Checker' : 'Guide' }));
    const together = {
      title: '3 questions wait',
      body: 'Guide, Checker',
      route: '#/inbox',
      answer: null,
      isWhole: false,
      questions: ['q1', 'q2', 'q3'],
    };
    expect(announceOnDesktop(three, open)).toEqual([together]);
    const answered = asked('m', { kind: 'finished', approval: null });
    expect(announceOnDesktop([answered, ...three], quiet)).toMatchObject([
      together,
      { title: 'Guide answered you', questions: [] },
    ]);
  });

  it('combines many events of other kinds with questions, and stays when these are answered', () => {
    const many = [1, 2, 3, 4].map(() => asked('m', { kind: 'finished', approval: null }));
    expect(announceOnDesktop([...many, asked('q1')], open)).toMatchObject([
      { title: '5 things happened in Kennel', answer: null, isWhole: false, questions: [] },
    ]);
    expect(announceOnDesktop([asked('q1'), asked('q2')], open, true)).toMatchObject([
      { questions: ['q1', 'q2'] },
    ]);
  });

  it('T8: shows the whole question if it fits and text is allowed; only then a yes counts', () => {
    const whole = asked('q1', { approval: { id: 'q1', digest: 'd', whole: 'Guide wants to run ls · /w' } });
    expect(announceOnDesktop([whole], open)).toMatchObject([
      { body: 'Guide wants to run ls · /w', isWhole: true },
    ]);
    expect(announceOnDesktop([whole], quiet)).toMatchObject([{ isWhole: false }]);
    expect(announceOnDesktop([whole], open, true)).toMatchObject([{ isWhole: false, answer: null }]);
    expect(announceOnDesktop([asked('q2')], open)).toMatchObject([{ isWhole: false }]);
  });

  it('T8: shows a question on one line with invisible characters escaped', () => {
    const text = 'Guide wants to write a\u202ecod.txt\nin /safe\u3164';
    const [said] = announceOnDesktop([asked('q', { text, who: 'Gui\u200bde' })], open);
    expect(said?.body).toBe('Guide wants to write a[U+202E]cod.txt[U+000A]in /safe[U+3164]');
    expect(said?.title).toContain('Gui[U+200B]de');
  });

  it('removes markup and bidi characters from names and limits their length (T21)', () => {
    const who = `<b>Guide</b> & \u202eevil\n${'x'.repeat(300)}`;
    const [said] = announceOnDesktop([asked('q', { who, text: '<a href="x">&amp;</a>' })], open);
    expect(`${said?.title}${said?.body}`).not.toMatch(/[<>&\u202e\n]/);
    expect([...(said?.title ?? '')].length).toBeLessThanOrEqual(80);
  });
});

const question = (id: string, quietUntil: number | null = null) =>
  ({
    id,
    digest: 'd',
    kind: 'tool',
    agentName: 'Guide',
    title: 'wants to write x',
    preview: { kind: 'diff', body: '+a\n+b' },
    where: '/w',
    offers: [],
    quietUntil,
  }) as unknown as Approval;
const waiting = (...ids: string[]): ApprovalsView => ({
  waiting: Object.fromEntries(ids.map((id) => [id, question(id)])),
});

describe('Notification events', () => {
  it('include new and reminded questions, but not those present at start', () => {
    expect(questionsAsked(null, waiting('a'))).toEqual([]);
    expect(questionsAsked(waiting('a'), waiting('a', 'b')).map(({ route }) => route)).toEqual(['#/inbox/b']);
    expect(questionsAsked(waiting(), { waiting: { a: question('a', 5) } })).toEqual([]);
    const reminded = { waiting: { a: { ...question('a'), remindedAt: 9 } } };
    expect(questionsAsked(waiting('a'), reminded)).toHaveLength(1);
    expect(questionsAsked(reminded, reminded)).toEqual([]);
  });

  it('name the rejection of a workflow gate only for yes-or-no questions', () => {
    const gate: NonNullable<Approval['gate']> = {
      runId: 'r',
      runName: 'Deploy',
      path: 'ask',
      kind: 'approval',
      prompt: 'Go?',
      items: [],
      preview: '',
      schemaJson: '',
      defaultsJson: '',
      subjectJson: '',
      named: [],
      needed: 1,
      notInitiator: false,
      votes: [],
    };
    const asks = (kind: typeof gate.kind) =>
      questionsAsked(waiting(), { waiting: { a: { ...question('a'), gate: { ...gate, kind } } } });
    expect((['approval', 'input', 'uncertain'] as const).map((kind) => asks(kind)[0]?.approval?.no)).toEqual([
      'reject',
      'none',
      'none',
    ]);
    expect(questionsAsked(waiting(), waiting('a'))[0]?.approval).not.toHaveProperty('no');
  });

  it('include an agent that newly failed, once', () => {
    const agent = (dot: AgentSummary['dot']) => ({
      g: { id: 'g', displayName: 'Guide', dot, error: null } as AgentSummary,
    });
    expect(agentsFailed(agent('working'), agent('error'))).toMatchObject([
      { kind: 'failed', route: '#/agents/g' },
    ]);
    expect(agentsFailed(agent('error'), agent('error'))).toEqual([]);
    expect(agentsFailed(null, agent('error'))).toEqual([]);
  });
});

const room = (more: Partial<Room> = {}): Room => ({
  id: 'ch_1',
  kind: 'channel',
  name: 'general',
  spaceId: null,
  encrypted: true,
  members: [],
  unread: 0,
  lastMessageAt: 10,
  lastText: '',
  ...more,
});
const rooms = (one: Room): RoomsView =>
  ({
    self: 'me-1',
    connection: 'online',
    spaces: [],
    rooms: { [one.id]: one },
    presence: {},
    trust: {},
    scripts: [],
    mutes: {},
    counted: {},
    invites: [],
  }) as RoomsView;

const message = (more: Partial<ChatMessage>) =>
  ({
    id: 'm',
    roomId: 'ch_1',
    senderSlug: 'bob-1',
    senderName: 'Bob',
    own: false,
    text: 'hello',
    sentAt: 20,
    threadRootId: null,
    visible: true,
    asks: null,
    ...more,
  }) as ChatMessage;

const kinds = (page: ChatMessage[], more: Partial<Room> = {}, mutes: Mutes = {}) =>
  messagesFor({ room: room(more), after: 10 }, page, {
    self: 'me-1',
    own: new Set(['guide-1']),
    mutes,
    now: 100,
  }).map(({ kind }) => kind);

describe('Message notifications', () => {
  it('check only rooms with unread messages of others', () => {
    const before = rooms(room());
    expect(roomsWithNews(before, rooms(room({ unread: 1, lastMessageAt: 20 })))).toMatchObject([
      { after: 10 },
    ]);
    expect(roomsWithNews(before, rooms(room({ lastMessageAt: 20 })))).toEqual([]);
    expect(roomsWithNews(null, rooms(room({ unread: 1 })))).toEqual([]);
  });

  it.each([
    ['a mention', [message({ text: 'hi @me-1!' })], ['mentioned']],
    ['a mention of a longer name', [message({ text: 'hi @me-12 and @me-1-x' })], []],
    ['talk of others', [message({})], []],
    ['something older', [message({ text: '@me-1', sentAt: 10 })], []],
    ['own words', [message({ own: true, text: '@me-1' })], []],
    ['a question that has its own announcement', [message({ text: '@me-1', asks: 'q' })], []],
    ['an agent of ours among others', [message({ senderSlug: 'guide-1' })], []],
  ] as const)('%s', (_what, page, expected) => {
    expect(kinds([...page])).toEqual(expected);
  });

  it('of a muted room report mentions only, or nothing', () => {
    const page = [
      message({ roomId: 'ch_1', text: 'hi @me-1' }),
      message({ roomId: 'dm:guide-1', senderSlug: 'guide-1' }),
    ];
    const both = (mentions: boolean) => {
      const mute = { until: null, mentions };
      return kinds(page, { kind: 'dm' }, { ch_1: mute, 'dm:guide-1': mute });
    };
    expect(kinds(page, { kind: 'dm' })).toEqual(['mentioned', 'finished']);
    expect(both(true)).toEqual(['mentioned']);
    expect(both(false)).toEqual([]);
  });

  it('report answers in the person’s threads and all direct messages', () => {
    const root = message({ id: 'root', own: true, sentAt: 5 });
    expect(kinds([root, message({ senderSlug: 'guide-1', threadRootId: 'root' })])).toEqual(['finished']);
    const folded = message({ senderSlug: 'guide-1', visible: false });
    expect(kinds([folded], { kind: 'dm' })).toEqual(['finished']);
    expect(kinds([message({ visible: false, text: '@me-1' })])).toEqual([]);
    expect(kinds([message({})], { kind: 'dm' })).toEqual(['mentioned']);
  });
});
