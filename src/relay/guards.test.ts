import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { utf8 } from '../core/lib/bytes.ts';

/** Writes text to the relay's port; resolves with the response when the relay closes, or after `ms`. */
function talk(port: number, text: string, ms = 3_000, address = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    let answer = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(end, ms);
    socket.on('data', (data) => {
      answer += String(data);
      if (answer.includes('\r\n\r\n')) end();
    });
    socket.on('error', () => {});
    socket.on('close', end);
    socket.write(text);
  });
}

const head = (method: string, target: string, headers: Json): string =>
  `${method} ${target} HTTP/1.1\r\nhost: relay\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}\r\n`)
    .join('')}\r\n`;

const json = { 'content-type': 'application/json' };

describe('Checks before a body is read', () => {
  const world = new RelayWorld({ failureBurst: 6, failuresPerSecond: 0.01 });
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    await world.start();
    alice = await world.join('alice');
    bob = await world.join('bob');
  });
  afterAll(() => world.end());

  test('T24: refuse more than 64 KiB on an open route by content length', async () => {
    const answer = await talk(
      world.relay.port,
      head('POST', '/signup', { ...json, 'content-length': 64 * 1024 + 1 }),
    );
    expect(answer).toContain(' 413 ');
    expect(answer).toContain('64 KiB');
  });

  test('T2: refuse form posts and cross-origin requests and sockets', async () => {
    const length = { 'content-length': 1_000 };
    const form = { ...length, 'content-type': 'text/plain' };
    expect(await talk(world.relay.port, head('POST', '/signup', form))).toContain(' 415 ');
    const foreign = { ...length, ...json, origin: 'https://evil.example' };
    expect(await talk(world.relay.port, head('POST', '/signup', foreign))).toContain(' 403 ');
    const site = { ...length, ...json, 'sec-fetch-site': 'same-site' };
    expect(await talk(world.relay.port, head('POST', '/devices/enroll/init', site))).toContain(' 403 ');
    const socket = new WebSocket(`${world.relay.url.replace('http', 'ws')}/subscribe`, {
      origin: 'https://evil.example',
    });
    const problem = await new Promise<string>((resolve) => {
      socket.on('error', (error) => resolve(error.message));
      socket.on('open', () => resolve('opened'));
    });
    expect(problem).toContain('403');
  });

  test('T24: refuse a client after too many failures', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      statuses.push((await world.open('/signup', { invite_code: 'inv-wrong', username: 'x' })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const half = head('POST', '/signup', { ...json, 'content-length': 1_000 });
    expect(await talk(world.relay.port, half)).toContain(' 429 ');
  });

  test('T24: refuse one identity after bad signatures, but not others at the same address', async () => {
    const forged = () => {
      const headers = world.headers(alice, 'PATCH', '/identities/self', utf8('{"a":1}'));
      return world.raw('PATCH', '/identities/self', utf8('{"a":2}'), headers);
    };
    for (let tries = 0; tries < 8; tries += 1) await forged();
    const signed = world.headers(alice, 'PATCH', '/identities/self', null);
    const half = head('PATCH', '/identities/self', { ...signed, 'content-length': 1_000 });
    expect(await talk(world.relay.port, half)).toContain(' 429 ');
    expect((await world.call(bob, 'PATCH', '/identities/self', { display_name: 'Bob' })).status).toBe(200);
  });

  test('T5: refuse a used nonce and a malformed signature', async () => {
    const other = new RelayWorld();
    await other.start();
    try {
      const carol = await other.join('carol');
      const body = utf8('{}');
      const headers = other.headers(carol, 'PATCH', '/identities/self', body);
      expect((await other.raw('PATCH', '/identities/self', body, headers)).status).toBe(200);
      const again = head('PATCH', '/identities/self', { ...headers, 'content-length': 9_000 });
      expect(await talk(other.relay.port, again)).toContain(' 401 ');
      const short = {
        ...other.headers(carol, 'PATCH', '/identities/self', body),
        'x-puffo-signature': 'AAAA',
      };
      const odd = head('PATCH', '/identities/self', { ...short, 'content-length': 9_000 });
      expect(await talk(other.relay.port, odd)).toContain(' 401 ');
    } finally {
      await other.end();
    }
  });

  test('T24: limit unsigned status reads', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      statuses.push((await world.raw('GET', `/agents/${alice.slug}/status`, null, {})).status);
    }
    expect(statuses.slice(0, 6)).not.toContain(429);
    expect(statuses.slice(6)).toEqual([429, 429]);
  });
});

test('T1: A loopback relay answers only to loopback host names', async () => {
  const world = new RelayWorld({}, undefined, 'loopback');
  await world.start();
  try {
    expect(await talk(world.relay.port, 'GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n')).toContain(' 421 ');
    const { port } = world.relay;
    expect(await talk(port, `GET / HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`)).toContain(' 200 ');
    expect((await world.join('alice')).slug).toMatch(/^alice-/);
  } finally {
    await world.end();
  }
});

test('T1: A relay without names answers to its listening address, and needs a name to listen on all', async () => {
  const world = new RelayWorld({}, undefined, 'loopback', '127.0.0.2');
  await world.start();
  try {
    const { port } = world.relay;
    const status = async (host: string) =>
      (await talk(port, `GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`, 3_000, '127.0.0.2')).split(' ')[1];
    expect(await status(`127.0.0.2:${port}`)).toBe('200');
    expect(await status(`localhost:${port}`)).toBe('200');
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.2']) {
      expect(await status(host)).toBe('421');
    }
  } finally {
    await world.end();
  }
  for (const every of ['0.0.0.0', '::', '0', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0', '0x0']) {
    const open = new RelayWorld({}, undefined, 'loopback', every);
    await expect(open.start()).rejects.toThrow('must know the names');
    await open.end();
  }
});

test('T24: A forwarded address counts only if the relay may be behind a reverse proxy', async () => {
  const reads = async (hosts?: 'loopback'): Promise<readonly number[]> => {
    const world = new RelayWorld({ failureBurst: 2, failuresPerSecond: 0.01 }, undefined, hosts);
    await world.start();
    try {
      const { slug } = await world.join('alice');
      const statuses: number[] = [];
      for (let n = 1; n <= 4; n += 1) {
        const from = { 'x-forwarded-for': `203.0.113.${n}` };
        statuses.push((await world.raw('GET', `/agents/${slug}/status`, null, from)).status);
      }
      return statuses;
    } finally {
      await world.end();
    }
  };
  expect((await reads('loopback')).slice(2)).toEqual([429, 429]);
  expect(await reads()).not.toContain(429);
});

test('T1: A relay with its own host names answers only to those and to loopback names', async () => {
  const world = new RelayWorld({}, undefined, ['chat.example.org', 'chat.example.org:8443']);
  await world.start();
  try {
    const { port } = world.relay;
    const status = async (host: string) =>
      Number((await talk(port, `GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).split(' ')[1]);
    expect(await status('Chat.Example.org')).toBe(200);
    expect(await status('chat.example.org:8443')).toBe(200);
    expect(await status(`127.0.0.1:${port}`)).toBe(200);
    expect(await status('chat.example.org:81')).toBe(421);
    expect(await status('evil.example')).toBe(421);
    expect((await world.join('alice')).slug).toMatch(/^alice-/);
  } finally {
    await world.end();
  }
});

test('T24: On loopback the oldest silent connection is replaced, never one with a signed request', async () => {
  const world = new RelayWorld({ connectionsFromLoopback: 3 });
  await world.start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const silent: Socket[] = [];
  try {
    const alice = await world.join('alice');
    const ask = () =>
      new Promise<{ readonly status: number | undefined; readonly reused: boolean }>((resolve, reject) => {
        const headers = world.headers(alice, 'GET', '/spaces', null) as Record<string, string>;
        const asked = request(`${world.relay.url}/spaces`, { agent, headers }, (response) => {
          response
            .resume()
            .once('end', () => resolve({ status: response.statusCode, reused: asked.reusedSocket }));
        });
        asked.once('error', reject).end();
      });
    expect(await ask()).toEqual({ status: 200, reused: false });
    let closed = 0;
    await new Promise<void>((resolve) => {
      for (let n = 0; n < 8; n += 1) {
        const socket = connect(world.relay.port, '127.0.0.1');
        socket
          .on('error', () => undefined)
          .once('close', () => {
            closed += 1;
            if (closed === 5) resolve();
          });
        silent.push(socket);
      }
    });
    expect(await ask()).toEqual({ status: 200, reused: true });
  } finally {
    for (const socket of silent) socket.destroy();
    agent.destroy();
    await world.end();
  }
});

describe('Many concurrent connections', () => {
  const address = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });

  test('T24 F12: limit the memory of unfinished bodies and cut the oldest slow one', async () => {
    const world = new RelayWorld({
      bodiesBytes: 256 * 1024,
      bodiesBytesPerAddress: 128 * 1024,
      slowBodyMs: 300,
      bodyMs: 20_000,
    });
    await world.start();
    try {
      const alice = await world.join('alice');
      const body = utf8(JSON.stringify({ display_name: 'x'.repeat(100), pad: 'y'.repeat(120_000) }));
      const half = (n: number) => {
        const signed = world.headers(alice, 'PATCH', '/identities/self', null);
        const socket = connect(world.relay.port, '127.0.0.1');
        socket.on('error', () => {});
        let answer = '';
        socket.on('data', (data) => {
          answer += String(data);
        });
        socket.write(
          head('PATCH', '/identities/self', { ...signed, ...address(n), 'content-length': 120_001 }),
        );
        socket.write('x'.repeat(120_000));
        return { socket, answer: () => answer };
      };
      const isRefused = ({ answer }: ReturnType<typeof half>) => answer().includes(' 429 ');
      const both = [half(1), half(1)];
      await expect.poll(() => both.some(isRefused)).toBe(true);
      // The relay may read either of the two first.
      const [first, ...others] = both.filter((one) => !isRefused(one));
      if (first === undefined || others.length > 0) throw new Error('not exactly one body was refused');
      const third = half(2);
      await new Promise((resolve) => setTimeout(resolve, 400));
      // Slow bodies use up both caps: the oldest is cut.
      const headers = { ...world.headers(alice, 'PATCH', '/identities/self', body), ...address(3) };
      expect((await world.raw('PATCH', '/identities/self', body, headers)).status).not.toBe(429);
      await expect.poll(first.answer).toContain(' 429 ');
      expect(third.answer()).toBe('');
      for (const { socket } of [...both, third]) socket.destroy();
    } finally {
      await world.end();
    }
  });

  test('T24: that stay silent do not block others, and may send only a connect frame', async () => {
    const world = new RelayWorld({ strangers: 20, handshakeMs: 20_000, strangerBytes: 8 * 1024 });
    await world.start();
    try {
      const alice = await world.join('alice');
      const silent = await Promise.all(Array.from({ length: 30 }, () => world.socket()));
      expect((await world.subscribe(alice)).closeCode).toBeNull();
      await expect.poll(() => silent.filter(({ closeCode }) => closeCode !== null).length).toBeGreaterThan(9);
      const loud = await world.socket();
      loud.send('x'.repeat(10_000));
      await loud.closed();
    } finally {
      await world.end();
    }
  });

  test('T24: are limited per address', async () => {
    const world = new RelayWorld({ strangersPerAddress: 3, handshakeMs: 20_000 });
    await world.start();
    try {
      const open = async (n: number) => {
        const socket = new WebSocket(`${world.relay.url.replace('http', 'ws')}/subscribe`, {
          headers: address(n),
        });
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
        return socket;
      };
      const other = await open(9);
      const own: WebSocket[] = [];
      for (let n = 0; n < 5; n += 1) own.push(await open(1));
      await expect
        .poll(() => own.map(({ readyState }) => readyState === WebSocket.OPEN))
        .toEqual([false, false, true, true, true]);
      expect(other.readyState).toBe(WebSocket.OPEN);
      for (const socket of [other, ...own]) socket.terminate();
    } finally {
      await world.end();
    }
  });
});
