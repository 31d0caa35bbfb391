import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RelayWorld } from '../../test/fakes/relay-world.ts';
import { openMessage } from '../core/puffo/envelope.ts';

describe('Relay', () => {
  const world = new RelayWorld();
  beforeAll(() => world.start());
  afterAll(() => world.end());

  test('carries a conversation from sign-up to an acknowledged message on two devices', async () => {
    const alice = await world.join('alice');
    expect(alice.slug).toMatch(/^alice-[0-9a-f]{4}$/);
    const guide = await world.adopt(alice, 'guide');
    const space = await world.space(alice);
    const ears = await world.subscribe(guide);
    const invited = await world.invite(alice, space.spaceId, guide.slug);
    expect(invited.body).toMatchObject({ ok: true, applied: 1 });
    const accepted = await ears.frame(
      (frame) => (frame.event as { kind?: string } | undefined)?.kind === 'accept_space_invite',
    );
    expect(accepted).toMatchObject({ event: { signer_slug: guide.slug } });
    const envelope = world.seal(alice, { space }, 'hello guide', [alice, guide]);
    const sent = await world.call(alice, 'POST', '/messages', envelope);
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({ ok: true, envelope_id: envelope.envelope_id, devices_queued: 2 });
    expect(sent.body.missing_devices).toEqual([]);
    const live = await ears.frame((frame) => frame.type === 'message');
    expect(live.seq).toBeGreaterThan(0);
    const [caught] = await world.pending(guide);
    expect(caught).toEqual({ seq: live.seq, envelope: live.envelope });
    const opened = openMessage(
      world.engine,
      caught?.envelope,
      { deviceId: guide.identity.deviceId, kemSecret: guide.identity.secrets.kem },
      await world.verified(guide, alice.slug),
    );
    expect(opened).toMatchObject({ ok: true, value: { payload: { content: 'hello guide' } } });
    expect((await world.pending(alice)).length).toBe(1);
    const acked = await world.call(guide, 'POST', '/messages/ack', { envelope_ids: [envelope.envelope_id] });
    expect(acked.body).toMatchObject({ ok: true, acknowledged: 1 });
    expect(await world.pending(guide)).toEqual([]);
    expect((await world.pending(alice)).length).toBe(1);
  });
});
