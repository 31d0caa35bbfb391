import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, type VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { err, ok } from '../../contract/result.ts';
import { type AgentPresence, PresenceBook } from './presence.ts';
import { answered, noAnswer, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

type Row = Readonly<Record<string, unknown>>;

interface Server {
  readonly asked: { readonly target: string; readonly count: number }[];
  readonly rows: Map<string, Row>;
  batch: RequestError | null;
  single: RequestError | null;
}

function clientOf(server: Server): SignedClient {
  return {
    slug: 'ada-0001',
    async json(_method, target, schema, options) {
      const { slugs } = (options?.body ?? { slugs: [] }) as { slugs: string[] };
      server.asked.push({ target, count: slugs.length });
      if (target === '/agents/status:batch') {
        if (server.batch) return err(server.batch);
        return ok(schema.parse({ statuses: slugs.flatMap((slug) => server.rows.get(slug) ?? []) }));
      }
      if (server.single) return err(server.single);
      return ok(schema.parse(server.rows.get(target.split('/')[2] ?? '') ?? {}));
    },
    bytes: async () => err(noAnswer('unavailable', 'not here')),
  };
}

function rig(count = 2) {
  const clock: VirtualClock = createVirtualClock();
  const slugs = new Set(Array.from({ length: count }, (_, n) => `bot-${n}`));
  const rowOf = (slug: string, status = 'idle', more: Row = {}): Row => ({
    slug,
    status,
    last_heartbeat_at: clock.now(),
    error_text: null,
    ...more,
  });
  const server: Server = { asked: [], batch: null, single: null, rows: new Map() };
  const beat = (status = 'idle'): void => {
    for (const slug of slugs) server.rows.set(slug, rowOf(slug, status));
  };
  beat();
  const told: [string, AgentPresence | null][][] = [];
  const book = new PresenceBook({
    clock,
    log: createRecordingLog(),
    client: () => clientOf(server),
    onChanged: (changes) => told.push([...changes]),
  });
  book.follow(slugs);
  return { book, clock, server, told, beat, slugs, rowOf };
}

describe('Agent presence', () => {
  it('is polled only while watched, at a limited rate, and reported on change', async () => {
    const { book, clock, server, told, beat } = rig();
    await clock.advance(100_000);
    expect(server.asked).toEqual([]);
    book.look(true);
    await clock.advance(0);
    expect(told).toHaveLength(1);
    expect(book.of('bot-0')).toEqual({ state: 'idle', errorText: '' });
    for (let n = 0; n < 6; n += 1) {
      beat();
      await clock.advance(20_000);
    }
    expect(server.asked.length).toBeLessThanOrEqual(7);
    expect(told).toHaveLength(1);
    beat('busy');
    await clock.advance(20_000);
    expect(told.at(-1)).toEqual([
      ['bot-0', { state: 'busy', errorText: '' }],
      ['bot-1', { state: 'busy', errorText: '' }],
    ]);
    book.look(false);
    const asked = server.asked.length;
    await clock.advance(600_000);
    expect(server.asked).toHaveLength(asked);
  });

  it('polls 2,000 agents in ten requests, and reports one change as one entry', async () => {
    const { book, clock, server, told, rowOf } = rig(2_000);
    book.look(true);
    await clock.advance(0);
    expect(server.asked.map(({ count }) => count)).toEqual(Array.from({ length: 10 }, () => 200));
    const before = told.length;
    server.rows.set('bot-7', rowOf('bot-7', 'error', { error_text: 'timeout: It took too long.' }));
    await clock.advance(20_000);
    expect(told.slice(before)).toEqual([
      [['bot-7', { state: 'error', errorText: 'timeout: It took too long.' }]],
    ]);
  });

  it('is offline after 120 s without a heartbeat, even if the server stops responding', async () => {
    const { book, clock, server } = rig();
    book.look(true);
    await clock.advance(0);
    server.batch = noAnswer('unavailable', 'The line is dead.');
    await clock.advance(100_000);
    expect(book.of('bot-0')?.state).toBe('idle');
    await clock.advance(31_000);
    expect(book.of('bot-0')?.state).toBe('offline');
  });

  it('is updated by server pushes for followed agents only, and then polled less', async () => {
    const { book, clock, server, beat, rowOf } = rig();
    book.look(true);
    await clock.advance(0);
    book.told({ type: 'agent_status', ...rowOf('bot-1', 'busy') });
    book.told({ type: 'agent_status', ...rowOf('eve-1', 'busy') });
    book.told({ type: 'agent_status', slug: 'bot-0', status: 'dancing' });
    expect([book.of('bot-0')?.state, book.of('bot-1')?.state, book.of('eve-1')]).toEqual([
      'idle',
      'busy',
      null,
    ]);
    const asked = server.asked.length;
    for (let n = 0; n < 6; n += 1) {
      beat();
      await clock.advance(20_000);
    }
    expect(server.asked.length - asked).toBeLessThanOrEqual(3);
  });

  it('falls back to a limited number of single requests per poll if the server has no batch', async () => {
    const { book, clock, server } = rig(150);
    server.batch = answered(404, 'NOT_FOUND', '', null);
    book.look(true);
    await clock.advance(0);
    expect(server.asked).toHaveLength(61);
    await clock.advance(20_000);
    expect(server.asked).toHaveLength(121);
    expect(server.asked.filter(({ target }) => target === '/agents/status:batch')).toHaveLength(1);
    expect(book.of('bot-100')?.state).toBe('idle');
  });

  it.each([
    ['refuses both', answered(404, 'NOT_FOUND', '', null)],
    ['answers with pages', noAnswer('protocol', 'The server answered with something that is not JSON.')],
  ])('is unknown if the server %s, and polled again on a new connection', async (_what, failure) => {
    const { book, clock, server, told } = rig();
    book.look(true);
    await clock.advance(0);
    server.batch = failure;
    server.single = failure;
    await clock.advance(20_000);
    expect(book.of('bot-0')).toBeNull();
    expect(told.at(-1)).toEqual([
      ['bot-0', null],
      ['bot-1', null],
    ]);
    const asked = server.asked.length;
    await clock.advance(600_000);
    expect(server.asked).toHaveLength(asked);
    server.batch = null;
    book.online();
    await clock.advance(0);
    expect(book.of('bot-0')?.state).toBe('idle');
  });

  it('is dropped for an agent that left, and hidden if outdated when watching resumes', async () => {
    const { book, clock, told } = rig();
    book.look(true);
    await clock.advance(0);
    book.follow(new Set(['bot-1']));
    expect(told.at(-1)).toEqual([['bot-0', null]]);
    book.look(false);
    await clock.advance(130_000);
    expect(book.of('bot-1')?.state).toBe('idle');
    book.look(true);
    expect(book.of('bot-1')).toBeNull();
    await clock.advance(0);
    expect(book.of('bot-1')?.state).toBe('idle');
  });
});
