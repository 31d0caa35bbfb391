/** Sends of clients from 2.0, with the responses checked against the clients' own validation. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import type { MessageEnvelope } from '../core/puffo/wire.ts';

const world = new RelayWorld();
const agents: Person[] = [];
let alice: Person;
let space: { readonly spaceId: string; readonly channelId: string };

beforeAll(async () => {
  await world.start();
  alice = await world.join('alice');
  space = await world.space(alice);
  for (let n = 0; n < 5; n += 1) {
    const agent = await world.adopt(alice, `agent${n}`);
    await world.invite(alice, space.spaceId, agent.slug);
    agents.push(agent);
  }
});
afterAll(() => world.end());

interface Freshness {
  readonly context_baseline_seq: number | null;
  readonly seen_seq: number;
  readonly mode: 'require_current' | 'send_anyway';
}

const everybody = () => [alice, ...agents];
const envelopeBy = (by: Person, text = 'hello', to = everybody()) => world.seal(by, { space }, text, to);
const send = (by: Person, envelope: MessageEnvelope, freshness: Freshness) =>
  world.call(by, 'POST', '/v2/agent-runtime/messages:send', { envelope, freshness });
const current = (seen: number, baseline: number | null = 0): Freshness => ({
  context_baseline_seq: baseline,
  seen_seq: seen,
  mode: 'require_current',
});

/** A send of an older client; it advances the channel head too. */
async function plainSend(by: Person): Promise<{ seq: number; id: string }> {
  const envelope = envelopeBy(by);
  const sent = await world.call(by, 'POST', '/messages', envelope);
  expect(sent.status).toBe(201);
  return { seq: Number(sent.body.seq), id: envelope.envelope_id };
}

const heldFields = [
  'blocking_envelope_id',
  'blocking_sender_slug',
  'blocking_seq',
  'context_baseline_seq',
  'envelope_id',
  'latest_envelope_id',
  'latest_seq',
  'seen_seq',
  'state',
];

test('A send at the head is accepted and returns its freshness', async () => {
  const head = await plainSend(alice);
  const [guide] = agents as [Person];
  const envelope = envelopeBy(guide);
  const answer = await send(guide, envelope, current(head.seq));
  expect(answer).toEqual({
    status: 200,
    body: {
      state: 'sent',
      envelope_id: envelope.envelope_id,
      seq: expect.any(Number),
      replay: false,
      missing_devices: [],
      devices_queued: 6,
      freshness: {
        mode: 'require_current',
        context_baseline_seq: 0,
        seen_seq: head.seq,
        latest_seq_before_send: head.seq,
      },
    },
  });
  expect(Number(answer.body.seq)).toBeGreaterThan(head.seq);
});

test('A send behind the head is held, and nothing is stored or delivered', async () => {
  const before = await plainSend(alice);
  const head = await plainSend(alice);
  const [guide] = agents as [Person];
  const ears = await world.subscribe(alice);
  const envelope = envelopeBy(guide, 'stale');
  const answer = await send(guide, envelope, current(before.seq));
  expect(answer).toMatchObject({
    status: 200,
    body: {
      state: 'held',
      envelope_id: envelope.envelope_id,
      context_baseline_seq: 0,
      seen_seq: before.seq,
      latest_seq: head.seq,
      latest_envelope_id: head.id,
      blocking_seq: head.seq,
      blocking_envelope_id: head.id,
      blocking_sender_slug: alice.slug,
    },
  });
  expect(Object.keys(answer.body).sort()).toEqual(heldFields);
  expect((await world.pending(alice)).some((row) => row.envelope.envelope_id === envelope.envelope_id)).toBe(
    false,
  );
  // The same message sent again after catching up is a first send, not a replay.
  expect((await send(guide, envelope, current(head.seq))).body).toMatchObject({
    state: 'sent',
    replay: false,
  });
  expect(await ears.frame(({ type }) => type === 'message')).toMatchObject({
    seq: expect.any(Number),
    envelope: { envelope_id: envelope.envelope_id },
  });
});

test('A send with send_anyway always commits and returns the previous head', async () => {
  const head = await plainSend(alice);
  const [guide] = agents as [Person];
  const freshness = { context_baseline_seq: 0, seen_seq: 0, mode: 'send_anyway' } as const;
  expect((await send(guide, envelopeBy(guide), freshness)).body).toMatchObject({
    state: 'sent',
    freshness: { ...freshness, latest_seq_before_send: head.seq },
  });
});

test('A repeated send returns its first seq and freshness, also after a restart', async () => {
  const head = await plainSend(alice);
  const [guide] = agents as [Person];
  const envelope = envelopeBy(guide);
  const first = await send(guide, envelope, current(head.seq));
  await plainSend(alice);
  await world.stop();
  await world.start();
  const again = await send(guide, envelope, current(head.seq));
  expect(again.body).toEqual({ ...first.body, replay: true });
  const other = { ...envelope, content_ciphertext: envelopeBy(guide, 'other').content_ciphertext };
  expect((await send(guide, other, current(head.seq))).status).toBe(409);
});

test('A message first sent over the old route is replayed without freshness', async () => {
  const [guide] = agents as [Person];
  const envelope = envelopeBy(guide);
  const old = await world.call(guide, 'POST', '/messages', envelope);
  const again = await send(guide, envelope, current(0));
  expect(again.body).toMatchObject({ state: 'sent', replay: true, seq: old.body.seq });
  expect(again.body).not.toHaveProperty('freshness');
});

test('A supplement for a missing device is a replay and is never held', async () => {
  const head = await plainSend(alice);
  const [guide, other] = agents as [Person, Person];
  const whole = envelopeBy(guide);
  const lacking = whole.recipients.filter(({ device_id }) => device_id !== other.identity.deviceId);
  const first = await send(guide, { ...whole, recipients: lacking }, current(head.seq));
  expect(first.body).toMatchObject({ state: 'sent', missing_devices: [other.identity.deviceId] });
  await plainSend(alice);
  const only = whole.recipients.filter(({ device_id }) => device_id === other.identity.deviceId);
  const more = await send(guide, { ...whole, recipients: only }, current(head.seq));
  expect(more.body).toMatchObject({ state: 'sent', replay: true, seq: first.body.seq, missing_devices: [] });
  expect((await world.pending(other)).some((row) => row.envelope.envelope_id === whole.envelope_id)).toBe(
    true,
  );
});

test('Without a baseline a newcomer may send at seen seq 0, and a reader must be current', async () => {
  const before = await plainSend(alice);
  const head = await plainSend(alice);
  const newcomer = await world.adopt(alice, 'newcomer');
  await world.invite(alice, space.spaceId, newcomer.slug);
  const held = await send(newcomer, envelopeBy(newcomer), current(before.seq, null));
  expect(held.body).toMatchObject({ state: 'held', context_baseline_seq: null, latest_seq: head.seq });
  const sent = await send(newcomer, envelopeBy(newcomer), current(0, null));
  expect(sent.body).toMatchObject({
    state: 'sent',
    freshness: { context_baseline_seq: head.seq, seen_seq: 0, latest_seq_before_send: head.seq },
  });
  // A baseline counts as read.
  const next = await send(newcomer, envelopeBy(newcomer), current(0, Number(sent.body.seq)));
  expect(next.body).toMatchObject({ state: 'sent' });
});

test('A send with a future seq, invalid fields or a foreign sender is refused', async () => {
  const head = await plainSend(alice);
  const [guide] = agents as [Person];
  expect((await send(guide, envelopeBy(guide), current(head.seq + 100))).status).toBe(409);
  for (const odd of [
    { seen_seq: 1, mode: 'require_current' },
    { context_baseline_seq: 0, seen_seq: true, mode: 'require_current' },
    { context_baseline_seq: -1, seen_seq: 0, mode: 'require_current' },
    { context_baseline_seq: 0, seen_seq: 0, mode: 'later' },
  ]) {
    expect((await send(guide, envelopeBy(guide), odd as Freshness)).status).toBe(400);
  }
  const dm = world.seal(guide, { dm: alice.slug }, 'x', [alice, guide]);
  expect((await send(guide, dm, current(0))).status).toBe(400);
  const eve = await world.join('eve');
  const foreign = await send(eve, envelopeBy(eve, 'x', [alice]), current(0));
  expect(foreign.status).toBe(403);
  expect(JSON.stringify(foreign.body)).not.toContain(head.id);
  expect((await world.raw('POST', '/v2/agent-runtime/messages:send', null, {})).status).toBe(401);
});

test('A sealed message is accepted in a plaintext channel for clients from 2.0', async () => {
  const channelId = 'ch_open';
  const payload = {
    space_id: space.spaceId,
    channel_id: channelId,
    name: 'open',
    created_at: 1,
    is_public: true,
  };
  await world.post(alice, 'create_channel', payload, { is_encrypted: false });
  const [guide] = agents as [Person];
  const envelope = world.seal(guide, { space: { ...space, channelId } }, 'sealed', everybody());
  expect((await send(guide, envelope, current(0))).body).toMatchObject({ state: 'sent' });
});

test('Spaces and members have the fields of clients from 2.0; an empty profile name changes nothing', async () => {
  const [guide] = agents as [Person];
  const { body } = await world.call(guide, 'GET', '/spaces');
  expect(body.spaces).toEqual([
    expect.objectContaining({
      description: '',
      avatar_url: '',
      role: 'member',
      joined_at: expect.any(Number),
    }),
  ]);
  const { spaceId, channelId } = space;
  const members = async () =>
    (await world.call(guide, 'GET', `/spaces/${spaceId}/channels/${channelId}/members`)).body.members;
  const own = { slug: guide.slug, identity_type: 'agent', owner_slug: alice.slug };
  expect(await members()).toContainEqual(expect.objectContaining({ ...own, online: false }));
  await world.subscribe(guide);
  expect(await members()).toContainEqual(expect.objectContaining({ ...own, online: true }));
  const profile = { display_name: '', bio: 'b', soul: '# Soul', role: 'coder: writes code' };
  expect((await world.call(guide, 'PATCH', '/identities/self', profile)).status).toBe(200);
  const read = (await world.call(guide, 'GET', `/identities/profiles?slugs=${guide.slug}`)).body.profiles;
  expect(read).toEqual([
    expect.objectContaining({ display_name: 'agent0', bio: 'b', owner_slug: alice.slug }),
  ]);
});

test('Of five concurrent answers to one prompt, one is sent and four are held unstored', async () => {
  const prompt = await plainSend(alice);
  const answers = await Promise.all(
    agents.map((agent) => send(agent, envelopeBy(agent), current(prompt.seq))),
  );
  const states = answers.map(({ body }) => body.state);
  expect(states.filter((state) => state === 'sent')).toHaveLength(1);
  expect(states.filter((state) => state === 'held')).toHaveLength(4);
  const stored = (await world.pending(alice)).filter((row) => row.seq > prompt.seq);
  expect(stored).toHaveLength(1);
  const winner = answers.find(({ body }) => body.state === 'sent')?.body as Json;
  for (const { body } of answers.filter(({ body }) => body.state === 'held')) {
    expect(body).toMatchObject({ latest_seq: winner.seq, latest_envelope_id: winner.envelope_id });
  }
});
