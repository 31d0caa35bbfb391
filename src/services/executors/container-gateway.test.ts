import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { onLinux } from '../../../test/fakes/programs.ts';
import { gatewayFile, openGateway } from './container-gateway.ts';
import { isAllowedHost } from './egress.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-gateway-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Longer than the path of a socket may be. */
const deep = join(base, 'long-'.repeat(12), 'longer-'.repeat(10));
mkdirSync(deep, { recursive: true });
const short = join(base, 's');
mkdirSync(short);

/** The answer to these bytes, until the other side ends. */
function ask(folder: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(join(folder, gatewayFile), () => socket.write(bytes));
    socket.on('data', (piece) => {
      got += String(piece);
      if (got.includes('\r\n\r\n') || got.includes('end')) socket.end();
    });
    socket.on('error', () => undefined).on('close', () => resolve(got));
  });
}

const services = { model: null, data: null, hosts: [] as readonly string[] };

describe.skipIf(!onLinux)('Socket of a container', () => {
  it('leads to the model relay by the first line, and to nothing else', async () => {
    const relay = createServer((socket) =>
      socket.on('data', (piece) => socket.end(`relay got ${piece} end`)),
    );
    const model = join(base, 'relay.sock');
    await new Promise<void>((resolve) => relay.listen(model, resolve));
    const gateway = await openGateway(short, { ...services, model });
    expect(gateway.ok).toBe(true);
    expect(await ask(short, 'model\nhello')).toBe('relay got hello end');
    for (const bytes of ['data\nGET / HTTP/1.1\r\n\r\n', 'web\nx', '__proto__\nx', 'model', '\n'])
      expect(await ask(short, bytes)).toBe('');
    if (gateway.ok) await gateway.value.close();
    await new Promise((resolve) => relay.close(resolve));
  });

  it('listens in a folder with a long path, and answers reads of messages without a token', async () => {
    const gateway = await openGateway(deep, {
      ...services,
      data: async (method, target) => ({ status: 200, json: { method, target } }),
    });
    expect(gateway.ok ? '' : gateway.error).toBe('');
    if (gateway.ok) await gateway.value.close();
    const again = await openGateway(short, {
      ...services,
      data: async (method, target) => ({ status: 200, json: { method, target } }),
    });
    const got = await ask(short, 'data\nGET /v1/data/ada HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(got).toContain('{"method":"GET","target":"/v1/data/ada"}');
    if (again.ok) await again.value.close();
  });

  it('T17, T18: connects to allowed hosts at public addresses only', async () => {
    const reached: string[] = [];
    const target = createServer((socket) => socket.end('end'));
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const address = target.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const addresses: Record<string, readonly string[]> = {
      'good.example.com': ['203.0.113.7'],
      'inside.example.com': ['10.1.2.3'],
      'both.example.com': ['203.0.113.7', '127.0.0.1'],
      'mapped.example.com': ['::ffff:169.254.169.254'],
      'six.example.com': ['fd00::1'],
    };
    const gateway = await openGateway(
      short,
      { ...services, hosts: ['*.example.com'] },
      {
        lookup: async (host) => addresses[host] ?? [],
        connect(to): Socket {
          reached.push(to);
          return connect(port, '127.0.0.1');
        },
      },
    );
    const tunnel = (to: string) => ask(short, `web\nCONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
    expect(await tunnel('good.example.com:443')).toContain('200 Connection established');
    for (const to of [
      'good.example.com:80',
      'other.example.org:443',
      'example.com.evil.org:443',
      'inside.example.com:443',
      'both.example.com:443',
      'mapped.example.com:443',
      'six.example.com:443',
      '127.0.0.1:443',
    ])
      expect(await tunnel(to), to).toContain('403 Forbidden');
    expect(await ask(short, 'web\nGET http://good.example.com/ HTTP/1.1\r\nHost: a\r\n\r\n')).toContain(
      '403',
    );
    expect(reached).toEqual(['203.0.113.7']);
    if (gateway.ok) await gateway.value.close();
    await new Promise((resolve) => target.close(resolve));
  });

  it('closes every connection that it made, also to hosts that go on talking', async () => {
    const target = createServer((socket) => socket.on('error', () => undefined).write('first'));
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const { port } = target.address() as AddressInfo;
    const made: Socket[] = [];
    const gateway = await openGateway(
      short,
      { ...services, hosts: ['good.example.com'] },
      {
        lookup: async () => ['203.0.113.7'],
        connect(): Socket {
          const socket = connect(port, '127.0.0.1');
          made.push(socket);
          return socket;
        },
      },
    );
    const client = connect(join(short, gatewayFile)).on('error', () => undefined);
    client.write('web\nCONNECT good.example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise<void>((resolve) => {
      client.on('data', (piece) => String(piece).includes('first') && resolve());
    });
    const closed = Promise.all(made.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    if (gateway.ok) await gateway.value.close();
    await closed;
    expect(made).toHaveLength(1);
    await new Promise((resolve) => target.close(resolve));
  });

  it('T24: keeps a container from using up the open files of the host', async () => {
    const gateway = await openGateway(short, { ...services, data: async () => ({ status: 200, json: {} }) });
    const open = new Set<Socket>();
    const all = Array.from({ length: 400 }, () => {
      const socket = connect(join(short, gatewayFile), () => socket.write('data\n'));
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      return socket;
    });
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(256);
    for (const socket of all) socket.destroy();
    await expect
      .poll(() => ask(short, 'data\nGET / HTTP/1.1\r\nHost: x\r\n\r\n'), { timeout: 10_000 })
      .toContain('200 OK');
    if (gateway.ok) await gateway.value.close();
  });

  it('compares names of hosts as a whole', () => {
    expect(isAllowedHost(['a.com', '*.b.com'], 'A.com')).toBe(true);
    expect(isAllowedHost(['a.com', '*.b.com'], 'x.b.com')).toBe(true);
    for (const host of ['b.com', 'xb.com', 'x.a.com', 'a.com.evil', '']) {
      expect(isAllowedHost(['a.com', '*.b.com'], host)).toBe(false);
    }
  });
});
