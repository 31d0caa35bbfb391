import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { promised } from '../../test/fakes/patience.ts';
import { type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { utf8 } from '../core/lib/bytes.ts';
import { StoreError } from '../core/lib/store-error.ts';
import { createIdentity } from '../core/puffo/identity.ts';
import { openRelayStore } from '../services/db/relay-store.ts';

const minute = 60_000;

describe('Unauthenticated requests', () => {
  const world = new RelayWorld();
  let alice: Person;
  beforeAll(async () => {
    await world.start();
    alice = await world.join('alice');
  });
  afterAll(() => world.end());

  test('T5: are refused for each changed part of a signed request', async () => {
    const target = '/spaces?x=1';
    const good = world.headers(alice, 'GET', target, null);
    const changes: readonly [string, string, Record<string, unknown>][] = [
      ['POST', target, good],
      ['GET', '/spaces?x=2', good],
      ['GET', target, { ...good, 'x-puffo-timestamp': String(Number(good['x-puffo-timestamp']) + 1) }],
      ['GET', target, { ...good, 'x-puffo-nonce': 'A'.repeat(22) }],
      ['GET', target, { ...good, 'x-puffo-slug': 'mallory-0000' }],
      ['GET', target, { ...good, 'x-puffo-signer-id': alice.identity.deviceId }],
      ['GET', target, { ...good, 'x-puffo-version': 'v2' }],
      ['GET', target, {}],
    ];
    for (const [method, path, headers] of changes) {
      const answer = await world.raw(method, path, null, headers);
      expect([401, 404]).toContain(answer.status);
    }
    // None of these consumed the nonce of the valid request.
    expect((await world.raw('GET', target, null, good)).status).toBe(200);
  });

  test('T5: are refused for a changed body', async () => {
    const body = utf8(JSON.stringify({ display_name: 'Alice' }));
    const headers = world.headers(alice, 'PATCH', '/identities/self', body);
    const other = utf8(JSON.stringify({ display_name: 'Mallory' }));
    expect(await world.raw('PATCH', '/identities/self', other, headers)).toMatchObject({
      status: 401,
      body: { error: 'UNAUTHORIZED' },
    });
  });

  test('T5: are refused if the clock differs by more than five minutes', async () => {
    const now = world.clock.now();
    for (const [offset, status] of [
      [-5 * minute + 2_000, 200],
      [5 * minute - 2_000, 200],
      [-5 * minute - 2_000, 401],
      [5 * minute + 2_000, 401],
    ] as const) {
      const headers = world.headers(alice, 'GET', '/spaces', null, now + offset);
      expect((await world.raw('GET', '/spaces', null, headers)).status).toBe(status);
    }
  });

  test('T5: are refused on replay, also after a restart of the relay', async () => {
    const body = utf8(JSON.stringify({ display_name: 'Once' }));
    const headers = world.headers(alice, 'PATCH', '/identities/self', body);
    const send = () => world.raw('PATCH', '/identities/self', body, headers);
    const read = world.headers(alice, 'GET', '/spaces', null);
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(401);
    expect((await world.raw('GET', '/spaces', null, read)).status).toBe(200);
    await world.stop();
    await world.start();
    expect((await send()).status).toBe(401);
    expect((await world.raw('GET', '/spaces', null, read)).status).toBe(401);
    expect((await world.call(alice, 'GET', '/spaces')).status).toBe(200);
  });

  test('are refused under another person’s name with other keys', async () => {
    const identity = createIdentity(world.engine, {
      type: 'human',
      operatorRootPublicKey: null,
      now: world.clock.now(),
    });
    const stranger = { slug: alice.slug, identity, session: world.session(identity) };
    expect((await world.call(stranger, 'GET', '/spaces')).status).toBe(401);
    await expect(world.rotate(stranger)).rejects.toThrow('UNAUTHORIZED');
  });
});

describe('Request caps', () => {
  const world = new RelayWorld({
    bodyMs: 300,
    blobMs: 300,
    headerMs: 400,
    bodyBytes: 64 * 1024,
    blobBytes: 32 * 1024,
  });
  let alice: Person;
  beforeAll(async () => {
    await world.start();
    alice = await world.join('alice');
  });
  afterAll(() => world.end());

  /** Writes text to the port and resolves with the response when the relay closes. */
  const talk = (write: (send: (text: string) => void) => void, ms = 6_000): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(world.relay.port, '127.0.0.1');
      let answer = '';
      const timer = setTimeout(() => reject(new Error(`still open: ${answer}`)), ms);
      socket.on('data', (data) => {
        answer += String(data);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearTimeout(timer);
        resolve(answer);
      });
      socket.on('connect', () => write((text) => socket.write(text)));
    });

  const head = (method: string, target: string, headers: Record<string, unknown>): string =>
    `${method} ${target} HTTP/1.1\r\nhost: relay\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}\r\n`)
      .join('')}\r\n`;

  test('T24: refuse a too large body by its content length and while reading', async () => {
    const big = { display_name: 'x'.repeat(70_000) };
    expect(await world.call(alice, 'PATCH', '/identities/self', big)).toMatchObject({
      status: 413,
      body: { error: 'PAYLOAD_TOO_LARGE' },
    });
    const signed = world.headers(alice, 'PATCH', '/identities/self', null);
    const answer = await talk((send) => {
      send(head('PATCH', '/identities/self', { ...signed, 'transfer-encoding': 'chunked' }));
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      for (let sent = 0; sent < 6; sent += 1) send(chunk);
    });
    expect(answer).toContain('413');
  });

  test('T24: refuse a too large blob', async () => {
    const body = new Uint8Array(33 * 1024);
    const headers = world.headers(alice, 'POST', '/blobs/upload', body);
    expect((await world.raw('POST', '/blobs/upload', body, headers)).status).toBe(413);
  });

  test('T24: refuse JSON nested deeper than 64 before parsing', async () => {
    const nested = (levels: number) => utf8(`{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    const send = async (levels: number) => {
      const body = nested(levels);
      const headers = world.headers(alice, 'PATCH', '/identities/self', body);
      return await world.raw('PATCH', '/identities/self', body, headers);
    };
    expect((await send(64)).status).toBe(200);
    expect(await send(65)).toMatchObject({ status: 400, body: { message: expect.stringContaining('64') } });
  });

  test('F12: end a trickling body at its deadline', async () => {
    const started = performance.now();
    const signed = world.headers(alice, 'PATCH', '/identities/self', null);
    let trickle: NodeJS.Timeout | undefined;
    const answer = await talk((send) => {
      send(head('PATCH', '/identities/self', { ...signed, 'content-length': 1_000 }));
      trickle = setInterval(() => send('x'), 50);
    });
    clearInterval(trickle);
    expect(answer).toContain('408');
    expect(performance.now() - started).toBeLessThan(300 + promised(1_000));
  });

  test('F12: end unfinished headers at their deadline', async () => {
    const started = performance.now();
    const answer = await talk((send) => send('GET /spaces HTTP/1.1\r\nhost: relay\r\n'));
    expect(answer).toContain('408');
    expect(performance.now() - started).toBeLessThan(400 + promised(1_000));
  });

  test('refuse an unsigned request before its body is read', async () => {
    const answer = await talk((send) => send(head('POST', '/messages', { 'content-length': 60_000 })));
    expect(answer).toContain('401');
  });

  test('return a JSON error for invalid JSON, invalid UTF-8 or an unknown route', async () => {
    const odd = [utf8('{"display_name":'), new Uint8Array([0x7b, 0xff, 0x7d])];
    for (const body of odd) {
      const headers = world.headers(alice, 'PATCH', '/identities/self', body);
      expect(await world.raw('PATCH', '/identities/self', body, headers)).toMatchObject({
        status: 400,
        body: { error: 'InvalidInput' },
      });
    }
    const nowhere = await world.raw('GET', '/no/such/place', null, {});
    expect(nowhere).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });
});

test('T24: Invite code guesses are rate limited, signed requests are not', async () => {
  const world = await new RelayWorld({ failureBurst: 5, failuresPerSecond: 0.01 }).start();
  try {
    const alice = await world.join('alice');
    const guess = () => world.open('/signup', { invite_code: 'inv-wrong', username: 'x' });
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
    expect((await world.call(alice, 'GET', '/spaces')).status).toBe(200);
  } finally {
    await world.end();
  }
});

test('F4: While the store cannot write, requests are refused; afterwards they work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-relay-full-'));
  const store = openRelayStore(join(folder, 'relay.db'));
  let full = false;
  const world = await new RelayWorld().start({
    ...store,
    transaction: (run) => {
      if (full) throw new StoreError('disk_full', 'The disk is full.');
      return store.transaction(run);
    },
  });
  try {
    const alice = await world.join('alice');
    const envelope = world.seal(alice, { dm: alice.slug }, 'note', [alice]);
    full = true;
    expect(await world.call(alice, 'POST', '/messages', envelope)).toMatchObject({
      status: 503,
      body: { error: 'UNAVAILABLE' },
    });
    full = false;
    expect(await world.pending(alice)).toEqual([]);
    expect((await world.call(alice, 'POST', '/messages', envelope)).status).toBe(201);
    expect(world.log.lines.some((line) => line.event === 'relay.store_failed')).toBe(true);
  } finally {
    await world.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
