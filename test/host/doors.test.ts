import { readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type MethodName, methods } from '../../src/contract/methods.ts';
import { createHost } from '../../src/host/create-host.ts';
import { fakePage, newHome, startHost, type TestHost, testPorts } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let page = '';
let kennel: TestHost;

beforeEach(async () => {
  folder = newHome();
  page = fakePage(folder.home);
  kennel = await startHost(folder.home, { rendererDir: page });
});
afterEach(async () => {
  await kennel.stop();
  folder.remove();
  rmSync(page, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

function request(
  port: number,
  target: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = http.request(
      { host: '127.0.0.1', port, path: target, method, headers, agent: false },
      (res) => {
        let body = '';
        res.setEncoding('utf8');
        res.on('data', (piece: string) => (body += piece));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body }));
      },
    );
    req.on('error', reject);
    req.end();
  });
}

/** Opens a WebSocket; resolves with the socket, or with the status of the refusal. */
function upgrade(port: number, headers: Record<string, string>, target = '/ws'): Promise<number | WebSocket> {
  const { origin, ...rest } = headers;
  const ws = new WebSocket(`ws://127.0.0.1:${port}${target}`, {
    headers: rest,
    ...(origin ? { origin } : {}),
  });
  return new Promise((resolve) => {
    ws.on('open', () => resolve(ws));
    ws.on('unexpected-response', (_req, res) => resolve(res.statusCode ?? 0));
    ws.on('error', () => undefined);
  });
}

async function link(): Promise<{ port: number; token: string }> {
  const url = new URL((await kennel.call('host.webLink', {})).url);
  expect(`${url.hostname}${url.pathname}${url.search}`, 'the token is in the fragment only').toBe(
    '127.0.0.1/',
  );
  return { port: Number(url.port), token: url.hash.replace('#link=', '') };
}

const own = (port: number): string => `http://127.0.0.1:${port}`;

/** Frames sent to a connection, and its close code. */
interface Heard {
  readonly frames: Record<string, unknown>[];
  readonly closed: Promise<number>;
  readonly ws: WebSocket;
  next(): Promise<Record<string, unknown>>;
}

async function connect(port: number, ...frames: unknown[]): Promise<Heard> {
  const ws = await upgrade(port, { origin: own(port) });
  if (typeof ws === 'number') throw new Error(`refused with ${ws}`);
  const heard: Record<string, unknown>[] = [];
  const waiting: ((frame: Record<string, unknown>) => void)[] = [];
  ws.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Record<string, unknown>;
    const taker = waiting.shift();
    if (taker) taker(frame);
    else heard.push(frame);
  });
  const closed = new Promise<number>((resolve) => ws.on('close', resolve));
  for (const frame of frames) ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const next = async (): Promise<Record<string, unknown>> =>
    heard.shift() ?? new Promise((resolve) => waiting.push(resolve));
  return { frames: heard, closed, ws, next };
}

const call = { type: 'call', id: 1, method: 'host.view', input: {} };

/** Signs in and returns the session secret. */
async function signIn(): Promise<{ port: number; session: string; heard: Heard }> {
  const { port, token } = await link();
  const heard = await connect(port, { type: 'hello', link: token });
  const welcome = await heard.next();
  expect(welcome).toMatchObject({ type: 'welcome' });
  return { port, session: String(welcome.session), heard };
}

describe('Page on loopback', () => {
  it('serves its files with the page policy and without cookies (T2)', async () => {
    const { port } = await link();
    const index = await request(port, '/');
    expect(index.status).toBe(200);
    expect(index.body).toContain('<title>Kennel</title>');
    expect(index.headers).not.toHaveProperty('set-cookie');
    expect(index.headers['content-security-policy']).toContain("default-src 'none'");
    expect(index.headers['content-security-policy']).toContain("connect-src 'self'");
    expect(index.headers['x-content-type-options']).toBe('nosniff');
    expect(index.headers['referrer-policy']).toBe('no-referrer');
    expect(index.headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it('exchanges a one-time link for a session, once (T2, T4)', async () => {
    const { port, token } = await link();
    const first = await connect(port, { type: 'hello', link: token });
    expect(await first.next()).toMatchObject({ type: 'welcome' });
    const second = await connect(port, { type: 'hello', link: token });
    expect(await second.closed).toBe(4401);
    expect(second.frames).toEqual([]);
  });

  it.each([
    ['evil.example'],
    ['evil.example:PORT'],
    ['127.0.0.1.evil.example:PORT'],
    ['127.0.0.1'],
    ['127.0.0.1:1'],
    ['0.0.0.0:PORT'],
    ['localhost.:PORT'],
    ['kennel.localhost:PORT'],
  ])('answers 421 to the host %s on every path (T1)', async (host) => {
    const { port } = await link();
    for (const target of ['/', '/nowhere', '/ws']) {
      const reply = await request(port, target, { host: host.replace('PORT', String(port)) });
      expect(reply.status).toBe(421);
    }
  });

  it('accepts exactly the three spellings of its own address (T1)', async () => {
    const { port } = await link();
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect((await request(port, '/', { host: `${host}:${port}` })).status).toBe(200);
    }
  });

  it('accepts only GET and grants no other origin access (T2)', async () => {
    const { port } = await link();
    expect((await request(port, '/', {}, 'POST')).status).toBe(405);
    expect(
      (await request(port, '/', { origin: 'http://evil.example' }, 'OPTIONS')).headers,
    ).not.toHaveProperty('access-control-allow-origin');
  });

  it('serves only files of the page', async () => {
    const { port } = await link();
    for (const target of [
      '/../package.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2fhost.json',
      '/index.html%00.js',
      '//etc/passwd',
    ]) {
      expect([400, 404]).toContain((await request(port, target)).status);
    }
  });

  it('opens its WebSocket only to its own page (T2)', async () => {
    const { port } = await link();
    expect(await upgrade(port, { origin: 'http://evil.example' })).toBe(403);
    expect(await upgrade(port, { origin: `http://localhost:${port}` })).toBe(403);
    expect(await upgrade(port, { origin: 'null' })).toBe(403);
    expect(await upgrade(port, {})).toBe(403);
    expect(await upgrade(port, { origin: own(port), host: 'evil.example' })).toBe(421);
    expect(await upgrade(port, { origin: own(port) }, '/other')).toBe(404);
  });

  it('answers calls only after a hello with a session secret (T4)', async () => {
    const { port, session } = await signIn();
    const again = await connect(port, { type: 'hello', session }, call);
    expect(await again.next()).toEqual({ type: 'welcome', session });
    expect(await again.next()).toMatchObject({
      type: 'result',
      id: 1,
      result: { ok: true, value: { state: 'ready' } },
    });
    again.ws.send('{"type":"nonsense"}');
    expect(await again.closed).toBe(1008);
    const refused: unknown[] = [
      call,
      { type: 'subscribe', id: 1, topic: 'host' },
      { type: 'active' },
      'not json',
      { type: 'hello' },
      { type: 'hello', session: 'guess' },
      { type: 'hello', link: session },
      { type: 'hello', session, link: session },
      { type: 'hello', session: `${session}${'x'.repeat(2000)}` },
    ];
    for (const frame of refused) {
      const stranger = await connect(port, frame, call);
      expect(await stranger.closed, JSON.stringify(frame)).toBe(4401);
      expect(stranger.frames).toEqual([]);
    }
  });

  it('accepts new pages despite many silent connections (T24)', async () => {
    const { port, session } = await signIn();
    const silent = [];
    for (let n = 0; n < 60; n += 1) silent.push(await connect(port));
    const wires = Array.from({ length: 300 }, () =>
      net.connect(port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(
      wires.map((wire) => new Promise((resolve) => wire.once('connect', resolve).once('close', resolve))),
    );
    const again = await connect(port, { type: 'hello', session });
    expect(await again.next()).toMatchObject({ type: 'welcome' });
    for (const { ws } of silent) ws.terminate();
    for (const wire of wires) wire.destroy();
  });

  it('ends the session on every page of one browser on sign-out, not on others (T4)', async () => {
    const one = await signIn();
    const samePlace = await connect(one.port, { type: 'hello', session: one.session });
    await samePlace.next();
    const other = await signIn();
    one.heard.ws.send(JSON.stringify({ type: 'sign-out' }));
    expect(await one.heard.closed).toBe(4401);
    expect(await samePlace.closed).toBe(4401);
    const back = await connect(one.port, { type: 'hello', session: one.session });
    expect(await back.closed).toBe(4401);
    other.heard.ws.send(JSON.stringify(call));
    expect(await other.heard.next()).toMatchObject({ type: 'result' });
  });
});

describe('Lock and sign-out of all browsers', () => {
  it('a lock closes every page and blocks calls until the owner unlocks it (T4)', async () => {
    const one = await signIn();
    const other = await signIn();
    const unused = await link();
    expect(await kennel.call('host.lock', {})).toEqual({ browsers: 2 });
    expect(await one.heard.closed).toBe(4423);
    expect(await other.heard.closed).toBe(4423);
    expect(await kennel.tryCall('host.webLink', {})).toMatchObject({ error: { code: 'locked' } });
    const stale = await connect(one.port, { type: 'hello', link: unused.token });
    expect(await stale.closed).toBe(4401);
    const back = await connect(one.port, { type: 'hello', session: one.session }, call);
    expect(await back.next()).toEqual({ type: 'locked' });
    back.ws.send(JSON.stringify({ type: 'call', id: 2, method: 'host.unlockPage', input: {} }));
    back.ws.send(JSON.stringify({ type: 'subscribe', id: 3, topic: 'host' }));
    // A second connection proves that the host has read the frames of the first by then.
    const later = await connect(one.port, { type: 'hello', session: one.session });
    expect(await later.next()).toEqual({ type: 'locked' });
    expect(back.frames).toEqual([]);
    expect(await kennel.call('host.unlockPage', {})).toEqual({ wasLocked: true });
    expect(await back.next()).toEqual({ type: 'welcome', session: one.session });
    back.ws.send(JSON.stringify(call));
    expect(await back.next()).toMatchObject({ type: 'result', id: 1 });
    expect(await kennel.call('host.unlockPage', {})).toEqual({ wasLocked: false });
  });

  it('a page can lock all pages but cannot unlock itself (T4)', async () => {
    const { heard, port, session } = await signIn();
    expect(await kennel.host.call({ kind: 'owner-ui' }, 'host.unlockPage', {})).toMatchObject({
      error: { code: 'forbidden' },
    });
    await kennel.host.call({ kind: 'owner-ui' }, 'lock.setPassphrase', {
      passphrase: 'a lock of its own',
      former: null,
    });
    heard.ws.send(JSON.stringify({ type: 'call', id: 1, method: 'host.lock', input: {} }));
    expect(await heard.closed).toBe(4423);
    const back = await connect(port, { type: 'hello', session });
    expect(await back.next()).toEqual({ type: 'locked' });
    back.ws.send(JSON.stringify({ type: 'sign-out' }));
    expect(await back.closed).toBe(4401);
  });

  it('a lock can be set again after an unlock (T4)', async () => {
    const { heard, port, session } = await signIn();
    await kennel.call('host.lock', {});
    await heard.closed;
    const back = await connect(port, { type: 'hello', session });
    expect(await back.next()).toEqual({ type: 'locked' });
    await kennel.call('host.unlockPage', {});
    expect(await back.next()).toMatchObject({ type: 'welcome' });
    await kennel.call('host.lock', {});
    expect(await back.closed).toBe(4423);
  });

  it('sign-out of all browsers includes locked pages and unused links (T4)', async () => {
    const one = await signIn();
    const other = await signIn();
    const unused = await link();
    expect(await kennel.call('host.signOutBrowsers', {})).toEqual({ browsers: 2 });
    for (const { heard, port, session } of [one, other]) {
      expect(await heard.closed).toBe(4401);
      expect(await (await connect(port, { type: 'hello', session })).closed).toBe(4401);
    }
    expect(await (await connect(one.port, { type: 'hello', link: unused.token })).closed).toBe(4401);
    const third = await signIn();
    await kennel.call('host.lock', {});
    await third.heard.closed;
    const waiting = await connect(third.port, { type: 'hello', session: third.session });
    expect(await waiting.next()).toEqual({ type: 'locked' });
    expect(await kennel.call('host.signOutBrowsers', {})).toEqual({ browsers: 1 });
    expect(await waiting.closed).toBe(4401);
  });
});

describe('Local socket', () => {
  it('is accessible to the owner only and named in host.json (T4)', () => {
    const { socket, pid } = JSON.parse(readFileSync(path.join(folder.home, 'host.json'), 'utf8')) as {
      socket: string;
      pid: number;
    };
    expect(pid).toBe(process.pid);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(folder.home).mode & 0o777).toBe(0o700);
  });

  it('drops a client that sends invalid JSON or an endless line, and keeps serving others', async () => {
    const socketPath = path.join(folder.home, 'host.sock');
    const closed = (send: (socket: net.Socket) => void): Promise<void> =>
      new Promise((resolve) => {
        const socket = net.connect(socketPath, () => send(socket));
        socket.on('close', () => resolve());
        socket.on('error', () => undefined);
      });
    await closed((socket) => socket.write('not json\n'));
    await closed((socket) => {
      const piece = Buffer.alloc(1024 * 1024, 'a');
      for (let n = 0; n < 9; n += 1) socket.write(piece);
    });
    expect(await kennel.tryCall('host.view', {})).toMatchObject({ ok: true });
  });
});

describe('Caller permissions', () => {
  /**
   * Methods for callers other than the owner. A method that is opened to them must be added here
   * deliberately.
   */
  const named: Readonly<Record<'agent' | 'paired-device', readonly string[]>> = {
    // MCP calls of the agent's own tools; none of them answers an approval.
    agent: ['agentTools.list', 'agentTools.call', 'agentTools.cancel'],
    'paired-device': ['agents.edit', 'agents.setRuntime', 'agents.pause', 'agents.resume', 'agents.request'],
  };

  it('forbid agents and paired devices every method that does not name them', async () => {
    for (const method of Object.keys(methods) as MethodName[]) {
      for (const kind of ['agent', 'paired-device'] as const) {
        if (named[kind].includes(method)) continue;
        expect(await kennel.host.call({ kind, id: 'x' }, method, {})).toMatchObject({
          error: { code: 'forbidden' },
        });
      }
    }
    expect(kennel.host.subscribe({ kind: 'agent', id: 'x' }, 'rooms', () => {})).toMatchObject({ ok: false });
    expect(kennel.host.subscribe({ kind: 'owner-ui' }, 'secrets', () => {})).toMatchObject({ ok: false });
  });
});

describe('One host per folder', () => {
  it('rejects a second host, naming the first; a new one starts once the first has stopped (F17)', async () => {
    const second = await createHost(await testPorts(folder.home));
    expect(second).toMatchObject({
      ok: false,
      error: { code: 'held', message: expect.stringContaining(String(process.pid)) as string },
    });
    expect(await kennel.tryCall('host.view', {})).toMatchObject({ ok: true });
    await kennel.stop();
    kennel = await startHost(folder.home);
    expect(await kennel.tryCall('host.view', {})).toMatchObject({ ok: true });
  });
});
