import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Approval } from '../contract/approvals.ts';
import type { FeedSink, HostApi } from '../contract/host-api.ts';
import type { ChatMessage } from '../contract/model.ts';
import { weekdays } from '../contract/quiet-hours.ts';
import { ok } from '../contract/result.ts';
import type { Announcement } from './notification-text.ts';
import { watchNotifications } from './watch-notifications.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const question = (id: string, remindedAt?: number) =>
  ({
    id,
    digest: 'd',
    kind: 'tool',
    agentName: 'Guide',
    title: 'wants to write x',
    preview: { kind: 'text', body: 'x' },
    where: '/w',
    offers: [],
    quietUntil: null,
    remindedAt,
  }) as unknown as Approval;

const message: ChatMessage = {
  id: 'm',
  roomId: 'dm:guide-1',
  senderSlug: 'guide-1',
  senderName: 'Guide',
  senderAgent: true,
  own: false,
  text: 'done',
  sentAt: 2,
  threadRootId: null,
  visible: true,
  encrypted: true,
  delivery: 'received',
  deliveryError: null,
  attachments: [],
  marks: [],
  steps: [],
  asks: null,
};
const room = (unread: number, lastMessageAt: number) => ({
  self: 'me-1',
  mutes: {},
  rooms: { 'dm:guide-1': { id: 'dm:guide-1', kind: 'dm', unread, lastMessageAt } },
});

function setUp() {
  const sinks = new Map<string, FeedSink>();
  const host: HostApi = {
    call: async () =>
      ok({
        messages: [message],
      }),
    subscribe(_principal, topic, sink) {
      sinks.set(topic, sink);
      return ok(() => {});
    },
  };
  const rung: Announcement[] = [];
  const silent: boolean[] = [];
  const settled: (readonly string[])[] = [];
  let isWatched = false;
  const stop = watchNotifications({
    host,
    settings: () =>
      ({
        notify: { approvals: true, finished: true, failed: true, mentioned: true },
        notifyText: false,
      }) as never,
    isWatched: () => isWatched,
    isLocked: () => false,
    ring: (announcement, isSilent) => {
      rung.push(announcement);
      silent.push(isSilent);
    },
    settled: (ids) => void settled.push(ids),
  });
  const show = (topic: string, state: unknown): void =>
    sinks.get(topic)?.({ type: 'snapshot', revision: 1, state });
  const ask = (...asked: Approval[]): void =>
    show('approvals', { waiting: Object.fromEntries(asked.map((one) => [one.id, one])) });
  const fail = (dot: string, count: number): void =>
    show(
      'agents',
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          `a${n}`,
          { id: `a${n}`, displayName: 'Guide', dot, error: null },
        ]),
      ),
    );
  ask();
  fail('idle', 3);
  const watch = (): void => {
    isWatched = true;
  };
  return { rung, silent, settled, stop, show, ask, fail, watch };
}

const quietAll = (quietApprovals: boolean) => ({
  notifications: {
    sounds: false,
    quietApprovals,
    quietHours: Object.fromEntries(weekdays.map((day) => [day, '00:00-23:59'])),
  },
});

it.each([
  [true, ['Guide needs your answer']],
  [false, []],
])('In quiet hours only approvals are reported, if they may (%s)', (quietApprovals, titles) => {
  vi.setSystemTime(new Date('2026-11-23T12:00:00'));
  const { rung, silent, stop, show, ask, fail } = setUp();
  show('host', quietAll(quietApprovals));
  ask(question('q1'));
  fail('error', 1);
  vi.advanceTimersByTime(700);
  expect(rung.map(({ title }) => title)).toEqual(titles);
  expect(silent).toEqual(titles.map(() => true));
  stop();
});

it('A question and its reminder of the same moment are one question', () => {
  const { rung, stop, ask } = setUp();
  ask(question('q1'));
  ask(question('q1', 5));
  vi.advanceTimersByTime(700);
  expect(rung).toMatchObject([{ title: 'Guide needs your answer', questions: ['q1'] }]);
  stop();
});

it('A question that joins an earlier one replaces its notification', () => {
  const { rung, settled, stop, ask } = setUp();
  ask(question('q1'));
  vi.advanceTimersByTime(700);
  ask(question('q1'), question('q2'));
  vi.advanceTimersByTime(700);
  expect(settled).toContainEqual(['q1']);
  expect(rung.map(({ questions }) => questions)).toEqual([['q1'], ['q1', 'q2']]);
  stop();
});

it('A notification of a question and other news does not close with the question', () => {
  const { rung, stop, ask, fail } = setUp();
  ask(question('q1'));
  fail('error', 3);
  vi.advanceTimersByTime(700);
  expect(rung).toMatchObject([{ title: '4 things happened in Kennel', questions: [] }]);
  stop();
});

it.each([
  [0, []],
  [1, ['Guide answered you']],
])('A message whose room has %i unread messages after a moment is reported: %j', async (unread, titles) => {
  const { rung, stop, show } = setUp();
  show('agents', { guide: { id: 'guide', slug: 'guide-1', dot: 'idle' } });
  show('rooms', room(0, 1));
  show('rooms', room(1, 2));
  await vi.advanceTimersByTimeAsync(100);
  show('rooms', room(unread, 2));
  await vi.advanceTimersByTimeAsync(700);
  expect(rung.map(({ title }) => title)).toEqual(titles);
  stop();
});

it('News that the operator sees meanwhile, or that is answered, is not reported', () => {
  const { rung, stop, ask, fail, watch } = setUp();
  ask(question('q1'));
  ask();
  vi.advanceTimersByTime(700);
  fail('error', 1);
  watch();
  vi.advanceTimersByTime(700);
  expect(rung).toEqual([]);
  stop();
});
