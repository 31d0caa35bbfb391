import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { textError } from '../contract/errors.ts';
import type { FeedSink, HostApi } from '../contract/host-api.ts';
import type { FeedEvent } from '../contract/patch.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { createDispatch, type Handlers } from '../host/dispatch.ts';
import type { Host } from '../host/host-ports.ts';
import { openSocketServer, type SocketServer } from '../host/transport/socket-server.ts';
import { hostSocket } from './host-socket.ts';
import { linkHost } from './linked-host.ts';
import { connectRemoteHost } from './remote-host.ts';

const page = { kind: 'owner-ui' } as const;

function fakeApi(answer: (method: string) => Promise<Result<unknown>>) {
  const sinks = new Map<string, FeedSink>();
  const asked: string[] = [];
  const api: HostApi = {
    call: (_principal, method) => {
      asked.push(method);
      return answer(method);
    },
    subscribe(_principal, topic, sink) {
      sinks.set(topic, sink);
      sink({ type: 'snapshot', revision: 1, state: { from: asked.length } });
      return ok(() => void sinks.delete(topic));
    },
  };
  return { api, sinks, asked };
}

let home = '';
const servers: SocketServer[] = [];

async function serve(api: HostApi): Promise<SocketServer> {
  const socket = path.join(home, 'host.sock');
  const server = await openSocketServer({ path: socket, api, log: createRecordingLog() });
  if (!server.ok) throw new Error(server.error.message);
  writeFileSync(path.join(home, 'host.json'), JSON.stringify({ pid: 4711, startedAt: 0, socket }));
  servers.push(server.value);
  return server.value;
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !holds(); tries += 1)
    await new Promise((next) => setTimeout(next, 20));
  expect(holds()).toBe(true);
}

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kennel-remote-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  rmSync(home, { recursive: true, force: true });
});

describe('Remote host', () => {
  it('is null if no host listens', async () => {
    expect(await connectRemoteHost(hostSocket(home))).toBeNull();
    writeFileSync(
      path.join(home, 'host.json'),
      JSON.stringify({ pid: 1, socket: path.join(home, 'none.sock') }),
    );
    expect(await connectRemoteHost(hostSocket(home))).toBeNull();
  });

  it('is refused if its socket is a plain file (T22)', async () => {
    const file = path.join(home, 'host.sock');
    writeFileSync(file, '');
    writeFileSync(path.join(home, 'host.json'), JSON.stringify({ pid: 1, socket: file }));
    expect(await connectRemoteHost(hostSocket(home))).toBeNull();
  });

  it('answers calls and feeds topics', async () => {
    const { api, sinks } = fakeApi(async () => ok({ agents: [] }));
    await serve(api);
    const host = await connectRemoteHost(hostSocket(home));
    expect(host?.pid()).toBe(4711);
    expect(await host?.call(page, 'agents.list', {})).toEqual(ok({ agents: [] }));
    const events: FeedEvent[] = [];
    const stop = host?.subscribe(page, 'agents', (event) => events.push(event));
    await until(() => events.length === 1);
    sinks.get('agents')?.({ type: 'patch', revision: 2, ops: [] });
    await until(() => events.length === 2);
    expect(events.map(({ type }) => type)).toEqual(['snapshot', 'patch']);
    if (stop?.ok) stop.value();
    await until(() => sinks.size === 0);
    host?.close();
  });

  it('refuses page calls that only the command line may make (T22)', async () => {
    const { api, asked } = fakeApi(async () => ok({}));
    await serve(api);
    const host = await connectRemoteHost(hostSocket(home));
    const backup = await host?.call(page, 'backup.make', { path: '/x' });
    expect(backup).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(await host?.call(page, 'no.such', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(host?.subscribe(page, 'secrets', () => {})).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
    host?.close();
  });

  it('fails waiting calls when lost, and reconnects with its topics after a restart', async () => {
    const first = fakeApi(() => new Promise(() => {}));
    const server = await serve(first.api);
    const host = await connectRemoteHost(hostSocket(home));
    const states: string[] = [];
    const events: FeedEvent[] = [];
    host?.onState((state) => states.push(state));
    host?.subscribe(page, 'agents', (event) => events.push(event));
    await until(() => events.length === 1);
    const waiting = host?.call(page, 'agents.list', {});
    await until(() => first.asked.length === 1);
    await server.close();
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(await host?.call(page, 'agents.list', {})).toMatchObject({ error: { code: 'unavailable' } });
    const second = fakeApi(async () => ok('again'));
    await serve(second.api);
    await until(() => states.at(-1) === 'up');
    await until(() => events.length === 2);
    expect(states).toEqual(['lost', 'up']);
    expect(events.at(-1)?.type).toBe('snapshot');
    expect(await host?.call(page, 'agents.list', {})).toEqual(ok('again'));
    host?.close();
  });
});

describe('Host selection', () => {
  const held = err(textError('held', 'in use'));

  it('uses the host that owns the folder and leaves it running on quit', async () => {
    const { api, asked } = fakeApi(async () => ok({}));
    await serve(api);
    const linked = await linkHost({ startOwn: async () => held, openOther: hostSocket(home) });
    expect(linked).toMatchObject({ ok: true, value: { by: 'other' } });
    if (linked.ok) await linked.value.stop('quit');
    expect(asked).toEqual([]);
    expect(await connectRemoteHost(hostSocket(home))).not.toBeNull();
  });

  it('a window of the app can be unlocked, and its passphrases changed, with the host of another process', async () => {
    const done = () => ok({});
    const handlers: Partial<Handlers> = {
      'lock.check': done,
      'lock.setPassphrase': done,
      'vault.changePassphrase': done,
    };
    const dispatch = createDispatch(handlers as Handlers, createRecordingLog());
    await serve({ call: dispatch, subscribe: () => held });
    const linked = await linkHost({ startOwn: async () => held, openOther: hostSocket(home) });
    if (!linked.ok) throw new Error(linked.error.message);
    const passphrase = 'open sesame';
    for (const [method, input] of Object.entries({
      'lock.check': { passphrase },
      'lock.setPassphrase': { passphrase, former: null },
      'vault.changePassphrase': { passphrase, former: 'before' },
    }))
      expect(await linked.value.call(page, method, input), method).toEqual(ok({}));
    await linked.value.stop('quit');
  });

  it('starts the app’s own host as soon as the folder is free', async () => {
    let tries = 0;
    const own = { stopped: new Promise(() => {}) } as unknown as Host;
    const startOwn = async () => (++tries < 3 ? held : ok(own));
    expect(await linkHost({ startOwn, openOther: hostSocket(home) })).toMatchObject({
      ok: true,
      value: { by: 'app' },
    });
  });

  it('fails with the lock error if the other host never answers', async () => {
    const linked = await linkHost({ startOwn: async () => held, openOther: hostSocket(home), patienceMs: 0 });
    expect(linked).toEqual(held);
  });
});
