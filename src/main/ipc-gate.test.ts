import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appErrorSchema } from '../contract/error-schema.ts';
import { textError } from '../contract/errors.ts';
import type { FeedSink, HostApi } from '../contract/host-api.ts';
import { callChannel, type FeedMessage, subscribeChannel } from '../contract/ipc-channels.ts';
import { err, ok, type Result } from '../contract/result.ts';
import type { AskPerson } from './device-question.ts';
import { createIpcGate, type GateEvent } from './ipc-gate.ts';

const page = 'kennel://app/';

function fakeHost() {
  const calls: unknown[][] = [];
  const sinks: FeedSink[] = [];
  let open = 0;
  const api: HostApi = {
    async call(...args) {
      calls.push(args);
      return ok('answer');
    },
    subscribe(_principal, _topic, sink) {
      sinks.push(sink);
      open += 1;
      return ok(() => {
        open -= 1;
      });
    },
  };
  return { api, calls, sinks, open: () => open };
}

type Ask = (event: GateEvent, ...args: unknown[]) => Promise<Result<unknown>>;

function setUp(answer?: () => Promise<Result<HostApi>>, askPerson?: AskPerson) {
  const host = fakeHost();
  const warnings: string[] = [];
  const handlers = new Map<string, Ask>();
  const gate = createIpcGate({
    host: answer ?? (async () => ok(host.api)),
    pageOrigin: 'kennel://app',
    ...(askPerson ? { askPerson } : {}),
    warn: (message) => void warnings.push(message),
  });
  gate.register((channel, listener) => void handlers.set(channel, listener));
  gate.admit(7);
  const ask = (channel: string, event: GateEvent, ...args: unknown[]) => {
    const handler = handlers.get(channel);
    if (!handler) throw new Error(`nobody listens on ${channel}`);
    return handler(event, ...args);
  };
  return { gate, host, warnings, ask };
}

function event(more: { id?: number; frame?: GateEvent['senderFrame'] } = {}) {
  const sent: FeedMessage[] = [];
  const sender = {
    id: more.id ?? 7,
    send: (_channel: string, message: FeedMessage) => void sent.push(message),
    isDestroyed: () => false,
  };
  const senderFrame = more.frame === undefined ? { url: page, parent: null } : more.frame;
  return { sent, event: { sender, senderFrame } satisfies GateEvent };
}

const code = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

describe('IPC gate (T22)', () => {
  it('passes a call of our page to the host as the owner', async () => {
    const { ask, host } = setUp();
    const result = await ask(callChannel, event().event, 'agents.list', {});
    expect(result).toEqual(ok('answer'));
    expect(host.calls).toEqual([[{ kind: 'owner-ui' }, 'agents.list', {}]]);
  });

  it.each([
    ['another window', event({ id: 8 })],
    ['a frame inside the page', event({ frame: { url: page, parent: {} } })],
    ['another origin', event({ frame: { url: 'https://example.com/', parent: null } })],
    ['a look-alike host', event({ frame: { url: 'kennel://app.example/', parent: null } })],
    ['another scheme', event({ frame: { url: 'file:///app/', parent: null } })],
    ['no frame at all', event({ frame: null })],
    ['a broken address', event({ frame: { url: '', parent: null } })],
  ])('refuses and logs %s', async (_who, stranger) => {
    const { ask, host, warnings } = setUp();
    expect(code(await ask(callChannel, stranger.event, 'agents.list', {}))).toBe('forbidden');
    const open = { action: 'open', id: 1, topic: 'host' };
    expect(code(await ask(subscribeChannel, stranger.event, open))).toBe('forbidden');
    expect(host.calls).toEqual([]);
    expect(host.open()).toBe(0);
    expect(warnings).toHaveLength(2);
  });

  it('refuses a dismissed window', async () => {
    const { ask, gate } = setUp();
    gate.dismiss(7);
    expect(code(await ask(callChannel, event().event, 'agents.list', {}))).toBe('forbidden');
  });

  it('sends feed events under the page’s id until closed', async () => {
    const { ask, host } = setUp();
    const { sent, event: ours } = event();
    await ask(subscribeChannel, ours, { action: 'open', id: 3, topic: 'host' });
    host.sinks[0]?.({ type: 'end', reason: 'x' });
    expect(sent).toEqual([{ id: 3, event: { type: 'end', reason: 'x' } }]);
    await ask(subscribeChannel, ours, { action: 'close', id: 3 });
    expect(host.open()).toBe(0);
  });

  it('ends the feeds of a reloaded page, so ids can be reused', async () => {
    const { ask, gate, host } = setUp();
    const open = { action: 'open', id: 1, topic: 'host' };
    await ask(subscribeChannel, event().event, open);
    gate.pageLeft(7);
    expect(host.open()).toBe(0);
    expect(code(await ask(subscribeChannel, event().event, open))).toBe('ok');
    expect(host.open()).toBe(1);
  });

  it('opens no feed for a page that left during the host start', async () => {
    const host = fakeHost();
    let ready = (_host: Result<HostApi>): void => {};
    const started = new Promise<Result<HostApi>>((resolve) => {
      ready = resolve;
    });
    const { ask, gate } = setUp(() => started);
    const asked = ask(subscribeChannel, event().event, { action: 'open', id: 1, topic: 'host' });
    gate.pageLeft(7);
    ready(ok(host.api));
    await asked;
    expect(host.open()).toBe(0);
  });

  it('limits a page to 256 feeds', async () => {
    const { ask } = setUp();
    const results: string[] = [];
    for (let id = 1; id <= 300; id += 1) {
      results.push(code(await ask(subscribeChannel, event().event, { action: 'open', id, topic: 'host' })));
    }
    expect(results.filter((result) => result === 'ok')).toHaveLength(256);
    expect(results.at(-1)).toBe('rate_limited');
  });

  it('returns a typed error for an exception and logs its text only', async () => {
    const { ask, warnings } = setUp(() => Promise.reject(new Error('secret detail')));
    const result = await ask(callChannel, event().event, 'agents.list', {});
    expect(code(result)).toBe('internal');
    expect(JSON.stringify(result)).not.toContain('secret detail');
    expect(warnings).toHaveLength(1);
  });

  it('always returns a Result and never throws', async () => {
    const { ask } = setUp();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(callChannel, subscribeChannel),
        fc.array(fc.anything()),
        async (channel, args) => {
          const result = await ask(channel, event().event, ...args);
          if (!result.ok) expect(() => appErrorSchema.parse(result.error)).not.toThrow();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('T22: does not pass a call to the host that the person refused', async () => {
    const refused = err(textError('cancelled', 'no'));
    const { host, ask } = setUp(undefined, async (method) => (method === 'a' ? refused : ok(undefined)));
    expect(await ask(callChannel, event().event, 'a', { words: 'x' })).toEqual(refused);
    expect(await ask(callChannel, event().event, 'b', {})).toEqual(ok('answer'));
    expect(host.calls.map(([, method]) => method)).toEqual(['b']);
  });
});
