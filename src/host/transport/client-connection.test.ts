import { describe, expect, it } from 'vitest';
import type { HostFrame } from '../../contract/frames.ts';
import type { HostApi } from '../../contract/host-api.ts';
import { ok } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { createFeedTopic } from '../feed/feed.ts';
import { createTransportSession, slowClientBytes } from './client-connection.ts';

const clock: Clock = { now: () => 0, monotonic: () => 0, after: () => ({ cancel: () => undefined }) };

function setUp() {
  const topic = createFeedTopic({ clock, initial: { n: 0 } });
  const wire = { sent: [] as HostFrame[], waiting: 0, closed: '' };
  let release: () => void = () => undefined;
  const api: HostApi = {
    call: async (_principal, method) => {
      if (method === 'slow') await new Promise<void>((resolve) => (release = resolve));
      return ok(method === 'huge' ? 'x'.repeat(9 * 1024 * 1024) : method);
    },
    subscribe: (_principal, _name, sink) => ok(topic.subscribe(sink)),
  };
  const session = createTransportSession({
    api,
    principal: { kind: 'owner-cli' },
    wire: {
      send: (text) => wire.sent.push(JSON.parse(text) as HostFrame),
      buffered: () => wire.waiting,
      close: (reason) => {
        wire.closed = reason;
      },
    },
  });
  const say = (frame: object): void => session.onText(JSON.stringify(frame));
  const bump = (n: number): void => topic.patch([{ op: 'set', path: ['n'], value: n }]);
  return { topic, wire, session, say, bump, release: () => release() };
}

const events = (sent: readonly HostFrame[]) =>
  sent.flatMap((frame) => (frame.type === 'event' ? [frame.event] : []));

describe('Client session', () => {
  it('stops feeding a slow client and restarts with a snapshot after it drained', () => {
    const { wire, session, say, bump, topic } = setUp();
    say({ type: 'subscribe', id: 1, topic: 'agents' });
    bump(1);
    wire.waiting = slowClientBytes + 1;
    bump(2);
    bump(3);
    expect(topic.subscribers()).toBe(0);
    expect(events(wire.sent)).toHaveLength(2);
    wire.waiting = 0;
    session.onDrain();
    bump(4);
    expect(events(wire.sent).slice(2)).toMatchObject([
      { type: 'snapshot', revision: 3, state: { n: 3 } },
      { type: 'patch', revision: 4 },
    ]);
  });

  it('stops feeds and replies when the client disconnects', async () => {
    const { wire, session, say, bump, topic, release } = setUp();
    say({ type: 'subscribe', id: 1, topic: 'agents' });
    say({ type: 'call', id: 2, method: 'slow', input: {} });
    session.end();
    bump(1);
    release();
    await Promise.resolve();
    await Promise.resolve();
    expect(topic.subscribers()).toBe(0);
    expect(wire.sent).toHaveLength(1);
  });

  it('unsubscribes on request and refuses a duplicate subscription id', () => {
    const { wire, say, bump } = setUp();
    say({ type: 'subscribe', id: 1, topic: 'agents' });
    say({ type: 'subscribe', id: 1, topic: 'agents' });
    expect(events(wire.sent).at(-1)).toMatchObject({ type: 'end' });
    say({ type: 'unsubscribe', id: 1 });
    const before = wire.sent.length;
    bump(1);
    expect(wire.sent).toHaveLength(before);
  });

  it('returns an error for too many concurrent calls and for too large results', async () => {
    const { wire, say } = setUp();
    for (let id = 1; id <= 65; id += 1) say({ type: 'call', id, method: 'slow', input: {} });
    expect(wire.sent).toMatchObject([
      { type: 'result', id: 65, result: { ok: false, error: { code: 'rate_limited' } } },
    ]);
    const other = setUp();
    other.say({ type: 'call', id: 1, method: 'huge', input: {} });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(other.wire.sent).toMatchObject([{ result: { ok: false, error: { code: 'too_large' } } }]);
  });

  it.each(['', 'null', '[]', '{"type":"call"}', '{"type":"call","id":1.5,"method":"x"}', '{'])(
    'closes on the invalid frame %s',
    (text) => {
      const { wire, session } = setUp();
      session.onText(text);
      expect(wire.closed).not.toBe('');
    },
  );
});
