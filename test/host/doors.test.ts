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

/** Opens a WebSocket; resolves with the refusing status, or the socket. */
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

async function link(): Promise<{ port: number; target: string }> {
  const url = new URL((await kennel.call('host.webLink', {})).url);
  return { port: Number(url.port), target: `${url.pathname}${url.search}` };
}

async function browserSession(): Promise<{ port: number; cookie: string }> {
  const { port, target } = await link();
  const reply = await request(port, target);
  return { port, cookie: (reply.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' };
}

describe('the page on loopback', () => {
  it('exchanges a one-time link for a session that page scripts cannot read (T2)', async () => {
    const { port, target } = await link();
    const first = await request(port, target);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe('/');
    expect(first.headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await request(port, target)).status).toBe(401);
    const cookie = (first.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    const index = await request(port, '/', { cookie });
    expect(index.status).toBe(200);
    expect(index.body).toContain('<title>Kennel</title>');
    expect(index.headers['content-security-policy']).toContain("default-src 'none'");
    expect(index.headers['content-security-policy']).toContain("connect-src 'self'");
    expect(index.headers['x-content-type-options']).toBe('nosniff');
    expect(index.headers['referrer-policy']).toBe('no-referrer');
  });

  it.each([
    ['evil.example'],
    ['evil.example:PORT'],
    ['127.0.0.1.evil.example:PORT'],
    ['127.0.0.1'],
    ['127.0.0.1:1'],
    ['0.0.0.0:PORT'],
    ['localhost.:PORT'],
  ])('answers 421 to the host %s, even with a session and on unknown paths (T1)', async (host) => {
    const { port, cookie } = await browserSession();
    for (const target of ['/', '/nowhere', '/?token=x']) {
      const reply = await request(port, target, { host: host.replace('PORT', String(port)), cookie });
      expect(reply.status).toBe(421);
    }
  });

  it('accepts exactly the three spellings of its own address (T1)', async () => {
    const { port, cookie } = await browserSession();
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect((await request(port, '/', { host: `${host}:${port}`, cookie })).status).toBe(200);
    }
  });

  it('tells nothing without a session: every path is answered alike (T4)', async () => {
    const { port } = await link();
    for (const target of ['/', '/index.html', '/ws', '/nothing', '/?token=wrong', '/../../etc/passwd']) {
      expect((await request(port, target)).status).toBe(401);
      expect((await request(port, target, { cookie: `kennel_${port}=guess` })).status).toBe(401);
    }
    expect((await request(port, '/', {}, 'POST')).status).toBe(405);
    expect(
      (await request(port, '/', { origin: 'http://evil.example' }, 'OPTIONS')).headers,
    ).not.toHaveProperty('access-control-allow-origin');
  });

  it('serves files of the page only', async () => {
    const { port, cookie } = await browserSession();
    for (const target of [
      '/../package.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2fhost.json',
      '/index.html%00.js',
      '//etc/passwd',
    ]) {
      expect([400, 404]).toContain((await request(port, target, { cookie })).status);
    }
  });

  it('opens its WebSocket to its own page with a session, to nobody else (T2)', async () => {
    const { port, cookie } = await browserSession();
    const own = `http://127.0.0.1:${port}`;
    expect(await upgrade(port, { cookie, origin: 'http://evil.example' })).toBe(403);
    expect(await upgrade(port, { cookie, origin: `http://localhost:${port}` })).toBe(403);
    expect(await upgrade(port, { cookie, origin: 'null' })).toBe(403);
    expect(await upgrade(port, { cookie })).toBe(403);
    expect(await upgrade(port, { origin: own })).toBe(401);
    expect(await upgrade(port, { origin: own, cookie, host: 'evil.example' })).toBe(421);
    expect(await upgrade(port, { origin: own, cookie }, '/other')).toBe(404);
    const ws = await upgrade(port, { origin: own, cookie });
    if (typeof ws === 'number') throw new Error(`refused with ${ws}`);
    const answer = new Promise<string>((resolve) => ws.on('message', (data) => resolve(String(data))));
    ws.send(JSON.stringify({ type: 'call', id: 1, method: 'host.view', input: {} }));
    expect(JSON.parse(await answer)).toMatchObject({
      type: 'result',
      id: 1,
      result: { ok: true, value: { state: 'ready' } },
    });
    const closed = new Promise<number>((resolve) => ws.on('close', resolve));
    ws.send('{"type":"nonsense"}');
    expect(await closed).toBe(1008);
  });
});

describe('the local socket', () => {
  it('is the owner’s alone and named in host.json (T4)', () => {
    const { socket, pid } = JSON.parse(readFileSync(path.join(folder.home, 'host.json'), 'utf8')) as {
      socket: string;
      pid: number;
    };
    expect(pid).toBe(process.pid);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(folder.home).mode & 0o777).toBe(0o700);
  });

  it('drops a client that sends nonsense or a line without end, and goes on serving others', async () => {
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

describe('who may call', () => {
  /** All that others than the owner may call. Whatever is added to a row has to be added here, and thought about. */
  const named: Readonly<Record<'agent' | 'paired-device', readonly string[]>> = {
    // One agent's own tools, by MCP; none of them decides anything.
    agent: ['agentTools.list', 'agentTools.call', 'agentTools.cancel'],
    'paired-device': ['agents.edit', 'agents.setRuntime', 'agents.pause', 'agents.resume', 'agents.request'],
  };

  it('refuses every row to agents and paired devices that it does not name', async () => {
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

describe('one host per folder', () => {
  it('refuses a second one, naming the first, and lets the next in when it is gone (F17)', async () => {
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
