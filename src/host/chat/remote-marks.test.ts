import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { err, ok } from '../../contract/result.ts';
import { answered, noAnswer, type RequestError } from '../../services/puffo/request-error.ts';
import type { SignedClient } from '../../services/puffo/signed-client.ts';
import { createRemoteMarks } from './remote-marks.ts';

const run = (agent: string, more: Readonly<Record<string, unknown>> = {}) => ({
  run_id: `run_${agent}`,
  agent_slug: agent,
  started_at: 1,
  ended_at: null,
  succeeded: null,
  ...more,
});
const frame = (message: string, agent: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'processing',
  message_id: message,
  ...run(agent, more),
});

function rig() {
  const server: {
    asked: string[];
    atOnce: number;
    most: number;
    failure: RequestError | null;
    runs: unknown[];
  } = {
    asked: [],
    atOnce: 0,
    most: 0,
    failure: null,
    runs: [],
  };
  const client: SignedClient = {
    slug: 'ada-0001',
    async json(_method, target, schema) {
      server.asked.push(target.split('/')[2] ?? '');
      server.atOnce += 1;
      server.most = Math.max(server.most, server.atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      server.atOnce -= 1;
      return server.failure ? err(server.failure) : ok(schema.parse({ runs: server.runs }));
    },
    bytes: async () => err(noAnswer('unavailable', 'not here')),
  };
  const changed: string[] = [];
  const marks = createRemoteMarks({ client: () => client, onChanged: (id) => changed.push(id) });
  const agents = new Set(['eve-bot', 'bob-bot']);
  const of = (id: string, away: readonly string[] = []) =>
    marks.of(id, agents, (slug) => away.includes(slug)).map(({ slug, state }) => `${slug} ${state}`);
  return { marks, of, server, changed };
}

describe('Processing marks of other agents', () => {
  it('follow pushed frames from working to ended, without the error text', () => {
    const { marks, of, changed } = rig();
    marks.told(frame('msg_1', 'eve-bot'));
    marks.told(frame('msg_1', 'eve-bot'));
    expect(of('msg_1')).toEqual(['eve-bot working']);
    marks.told(frame('msg_1', 'eve-bot', { ended_at: 2, succeeded: true }));
    marks.told(frame('msg_1', 'bob-bot', { ended_at: 2, succeeded: false, error_text: 'secret' }));
    expect(of('msg_1')).toEqual(['eve-bot done', 'bob-bot failed']);
    expect(changed).toEqual(['msg_1', 'msg_1', 'msg_1']);
    expect(marks.of('msg_1', new Set(['bob-bot']), () => false)).toEqual([
      { agentId: null, slug: 'bob-bot', state: 'failed', reason: '' },
    ]);
  });

  it('ignore senders who are no members and malformed frames', () => {
    const { marks, of } = rig();
    marks.told(frame('msg_1', 'mallory-bot'));
    marks.told({ type: 'processing', message_id: 'msg_1' });
    marks.told(frame('msg_1', 'eve-bot', { started_at: 'yesterday' }));
    expect(of('msg_1')).toEqual([]);
  });

  it('ignore a start after its end and older runs', () => {
    const { marks, of } = rig();
    marks.told(frame('msg_1', 'eve-bot', { started_at: 5, ended_at: 6, succeeded: true }));
    marks.told(frame('msg_1', 'eve-bot', { started_at: 5 }));
    marks.told(frame('msg_1', 'eve-bot', { run_id: 'run_old', started_at: 1 }));
    expect(of('msg_1')).toEqual(['eve-bot done']);
    marks.told(frame('msg_1', 'eve-bot', { run_id: 'run_new', started_at: 9 }));
    expect(of('msg_1')).toEqual(['eve-bot working']);
  });

  it('hide running work of an offline agent', () => {
    const { marks, of } = rig();
    marks.told(frame('msg_1', 'eve-bot'));
    marks.told(frame('msg_2', 'eve-bot', { ended_at: 2, succeeded: true }));
    expect(of('msg_1', ['eve-bot'])).toEqual([]);
    expect(of('msg_2', ['eve-bot'])).toEqual(['eve-bot done']);
    expect(marks.workOf(new Set(['eve-bot']))).toEqual(['msg_1']);
  });

  it('are fetched once per visible message, four at a time, and again after a reconnect', async () => {
    const { marks, of, server, changed } = rig();
    server.runs = [run('eve-bot', { ended_at: 2, succeeded: true })];
    const ids = Array.from({ length: 30 }, (_, n) => `msg_${n}`);
    marks.show(ids);
    marks.show(ids);
    await settle(60);
    expect(server.asked.toSorted()).toEqual(ids.toSorted());
    expect(server.asked[0]).toBe('msg_29');
    expect(server.most).toBe(4);
    expect(of('msg_3')).toEqual(['eve-bot done']);
    expect(changed).toHaveLength(30);
    marks.online();
    marks.show(['msg_3']);
    await settle(4);
    expect(server.asked).toHaveLength(31);
    expect(changed).toHaveLength(30);
  });

  it.each([
    ['refuses', answered(404, 'NOT_FOUND', '', null)],
    ['answers with pages', noAnswer('protocol', 'The server answered with something that is not JSON.')],
  ])('are no longer fetched if the server %s', async (_what, failure) => {
    const { marks, server } = rig();
    server.failure = failure;
    for (let n = 0; n < 40; n += 1) marks.show([`msg_${n}`]);
    await settle(60);
    expect(server.asked.length).toBeLessThanOrEqual(9);
  });

  it('are capped at 2,000 messages', () => {
    const { marks, of } = rig();
    for (let n = 0; n < 5_000; n += 1) marks.told(frame(`msg_${n}`, 'eve-bot'));
    expect(marks.workOf(new Set(['eve-bot']))).toHaveLength(2_000);
    expect(of('msg_4999')).toEqual(['eve-bot working']);
    for (let n = 0; n < 500; n += 1) marks.told(frame('msg_x', `bot-${n}`));
    expect(marks.workOf(new Set(Array.from({ length: 500 }, (_, n) => `bot-${n}`)))).toEqual(['msg_x']);
  });
});
