import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patienceMs } from '../../test/fakes/patience.ts';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { createDeviceRevocation } from '../core/puffo/certificates.ts';

const shared = { handshakeMs: 1_000, pingMs: 200, heartbeatMs: 60_000, wsFrameBytes: 64 * 1024 };

describe('Live frames', () => {
  const world = new RelayWorld(shared);
  let alice: Person;
  let guide: Person;
  let space: { readonly spaceId: string; readonly channelId: string };
  beforeAll(async () => {
    await world.start();
    alice = await world.join('alice');
    guide = await world.adopt(alice, 'guide');
    space = await world.space(alice);
    await world.invite(alice, space.spaceId, guide.slug);
  });
  afterAll(() => world.end());

  test('close a socket with no or an invalid connect frame', async () => {
    const silent = await world.socket();
    expect(await silent.closed(5_000)).toBe(4401);
    const attempts: (Json | string)[] = [
      { ...world.connectFrame(guide), slug: alice.slug },
      world.connectFrame(guide, world.clock.now() - 301_000),
      { ...world.connectFrame(guide), nonce: 'AAAAAAAAAAAAAAAAAAAAAA' },
      'not json',
      { type: 'ack', envelope_ids: [] },
    ];
    for (const frame of attempts) {
      const liar = await world.socket();
      liar.send(frame);
      expect(await liar.closed()).toBe(4401);
      expect(liar.frames.some(({ type }) => type === 'connected')).toBe(false);
    }
  });

  test('T5: accept a connect frame once', async () => {
    const frame = world.connectFrame(guide);
    const first = await world.socket();
    first.send(frame);
    await first.frame(({ type }) => type === 'connected');
    const second = await world.socket();
    second.send(frame);
    expect(await second.closed()).toBe(4401);
  });

  test('T24: close with 1009 on an oversized frame and answer a too deep one with an error', async () => {
    const deep = await world.subscribe(guide);
    deep.send(`{"type":"ack","envelope_ids":${'['.repeat(80)}${']'.repeat(80)}}`);
    expect(await deep.frame(({ type }) => type === 'error')).toMatchObject({
      message: expect.stringContaining('64'),
    });
    const large = await world.subscribe(guide);
    large.send({ type: 'ack', envelope_ids: ['x'.repeat(70_000)] });
    expect(await large.closed()).toBe(1009);
  });

  test('F9: ping clients and close those that do not answer', async () => {
    const alive = await world.subscribe(guide);
    const dead = await world.subscribe(guide);
    dead.mute = true;
    await dead.frame(({ type }) => type === 'ping');
    await dead.closed();
    await expect.poll(() => alive.frames.filter(({ type }) => type === 'ping').length).toBeGreaterThan(4);
    expect(alive.closeCode).toBeNull();
  });

  test('deliver a message once until it is acknowledged', async () => {
    const ears = await world.subscribe(guide);
    const envelope = world.seal(alice, { space }, 'live', [alice, guide]);
    const sent = await world.call(alice, 'POST', '/messages', envelope);
    const frame = await ears.frame(({ type }) => type === 'message');
    expect(frame).toMatchObject({ seq: sent.body.seq, envelope: { envelope_id: envelope.envelope_id } });
    ears.send({ type: 'ack', envelope_ids: [envelope.envelope_id] });
    await expect.poll(async () => (await world.pending(guide)).length, { timeout: patienceMs }).toBe(0);
  });

  test('have a positive seq, as has every pending message', async () => {
    const listener = await world.subscribe(guide);
    const sealed = world.seal(alice, { space }, 'in a channel', [alice, guide]);
    const direct = world.seal(alice, { dm: guide.slug }, 'direct', [alice, guide]);
    const coordinated = world.seal(alice, { space }, 'coordinated', [alice, guide]);
    const freshness = { context_baseline_seq: null, seen_seq: 0, mode: 'send_anyway' };
    for (const envelope of [sealed, direct])
      expect((await world.call(alice, 'POST', '/messages', envelope)).status).toBe(201);
    const sent = await world.call(alice, 'POST', '/v2/agent-runtime/messages:send', {
      envelope: coordinated,
      freshness,
    });
    expect(sent).toMatchObject({ status: 200, body: { state: 'sent' } });
    const isPositive = (seq: unknown): boolean => Number.isInteger(seq) && (seq as number) > 0;
    const pending = await world.pending(guide);
    for (const { envelope_id } of [sealed, direct, coordinated]) {
      const frame = await listener.frame((one) => (one.envelope as Json)?.envelope_id === envelope_id);
      const row = pending.find(({ envelope }) => envelope.envelope_id === envelope_id);
      expect([frame.seq, row?.seq].map(isPositive)).toEqual([true, true]);
      expect(row?.seq).toBe(frame.seq);
    }
  });

  test('report processing to the room and keep it readable, but not to non-members', async () => {
    const eve = await world.join('eve');
    const ears = await world.subscribe(alice);
    const envelope = world.seal(alice, { space }, 'work', [alice, guide]);
    await world.call(alice, 'POST', '/messages', envelope);
    const base = `/messages/${envelope.envelope_id}/processing`;
    expect((await world.call(guide, 'POST', `${base}/start`, { run_id: 'run_1' })).status).toBe(200);
    expect((await world.call(guide, 'POST', `${base}/start`, { run_id: 'run_1' })).status).toBe(200);
    expect((await world.call(eve, 'POST', `${base}/start`, { run_id: 'run_2' })).status).toBe(404);
    expect(await ears.frame(({ type }) => type === 'processing')).toMatchObject({
      message_id: envelope.envelope_id,
      run_id: 'run_1',
      agent_slug: guide.slug,
      ended_at: null,
    });
    const status = () => world.call(alice, 'GET', `/agents/${guide.slug}/status`);
    expect((await status()).body).toMatchObject({ status: 'busy', current_message_id: envelope.envelope_id });
    const failed = { run_id: 'run_1', succeeded: false, error_text: '🦊'.repeat(2_000) };
    await world.call(guide, 'POST', `${base}/end`, failed);
    const runs = (await world.call(alice, 'GET', base)).body.runs as Json[];
    expect(runs).toEqual([
      expect.objectContaining({ run_id: 'run_1', succeeded: false, error_text: '🦊'.repeat(1_024) }),
    ]);
    expect((await status()).body).toMatchObject({ status: 'error', current_message_id: null });
    expect((await world.call(eve, 'GET', base)).status).toBe(404);
    // Everyone may learn that the agent is online, but not what it works on.
    const open = await world.raw('GET', `/agents/${guide.slug}/status`, null, {});
    expect(open.body).toMatchObject({ slug: guide.slug, status: 'error', error_text: null });
  });

  test('accept batch ends for runs without a start, only from the same agent', async () => {
    const envelope = world.seal(alice, { space }, 'batch', [alice, guide]);
    await world.call(alice, 'POST', '/messages', envelope);
    const run = { run_id: 'run_batch', message_id: envelope.envelope_id, succeeded: true };
    const end = (by: Person) => world.call(by, 'POST', '/messages/processing/end:batch', { runs: [run] });
    expect((await end(guide)).status).toBe(200);
    expect((await end(alice)).status).toBe(409);
    const runs = await world.call(alice, 'GET', `/messages/${envelope.envelope_id}/processing`);
    expect(runs.body.runs).toEqual([expect.objectContaining({ agent_slug: guide.slug, succeeded: true })]);
  });

  test('limit unchanged heartbeats but never changed ones', async () => {
    const beat = async (value: Json) =>
      (await world.call(guide, 'POST', '/agents/me/heartbeat', value)).status;
    const statuses = [
      await beat({ status: 'idle' }),
      await beat({ status: 'idle' }),
      await beat({ status: 'busy' }),
      await beat({ status: 'busy' }),
      await beat({ status: 'error', error_text: 'no model' }),
      await beat({ status: 'paused', machine_id: 'mac_1', health: 'ok', runtime: { kind: 'cli-local' } }),
      await beat({ status: 'archived' }),
      await beat({ status: 'idle' }),
    ];
    expect(statuses.slice(1)).toEqual([429, 200, 429, 200, 200, 200, 200]);
    const batch = await world.call(alice, 'POST', '/agents/status:batch', {
      slugs: [guide.slug, 'nobody-0000'],
    });
    expect(batch.body.statuses).toEqual([expect.objectContaining({ slug: guide.slug, status: 'idle' })]);
  });

  test('T7: end and announce a revoked device, which receives nothing more', async () => {
    const agent = await world.adopt(alice, 'leaver');
    await world.invite(alice, space.spaceId, agent.slug);
    const theirs = await world.subscribe(agent);
    const ours = await world.subscribe(alice);
    const root = world.engine.ed25519KeyPair(agent.identity.secrets.root);
    const now = world.clock.now();
    const { deviceId } = agent.identity;
    const revocation = createDeviceRevocation(world.engine, root, {
      deviceId,
      effectiveFrom: now,
      issuedAt: now,
    });
    const target = `/devices/${deviceId}/revoke`;
    expect((await world.call(alice, 'POST', target, revocation)).status).toBe(404);
    expect((await world.call(agent, 'POST', target, revocation)).status).toBe(200);
    expect(await theirs.closed()).toBe(4401);
    const news = await ours.frame(
      ({ type, entry }) => type === 'cert_update' && (entry as Json).slug === agent.slug,
    );
    expect(news).toMatchObject({ entry: { kind: 'device_revocation' } });
    expect((await world.call(agent, 'GET', '/spaces')).status).toBe(401);
    const active = await world.call(alice, 'GET', `/certs/active?slugs=${agent.slug}`);
    expect(active.body.devices).toEqual([]);
    const sent = await world.call(
      alice,
      'POST',
      '/messages',
      world.seal(alice, { space }, 'x', [alice, guide, agent]),
    );
    expect(sent.body).toMatchObject({ devices_queued: 2, missing_devices: [] });
  });

  test('announce new members and channels to members', async () => {
    const ears = await world.subscribe(alice);
    const other = await world.adopt(alice, 'other');
    await world.invite(alice, space.spaceId, other.slug);
    expect(await ears.frame(({ type }) => type === 'space_membership_changed')).toEqual({
      type: 'space_membership_changed',
      space_id: space.spaceId,
    });
    await world.post(alice, 'create_channel', {
      space_id: space.spaceId,
      channel_id: 'ch_news',
      name: 'news',
    });
    expect(await ears.frame(({ type }) => type === 'channel_update')).toMatchObject({
      channel_id: 'ch_news',
    });
  });

  test('close with 1001 when the relay stops', async () => {
    const ears = await world.subscribe(guide);
    await world.stop();
    expect(await ears.closed()).toBe(1001);
    await world.start();
  });
});
