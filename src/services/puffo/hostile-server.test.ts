import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostileServer, type HostileServer } from '../../../test/fakes/hostile-server.ts';
import { createMemoryRegistryStore } from '../../../test/fakes/memory-registry-store.ts';
import {
  type AccountOptions,
  framesRead,
  recordedAccount,
  type TestAccount,
  until,
} from '../../../test/fakes/puffo-rig.ts';
import { createPuppet, ghostDevice, type Puppet } from '../../../test/fakes/puppet.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { testCrypto } from '../../../test/fakes/test-crypto.ts';
import { createVirtualClock, type VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createServerDirectory, type ServerDirectory } from './directory.ts';

const crypto = testCrypto;
const posts = (server: HostileServer, path: string) =>
  server.requests.filter(({ method, target }) => method === 'POST' && target === path);

describe('Account on a hostile or failing server', () => {
  let server: HostileServer;
  let clock: VirtualClock;
  let directory: ServerDirectory;
  let me: Puppet;
  let peer: Puppet;
  const opened: TestAccount[] = [];

  const open = (options: AccountOptions = {}): TestAccount => {
    const deps = { directory, crypto, clock, random: createSeededRandom(opened.length + 1) };
    const account = recordedAccount(me.identity, deps, { session: me.session, ...options });
    opened.push(account);
    account.account.start();
    return account;
  };
  /** Advances virtual time while real sockets work. */
  const whileTime = async <T>(
    what: string,
    look: () => T | null | undefined | false,
    limitMs = 600_000,
  ): Promise<{ readonly found: T; readonly tookMs: number }> => {
    const from = clock.monotonic();
    for (;;) {
      const found = look();
      if (found) return { found, tookMs: clock.monotonic() - from };
      if (clock.monotonic() - from > limitMs) throw new Error(`did not happen in virtual time: ${what}`);
      await clock.advance(250);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };

  beforeEach(async () => {
    server = await createHostileServer();
    clock = createVirtualClock();
    directory = createServerDirectory({
      serverUrl: server.url,
      registryStore: createMemoryRegistryStore(),
      crypto,
      clock,
      log: createRecordingLog(),
    });
    me = createPuppet(crypto, 'me-0001', { serverUrl: server.url, now: clock.now() });
    peer = createPuppet(crypto, 'peer-0002', { firstSeq: 100, now: clock.now() });
    server.registry.push(...me.entries, ...peer.entries);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ account }) => account.stop()));
    directory.stop();
    await server.stop();
  });

  it('F9: detects a half-open socket within 45 s, reconnects, and fetches missed messages', async () => {
    const account = open();
    await account.online();
    await until('first catch-up', () => server.requests.some(({ target }) => target === '/messages/pending'));
    server.freeze();
    server.pending.push(peer.sealedDm(me, 'msg_1', 'while you were gone'));
    const { tookMs } = await whileTime('offline', () => account.account.connection().state !== 'online');
    expect(tookMs).toBeLessThanOrEqual(45_000);
    expect(tookMs).toBeGreaterThan(25_000);
    await whileTime('message', () => account.accepted.length === 1);
    await until('acknowledged', () => server.acknowledged.includes('msg_1'));
    expect(server.connects.length).toBe(2);
  });

  it('F9: keeps a silent connection whose peer still answers pings', async () => {
    const account = open();
    await account.online();
    for (let step = 0; step < 40; step += 1) {
      await clock.advance(5_000);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect(server.connects.length).toBe(1);
    expect(account.account.connection().state).toBe('online');
  });

  it('F23: pings at once after the machine slept, and reconnects once if the peer is gone', async () => {
    const account = open();
    await account.online();
    server.freeze();
    await clock.advance(1_000);
    clock.jump(600_000);
    const { tookMs } = await whileTime('reconnected', () => server.connects.length === 2, 60_000);
    expect(tookMs).toBeLessThanOrEqual(16_000);
    await account.online();
    await whileTime('a quiet minute', () => clock.monotonic() > 120_000);
    expect(server.connects.length).toBe(2);
  });

  it('backs off longer after each refused connection and resets after a successful one', async () => {
    server.greet((socket) => socket.close(1013));
    const account = open();
    const at: number[] = [];
    await whileTime('six tries', () => {
      if (server.connects.length > at.length) at.push(clock.monotonic());
      return at.length === 6;
    });
    const gaps = at.slice(1).map((time, n) => time - (at[n] ?? 0));
    expect(gaps[4]).toBeGreaterThan((gaps[0] ?? 0) * 4);
    server.greet((socket) => socket.send('{"type":"connected","session_id":"s"}'));
    await whileTime('online', () => account.account.connection().state === 'online');
    server.drop();
    const { tookMs } = await whileTime('again', () => server.connects.length === 8);
    expect(tookMs).toBeLessThanOrEqual(1_500);
  });

  it('treats HTML with status 200 as an error, and recovers', async () => {
    const html = { status: 200, text: '<html>hello</html>', headers: { 'content-type': 'text/html' } };
    let broken = true;
    server.reply('GET /messages/pending', () => (broken ? html : undefined));
    server.reply('GET /certs/sync', () => (broken ? html : undefined));
    server.pending.push(peer.sealedDm(me, 'msg_1', 'patience'));
    const account = open();
    await account.online();
    server.send({ type: 'message', envelope: peer.sealedDm(me, 'msg_2', 'live') });
    await clock.advance(1_000);
    await until('it asked the registry', () =>
      server.requests.some(({ target }) => target.startsWith('/certs/sync')),
    );
    expect(server.acknowledged).toEqual([]);
    broken = false;
    await whileTime('both arrive', () => account.accepted.length >= 1);
    await until('acknowledged', () => server.acknowledged.includes('msg_1'));
    expect(account.refused).toEqual([]);
  });

  it('retries messages that it could not verify while the registry was unavailable', async () => {
    let away = true;
    server.reply('GET /certs/sync', () => (away ? { status: 503 } : undefined));
    server.pending.push(peer.sealedDm(me, 'msg_1', 'wait for it'));
    const account = open();
    await account.online();
    await until('asked', () => server.requests.some(({ target }) => target.startsWith('/certs/sync')));
    away = false;
    await whileTime('arrived', () => account.accepted.length === 1, 30_000);
    expect(server.connects).toHaveLength(1);
  });

  it('shows only channels of which it is a member', async () => {
    server.reply('GET /spaces', () => ({ status: 200, json: { spaces: [{ space_id: 'sp_1', name: 'S' }] } }));
    server.reply('GET /spaces/sp_1/channels', () => ({
      status: 200,
      json: {
        channels: [
          { channel_id: 'ch_1', name: 'mine', is_encrypted: false },
          { channel_id: 'ch_2', name: 'theirs', is_member: false },
        ],
      },
    }));
    const account = open();
    await account.online();
    await account.account.refreshRooms();
    expect(account.account.rooms().channels).toEqual([
      { id: 'ch_1', spaceId: 'sp_1', name: 'mine', encrypted: false, members: [] },
    ]);
  });

  it('answers pings at once while a slow registry delays the inbox', async () => {
    const pongs: string[] = [];
    server.greet((socket) => {
      socket.on('message', (data) => pongs.push(String(data)));
      socket.send('{"type":"connected","session_id":"s"}');
    });
    server.reply('GET /certs/sync', () => () => undefined);
    const account = open();
    await account.online();
    server.send({ type: 'message', envelope: peer.sealedDm(me, 'msg_1', 'x') });
    server.send({ type: 'ping' });
    await until('pong', () => pongs.includes('{"type":"pong"}'));
    expect(account.accepted).toEqual([]);
  });

  it('answers a ping in any spelling with a text frame', async () => {
    const pongs: string[] = [];
    server.greet((socket) => {
      socket.on('message', (data, isBinary) => pongs.push(isBinary ? 'binary' : String(data)));
      socket.send('{"type":"connected","session_id":"s"}');
    });
    await open().online();
    server.send({ type: 'ping' });
    server.send('{ "type": "ping", "at": 1 }');
    await until('two pongs', () => pongs.length === 2);
    expect(pongs).toEqual(['{"type":"pong"}', '{"type":"pong"}']);
  });

  it('T24: ignores frames that are not JSON, too deep, unknown or binary', async () => {
    const account = open();
    await account.online();
    server.send('{"type":');
    server.send(`{"type":"message","envelope":${'['.repeat(100)}${']'.repeat(100)}}`);
    server.send('[]');
    server.send({ type: 'surprise' });
    server.send({ type: 'message', envelope: peer.sealedDm(me, 'msg_1', 'still here') });
    await until('the good one', () => account.accepted.length === 1);
    expect(account.account.connection().state).toBe('online');
  });

  it('T24: closes on a frame over 1 MiB and reconnects', async () => {
    const account = open();
    await account.online();
    server.send({ type: 'message', envelope: 'x'.repeat(1_100_000) });
    await whileTime('reconnected', () => server.connects.length === 2);
    await account.online();
  });

  it('rotates the subkey once on 401, repeats once, and limits requests to a server that always says 401', async () => {
    server.reply('GET /messages/pending', () => ({ status: 401, json: { error: 'UNAUTHORIZED' } }));
    const account = open();
    await account.online();
    await whileTime('a minute', () => clock.monotonic() > 60_000);
    expect(posts(server, '/devices/subkeys').length).toBeLessThanOrEqual(2);
    expect(account.session?.subkeyId).not.toBe(me.session.subkeyId);
    expect(server.requests.filter(({ target }) => target === '/messages/pending').length).toBeLessThan(60);
  });

  it('T29: reports a wrong clock if the server refuses and its Date differs', async () => {
    const date = new Date(clock.now() - 12 * 60_000).toUTCString();
    server.reply('POST /devices/subkeys', () => ({
      status: 401,
      json: { error: 'UNAUTHORIZED' },
      headers: { date },
    }));
    const account = open({ session: null });
    await whileTime('blocked', () => account.account.connection().state === 'blocked');
    expect(account.account.connection().detail?.message).toContain('12 minutes ahead');
  });

  it('resends a message once, byte for byte, if the response was lost', async () => {
    let lost = 0;
    server.reply('POST /messages', () => {
      lost += 1;
      return lost === 1 ? (socket) => socket.destroy() : undefined;
    });
    const account = open();
    await account.online();
    const id = account.say({ dm: 'peer-0002' }, 'once');
    await whileTime('sent', () => account.settled.length === 1);
    expect(account.settled).toEqual([{ id, state: 'sent', error: null }]);
    const bodies = posts(server, '/messages').map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(bodies[1]);
  });

  it('keeps order within a room if the first send fails for a while', async () => {
    let down = true;
    server.reply('POST /messages', () => (down ? { status: 503 } : undefined));
    const account = open();
    await account.online();
    const ids = ['one', 'two', 'three'].map((text) => account.say({ dm: 'peer-0002' }, text));
    await until('tried', () => posts(server, '/messages').length > 0);
    down = false;
    await whileTime('all sent', () => account.settled.length === 3);
    expect(account.settled.map(({ id }) => id)).toEqual(ids);
  });

  it('fails a message permanently, with the server’s reason, if the server refuses it', async () => {
    server.reply('POST /messages', () => ({
      status: 403,
      json: { error: 'FORBIDDEN', message: 'Only members may write to this channel.' },
    }));
    const account = open();
    await account.online();
    account.say({ dm: 'peer-0002' }, 'no');
    await until('failed', () => account.settled[0]);
    expect(account.settled[0]?.state).toBe('failed');
    expect(account.settled[0]?.error).toContain('Only members may write to this channel.');
  });

  it('sends the same envelope to a device the server reports missing, and nothing to invented devices', async () => {
    let first = true;
    server.reply('POST /messages', () => {
      const missing = first ? [peer.device.deviceId, 'dev_invented'] : [];
      first = false;
      return { status: 201, json: { ok: true, missing_devices: missing } };
    });
    const account = open();
    await account.online();
    account.say({ dm: 'peer-0002' }, 'for all of you');
    await until('sent', () => account.settled[0]);
    const [one, two] = posts(server, '/messages').map(
      ({ body }) => JSON.parse(body) as Record<string, unknown> & { recipients: { device_id: string }[] },
    );
    expect(two?.content_ciphertext).toBe(one?.content_ciphertext);
    expect(two?.recipients.map(({ device_id }) => device_id)).toEqual([peer.device.deviceId]);
  });

  it('sends nothing more to a server that reports more missing devices than a message has recipients', async () => {
    const missing = Array.from({ length: 10_001 }, (_, n) => (n === 0 ? peer.device.deviceId : `dev_${n}`));
    server.reply('POST /messages', () => ({ status: 201, json: { ok: true, missing_devices: missing } }));
    const account = open();
    await account.online();
    account.say({ dm: 'peer-0002' }, 'for all of you');
    await until('sent', () => account.settled[0]);
    expect(account.settled[0]).toMatchObject({ state: 'sent' });
    expect(posts(server, '/messages')).toHaveLength(1);
  });

  it('T7: does not encrypt for a device that is not certified by the root key, and counts it', async () => {
    server.registry.push(ghostDevice(crypto, 'peer-0002', 150));
    const account = open();
    await account.online();
    account.say({ dm: 'peer-0002' }, 'secret');
    await until('sent', () => account.settled[0]);
    const body = JSON.parse(posts(server, '/messages')[0]?.body ?? '{}') as {
      recipients: { device_id: string }[];
    };
    expect(body.recipients.map(({ device_id }) => device_id).sort()).toEqual(
      [me.device.deviceId, peer.device.deviceId].sort(),
    );
    expect(account.store.refused()).toEqual({ ghost_device: 1 });
  });

  it('T7: sends nothing to a peer whose root key was replaced, and reports why', async () => {
    const account = open();
    await account.online();
    account.say({ dm: 'peer-0002' }, 'first');
    await until('sent', () => account.settled[0]);
    const impostor = createPuppet(crypto, 'peer-0002', { firstSeq: 300, now: clock.now() });
    server.registry.push(...impostor.entries);
    server.send({ type: 'cert_update', entry: impostor.entries[0] });
    await framesRead(server, account);
    account.say({ dm: 'peer-0002' }, 'second');
    await until('refused', () => account.settled[1]);
    expect(account.settled[1]?.state).toBe('failed');
    expect(account.settled[1]?.error).toContain('identity key of peer-0002');
    expect(posts(server, '/messages')).toHaveLength(1);
  });

  it('is blocked if the registry store has another root key for its own name', async () => {
    directory.identities.pin('me-0001', peer.identity.identityCert?.root_public_key ?? '');
    const account = open();
    expect(account.account.connection()).toMatchObject({ state: 'blocked', detail: { code: 'untrusted' } });
    await clock.advance(5_000);
    expect(server.connects).toEqual([]);
  });

  describe('Invitations', () => {
    const operator = () => peer.identity.identityCert?.root_public_key ?? '';
    const invite = (n: number) => ({
      invitation_event_id: `ev_${n}`,
      scope: 'space',
      space_id: `sp_${n}`,
      inviter_slug: 'peer-0002',
      space_name: 'Home',
    });
    const becomeAgent = (operatorRootPublicKey: string): void => {
      me = createPuppet(crypto, 'me-0001', {
        serverUrl: server.url,
        now: clock.now(),
        type: 'agent',
        operatorRootPublicKey,
      });
      server.registry.splice(0, server.registry.length, ...me.entries, ...peer.entries);
    };

    it('are accepted from the operator with a signed event, once, also from a server that does not push', async () => {
      becomeAgent(operator());
      server.reply('GET /invites', () => ({ status: 200, json: { invites: [invite(1)] } }));
      const account = open();
      await account.online();
      await whileTime('three polls', () => {
        return server.requests.filter(({ target }) => target.startsWith('/invites')).length === 3;
      });
      const [posted, ...more] = posts(server, '/spaces/events');
      expect(more).toEqual([]);
      expect(JSON.parse(posted?.body ?? '{}').events[0]).toMatchObject({
        kind: 'accept_space_invite',
        signer_slug: 'me-0001',
        payload: { space_id: 'sp_1', invitation_event_id: 'ev_1' },
      });
      expect(account.invites).toEqual([]);
    });

    it('T8: are not accepted from the operator’s name with another root key', async () => {
      const another = createPuppet(crypto, 'other-0003', { now: clock.now() });
      becomeAgent(another.identity.identityCert?.root_public_key ?? '');
      server.reply('GET /invites', () => ({ status: 200, json: { invites: [invite(1)] } }));
      const account = open();
      await account.online();
      await whileTime('told', () => account.invites.length === 1);
      await whileTime('another poll', () => clock.monotonic() > 40_000);
      expect(posts(server, '/spaces/events')).toEqual([]);
      expect(account.invites).toHaveLength(1);
    });
  });

  it('sends a heartbeat at once, then each minute, a status change after ten seconds, and accepts status 429', async () => {
    server.reply('POST /agents/me/heartbeat', () => ({ status: 429, json: { error: 'RATE_LIMITED' } }));
    const account = open();
    await account.online();
    const beats = () => posts(server, '/agents/me/heartbeat').map(({ body }) => JSON.parse(body) as unknown);
    await until('first', () => beats().length === 1);
    const from = clock.monotonic();
    account.account.setStatus({ status: 'busy', messageId: 'msg_1' });
    await whileTime('news', () => beats().length === 2);
    expect(clock.monotonic() - from).toBeGreaterThanOrEqual(9_000);
    expect(beats()[1]).toEqual({ status: 'busy', current_message_id: 'msg_1' });
    const { tookMs } = await whileTime('next', () => beats().length === 3);
    expect(tookMs).toBeGreaterThan(50_000);
    expect(tookMs).toBeLessThan(62_000);
    expect(account.logged.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });
});
