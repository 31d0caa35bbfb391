import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import type { ChannelId, SpaceId } from '../contract/room-id.ts';
import { utf8 } from '../core/lib/bytes.ts';
import { createPlaintextEnvelope } from '../core/puffo/plaintext-envelope.ts';

describe('Messages', () => {
  const world = new RelayWorld();
  let alice: Person;
  let bob: Person;
  let eve: Person;
  let space: { readonly spaceId: string; readonly channelId: string };
  beforeAll(async () => {
    await world.start();
    alice = await world.join('alice');
    bob = await world.adopt(alice, 'bob');
    eve = await world.join('eve');
    space = await world.space(alice);
    await world.invite(alice, space.spaceId, bob.slug);
  });
  afterAll(() => world.end());

  const send = (by: Person, envelope: unknown) => world.call(by, 'POST', '/messages', envelope);

  test('T6: return the same result and deliver once for a repeated envelope', async () => {
    const envelope = world.seal(alice, { space }, 'once', [alice, bob]);
    const before = (await world.pending(bob)).length;
    const first = await send(alice, envelope);
    await world.call(bob, 'POST', '/messages/ack', { envelope_ids: [envelope.envelope_id] });
    const second = await send(alice, envelope);
    expect(second).toEqual(first);
    expect((await world.pending(bob)).length).toBe(before);
  });

  test('are stored once for concurrent sends of one envelope', async () => {
    const envelope = world.seal(alice, { space }, 'crowd', [alice, bob]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(alice, envelope)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const copies = (await world.pending(bob)).filter(
      (row) => row.envelope.envelope_id === envelope.envelope_id,
    );
    expect(copies.length).toBe(1);
  });

  test('are refused if the id was used with other content or by another sender', async () => {
    const envelope = world.seal(alice, { space }, 'mine', [alice, bob]);
    await send(alice, envelope);
    const other = {
      ...world.seal(alice, { space }, 'other', [alice, bob]),
      envelope_id: envelope.envelope_id,
    };
    const stolen = { ...world.seal(bob, { space }, 'mine', [alice, bob]), envelope_id: envelope.envelope_id };
    expect((await send(alice, other)).status).toBe(409);
    expect((await send(bob, stolen)).status).toBe(409);
  });

  test('T24: are refused if they exceed a live frame, and delivered at the largest size', async () => {
    const bobs = await world.subscribe(bob);
    const fitting = world.seal(alice, { space }, 'x'.repeat(770_000), [alice, bob]);
    expect((await send(alice, fitting)).status).toBe(201);
    const frame = await bobs.frame(({ type }) => type === 'message');
    expect((frame.envelope as Json).envelope_id).toBe(fitting.envelope_id);
    const tooLong = world.seal(alice, { space }, 'x'.repeat(800_000), [alice, bob]);
    expect(await send(alice, tooLong)).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
  });

  test('T24: contain only the reader’s own recipient entry without extra fields', async () => {
    const bobs = await world.subscribe(bob);
    const envelope = world.seal(alice, { space }, 'short', [alice, bob]);
    const [mine, his] = envelope.recipients;
    const padded = { ...envelope, recipients: [mine, { ...his, note: 'x'.repeat(1_500_000) }] };
    expect((await send(alice, padded)).status).toBe(201);
    const frame = await bobs.frame(
      ({ envelope: got }) => (got as Json)?.envelope_id === envelope.envelope_id,
    );
    expect((frame.envelope as Json).recipients).toEqual([his]);
    for (const odd of [
      { device_id: `dev_${'a'.repeat(44)}` },
      { hpke_enc: 'ä'.repeat(43) },
      { wrapped_content_key: '!'.repeat(64) },
    ]) {
      const broken = {
        ...world.seal(alice, { space }, 'odd', [alice, bob]),
        recipients: [mine, { ...his, ...odd }],
      };
      expect(await send(alice, broken)).toMatchObject({ status: 400, body: { error: 'InvalidInput' } });
    }
  });

  test('can be read by kind and sender, or all at once', async () => {
    const carol = await world.join('carol');
    const ids: string[] = [];
    for (const [by, n] of [
      [alice, 1],
      [bob, 2],
      [alice, 3],
    ] as const) {
      const dm = world.seal(by, { dm: carol.slug }, `to carol ${n}`, [by, carol]);
      ids.push(dm.envelope_id);
      expect((await send(by, dm)).status).toBe(201);
    }
    const waiting = async (query: string) => {
      const { body } = await world.call(carol, 'GET', `/messages/pending${query}`);
      return (body.messages as { envelope: { envelope_id: string } }[]).map(
        ({ envelope }) => envelope.envelope_id,
      );
    };
    // A client that blocks a sender acknowledges this result, so it must contain that sender's messages only.
    expect(await waiting(`?kind=dm&sender=${alice.slug}`)).toEqual([ids[0], ids[2]]);
    expect(await waiting('?kind=channel')).toEqual([]);
    expect(await waiting('?limit=1')).toEqual([ids[0]]);
    expect(await waiting('')).toEqual(ids);
  });

  test('report missing devices, and the same envelope can add them later', async () => {
    const full = world.seal(alice, { space }, 'two steps', [alice, bob]);
    const [own, theirs] = full.recipients;
    const first = await send(alice, { ...full, recipients: [own] });
    expect(first.body).toMatchObject({ devices_queued: 1, missing_devices: [bob.identity.deviceId] });
    const second = await send(alice, { ...full, recipients: [theirs] });
    expect(second.body).toMatchObject({ devices_queued: 2, missing_devices: [], seq: first.body.seq });
    const got = (await world.pending(bob)).find((row) => row.envelope.envelope_id === full.envelope_id);
    expect(got?.envelope).toEqual({ ...full, recipients: [theirs] });
  });

  test('can be sent again after a member left the room, but no new ones', async () => {
    const [dora, finn] = [await world.join('dora'), await world.adopt(alice, 'finn')];
    const room = await world.space(alice, 'Short');
    const leave = (who: Person) =>
      world.post(who, 'leave_space', { space_id: room.spaceId, effective_from: 1 });
    await world.invite(alice, room.spaceId, finn.slug);
    const envelope = world.seal(finn, { space: room }, 'parting', [alice, finn]);
    const first = await send(finn, envelope);
    expect(first.status).toBe(201);
    expect((await leave(finn)).status).toBe(200);
    expect(await send(finn, envelope)).toEqual(first);
    const more = world.seal(finn, { space: room }, 'later', [alice, finn]);
    expect((await send(finn, more)).status).toBe(403);
    const own = world.seal(alice, { space: room }, 'alone', [alice, finn]);
    expect((await send(alice, own)).status).toBe(403);
    expect((await send(dora, { ...envelope, sender_slug: dora.slug })).status).toBe(409);
  });

  test('T7: to unknown devices or devices of non-members are refused and not stored', async () => {
    const ghost = world.seal(alice, { space }, 'ghost', [alice, bob]);
    const recipients = [...ghost.recipients, { ...ghost.recipients[0], device_id: `dev_${'x'.repeat(43)}` }];
    expect(await send(alice, { ...ghost, recipients })).toMatchObject({
      status: 400,
      body: { error: 'DEVICE_NOT_FOUND', devices: [`dev_${'x'.repeat(43)}`] },
    });
    const withEve = world.seal(alice, { space }, 'eve', [alice, bob, eve]);
    expect(await send(alice, withEve)).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN', devices: [eve.identity.deviceId] },
    });
    const dm = world.seal(alice, { dm: bob.slug }, 'dm', [alice, bob, eve]);
    expect((await send(alice, dm)).status).toBe(403);
    expect(await world.pending(eve)).toEqual([]);
    expect((await send(alice, world.seal(alice, { dm: bob.slug }, 'dm', [alice, bob]))).status).toBe(201);
  });

  test('are accepted in a channel only from members under their own name', async () => {
    expect((await send(eve, world.seal(eve, { space }, 'hi', [eve]))).status).toBe(403);
    expect((await send(eve, world.seal(alice, { space }, 'hi', [alice]))).status).toBe(403);
    const elsewhere = { ...space, spaceId: 'sp_other' };
    expect((await send(alice, world.seal(alice, { space: elsewhere }, 'hi', [alice]))).status).toBe(403);
    expect((await send(alice, world.seal(alice, { dm: 'nobody-0000' }, 'hi', [alice]))).status).toBe(404);
  });

  test('T24: are refused if malformed', async () => {
    const good = world.seal(alice, { space }, 'x', [alice]);
    const odd: Json[] = [
      { ...good, envelope_id: 'env_1' },
      { ...good, recipient_slug: bob.slug },
      { ...good, channel_id: null },
      { ...good, sent_at: -1 },
      { ...good, content_nonce: 7 },
      { ...good, type: 'message' },
      { ...good, recipients: {} },
    ];
    for (const envelope of odd) expect((await send(alice, envelope)).status).toBe(400);
  });

  test('are paged in order and can be acknowledged only by their recipient', async () => {
    const carol = await world.join('carol');
    const texts = ['one', 'two', 'three'];
    const ids: string[] = [];
    for (const text of texts) {
      const envelope = world.seal(carol, { dm: carol.slug }, text, [carol]);
      ids.push(envelope.envelope_id);
      await send(carol, envelope);
    }
    await world.call(eve, 'POST', '/messages/ack', { envelope_ids: ids });
    const page = await world.call(carol, 'GET', '/messages/pending?limit=2');
    const rows = page.body.messages as { seq: number; envelope: Json }[];
    expect(page.body.has_more).toBe(true);
    expect(rows.map((row) => row.envelope.envelope_id)).toEqual(ids.slice(0, 2));
    const rest = await world.call(carol, 'GET', `/messages/pending?after=${rows[1]?.seq}`);
    expect(rest.body).toMatchObject({ has_more: false, messages: [{ envelope: { envelope_id: ids[2] } }] });
  });

  test('are filtered by sender, so acknowledging them affects no others', async () => {
    const dan = await world.join('dan');
    const from = (by: Person) => world.seal(by, { dm: dan.slug }, 'hi', [by, dan]);
    const [first, other] = [from(alice), from(bob)];
    for (const [by, envelope] of [
      [alice, first],
      [bob, other],
    ] as const)
      await send(by, envelope);
    const target = `/messages/pending?kind=dm&sender=${alice.slug}`;
    const filtered = (await world.call(dan, 'GET', target)).body.messages as { envelope: Json }[];
    expect(filtered.map((row) => row.envelope.envelope_id)).toEqual([first.envelope_id]);
    await world.call(dan, 'POST', '/messages/ack', { envelope_ids: [first.envelope_id] });
    const left = await world.pending(dan);
    expect(left.map((row) => row.envelope.envelope_id)).toEqual([other.envelope_id]);
  });

  test('survive a restart', async () => {
    const envelope = world.seal(alice, { space }, 'durable', [alice, bob]);
    await send(alice, envelope);
    await world.stop();
    await world.start();
    expect((await world.pending(bob)).map((row) => row.envelope.envelope_id)).toContain(envelope.envelope_id);
  });

  test('must be signed plaintext in a plaintext channel and sealed in an encrypted one', async () => {
    const channelId = 'ch_open';
    await world.post(
      alice,
      'create_channel',
      { space_id: space.spaceId, channel_id: channelId, name: 'open', created_at: 1, is_public: true },
      { is_encrypted: false },
    );
    const plain = (by: Person, channel: string | null, content: string) => {
      const made = createPlaintextEnvelope(world.engine, {
        envelopeId: world.seal(by, { space }, 'id', [by]).envelope_id,
        session: by.session,
        kind: channel === null ? 'dm' : 'channel',
        senderSlug: by.slug,
        spaceId: channel === null ? null : (space.spaceId as SpaceId),
        channelId: channel as ChannelId | null,
        recipientSlug: channel === null ? bob.slug : null,
        sentAt: world.clock.now(),
        threadRootId: null,
        replyToId: null,
        contentType: 'text/plain',
        content,
        visible: true,
      });
      if (!made.ok) throw new Error(made.error.message);
      return made.value;
    };
    const post = (by: Person, envelope: unknown) =>
      world.call(by, 'POST', '/v2/messages/plaintext', envelope);
    const message = plain(alice, channelId, 'in the open');
    expect((await post(alice, message)).body).toMatchObject({
      ok: true,
      devices_queued: 2,
      missing_devices: [],
    });
    const got = (await world.pending(bob)).find((row) => row.envelope.envelope_id === message.envelope_id);
    expect(got?.envelope).toEqual(message);
    const sealed = world.seal(alice, { space: { ...space, channelId } }, 'sealed', [alice]);
    expect(await send(alice, sealed)).toMatchObject({
      status: 400,
      body: { error: 'CHANNEL_FORMAT_MISMATCH' },
    });
    expect(await post(alice, plain(alice, space.channelId, 'x'))).toMatchObject({
      status: 400,
      body: { error: 'CHANNEL_FORMAT_MISMATCH' },
    });
    // Clients from 1.1 send direct messages like this.
    const direct = plain(alice, null, 'between us');
    expect((await post(alice, direct)).status).toBe(201);
    expect((await world.pending(bob)).at(-1)?.envelope).toEqual(direct);
    const { payload, signature } = message.signed_payload;
    const forged = { ...message, signed_payload: { payload: { ...payload, content: 'forged' }, signature } };
    expect((await post(alice, forged)).status).toBe(403);
    expect((await post(eve, message)).status).toBe(403);
  });

  test('can include blobs, which registered people read back unchanged', async () => {
    const bytes = world.engine.randomBytes(60_000);
    const headers = world.headers(alice, 'POST', '/blobs/upload', bytes);
    const uploaded = await world.raw('POST', '/blobs/upload', bytes, headers);
    expect(uploaded).toMatchObject({ status: 201, body: { size_bytes: bytes.length } });
    const target = `/blobs/${String(uploaded.body.blob_id)}`;
    const answer = await fetch(`${world.relay.url}${target}`, {
      headers: world.headers(bob, 'GET', target, null) as Record<string, string>,
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await fetch(`${world.relay.url}${target}`)).status).toBe(401);
    expect((await world.call(bob, 'GET', '/blobs/blob_none')).status).toBe(404);
  });

  test('appear as ciphertext in the server view', async () => {
    const text = 'the fox sleeps under the ninth stone '.repeat(20);
    const envelope = world.seal(bob, { space }, text, [alice, bob]);
    await send(bob, envelope);
    const row = world.relay.serverView(space, 100).at(-1);
    expect(row).toMatchObject({ envelopeId: envelope.envelope_id, senderSlug: bob.slug, recipients: 2 });
    expect(row?.ciphertext.slice(0, 300)).toBe(envelope.content_ciphertext.slice(0, 300));
    expect(row?.bytes).toBeGreaterThan(envelope.content_ciphertext.length);
    expect(world.relay.serverView({ dm: [bob.slug, alice.slug] }, 10).length).toBeGreaterThan(0);
  });

  test('leave no plaintext in any relay file', async () => {
    const words = fc.string({ minLength: 12, maxLength: 60, unit: fc.constantFrom(...'abcdefghijkl mnop') });
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        const marked = `${text}#${world.clock.now()}`;
        const answer = await send(alice, world.seal(alice, { space }, marked, [alice, bob]));
        expect(answer.status).toBe(201);
        for (const file of [world.file, `${world.file}-wal`]) {
          expect(readFileSync(file).includes(Buffer.from(utf8(marked)))).toBe(false);
        }
      }),
      { numRuns: 25 },
    );
  });
});
