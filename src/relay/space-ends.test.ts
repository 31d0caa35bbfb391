import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { createDeviceRevocation } from '../core/puffo/certificates.ts';
import { newEnvelopeId } from '../core/puffo/ids.ts';
import { createSystemRandom } from '../services/clock/system-random.ts';

const world = new RelayWorld();
let alice: Person;
let bob: Person;
beforeAll(async () => {
  await world.start();
  [alice, bob] = [await world.join('alice'), await world.join('bob')];
});
afterAll(() => world.end());

async function together(...people: readonly Person[]) {
  const space = await world.space(alice);
  for (const person of people) {
    const invited = await world.invite(alice, space.spaceId, person.slug);
    expect(invited.status).toBe(200);
    const received = await world.call(person, 'GET', '/invites?direction=received');
    const [invitation] = received.body.invites as Json[];
    const accepted = await world.post(person, 'accept_space_invite', {
      space_id: space.spaceId,
      invitation_event_id: invitation?.invitation_event_id,
      accepted_at: 1,
    });
    expect(accepted.status).toBe(200);
  }
  return space;
}

test('A removed member receives no message from then on, and no event after the removal itself (T7)', async () => {
  const space = await together(bob);
  const ears = await world.subscribe(bob);
  const send = (to: readonly Person[]) =>
    world.call(alice, 'POST', '/messages', world.seal(alice, { space }, 'secret plans', to));
  const earlier = await send([alice, bob]);
  expect(earlier.body).toMatchObject({ devices_queued: 2 });
  await ears.frame(({ type }) => type === 'message');

  const removal = { space_id: space.spaceId, removed_slug: bob.slug, effective_from: world.clock.now() };
  expect((await world.post(alice, 'remove_from_space', removal)).status).toBe(200);
  await ears.frame(({ event }) => (event as Json | undefined)?.kind === 'remove_from_space');
  const heard = ears.frames.length;

  const sealedForBob = await send([alice, bob]);
  expect(sealedForBob).toMatchObject({
    status: 403,
    body: { error: 'FORBIDDEN', devices: [bob.identity.deviceId] },
  });
  expect((await send([alice])).body).toMatchObject({ devices_queued: 1, missing_devices: [] });
  await world.post(alice, 'create_channel', { space_id: space.spaceId, channel_id: 'ch_late', name: 'late' });
  const { envelope_id: messageId } = earlier.body;
  await world.call(alice, 'POST', `/messages/${String(messageId)}/processing/start`, { run_id: 'run_1' });
  await world.call(alice, 'PATCH', `/spaces/${space.spaceId}`, { name: 'Ours' });
  const pending = await world.pending(bob);
  expect(pending.map(({ envelope }) => envelope.envelope_id)).toEqual([messageId]);
  for (const path of ['channels', 'members', 'events', `channels/${space.channelId}/members`]) {
    expect((await world.call(bob, 'GET', `/spaces/${space.spaceId}/${path}`)).status).toBe(403);
  }
  // A DM marks the end: frames arrive in order, so nothing earlier is still in transit.
  await world.call(alice, 'POST', '/messages', world.seal(alice, { dm: bob.slug }, 'bye', [alice, bob]));
  await ears.frame((frame) => (frame.envelope as Json | undefined)?.envelope_kind === 'dm');
  const after = ears.frames.slice(heard).filter(({ type }) => type !== 'ping');
  // The membership frame is sent with the event of the removal itself.
  expect(after.map(({ type }) => type).filter((type) => type !== 'space_membership_changed')).toEqual([
    'message',
  ]);
  expect(after.filter(({ type }) => type === 'space_membership_changed').length).toBeLessThanOrEqual(1);
});

test('Removal from one channel takes effect at once and leaves the other channels unaffected', async () => {
  const space = await together(bob);
  const channelId = `ch_${newEnvelopeId(createSystemRandom())}`;
  const { spaceId } = space;
  const isPublic = { channel_id: channelId, name: 'garden', is_public: true, created_at: 1 };
  expect((await world.post(alice, 'create_channel', { space_id: spaceId, ...isPublic })).status).toBe(200);
  const removal = { space_id: spaceId, channel_id: channelId, removed_slug: bob.slug, effective_from: 1 };
  expect((await world.post(alice, 'remove_from_channel', removal)).status).toBe(200);
  const garden = { space: { spaceId, channelId } };
  const to = [alice, bob];
  const refused = await world.call(alice, 'POST', '/messages', world.seal(alice, garden, 'x', to));
  expect(refused.body).toMatchObject({ error: 'FORBIDDEN', devices: [bob.identity.deviceId] });
  const byBob = await world.call(bob, 'POST', '/messages', world.seal(bob, garden, 'x', to));
  expect(byBob.status).toBe(403);
  expect(
    (await world.call(alice, 'POST', '/messages', world.seal(alice, { space }, 'x', to))).body,
  ).toMatchObject({ devices_queued: 2 });
});

test('A device revoked by its member receives no more messages or frames of the space (T7)', async () => {
  const leaver = await world.join('leaver');
  const space = await together(leaver);
  const ears = await world.subscribe(leaver);
  const { deviceId, secrets } = leaver.identity;
  const root = world.engine.ed25519KeyPair(secrets.root);
  const now = world.clock.now();
  const revocation = createDeviceRevocation(world.engine, root, {
    deviceId,
    effectiveFrom: now,
    issuedAt: now,
  });
  expect((await world.call(leaver, 'POST', `/devices/${deviceId}/revoke`, revocation)).status).toBe(200);
  expect(await ears.closed()).toBe(4401);
  const heard = ears.frames.length;
  const sent = await world.call(
    alice,
    'POST',
    '/messages',
    world.seal(alice, { space }, 'x', [alice, leaver]),
  );
  expect(sent.body).toMatchObject({ devices_queued: 1, missing_devices: [] });
  expect(ears.frames.length).toBe(heard);
});

test('An archived space refuses all writes, from messages to invitations, until it is unarchived', async () => {
  const space = await together(bob);
  const { spaceId, channelId } = space;
  await world.invite(bob, spaceId, (await world.join('carol')).slug);
  const { slug } = await world.join('dora');
  const write = [
    () => world.call(bob, 'POST', '/messages', world.seal(bob, { space }, 'x', [alice, bob])),
    () => world.post(alice, 'create_channel', { space_id: spaceId, channel_id: 'ch_frozen', name: 'x' }),
    () => world.invite(alice, spaceId, slug),
    () => world.call(alice, 'PATCH', `/spaces/${spaceId}`, { name: 'x' }),
    () => world.call(alice, 'PATCH', `/spaces/${spaceId}/channels/${channelId}`, { name: 'x' }),
  ];
  expect((await world.call(alice, 'POST', `/spaces/${spaceId}/archive`)).status).toBe(200);
  for (const attempt of write) {
    expect(await attempt()).toMatchObject({ status: 403, body: { error: 'SPACE_ARCHIVED' } });
  }
  // Non-members do not even learn that it is archived.
  const outside = await world.join('outside');
  const refused = await world.invite(outside, spaceId, slug);
  expect(refused.body).toMatchObject({
    error: 'FORBIDDEN',
    message: 'Only members of this space may do that.',
  });
  expect((await world.call(alice, 'POST', `/spaces/${spaceId}/unarchive`)).status).toBe(200);
  for (const attempt of write) expect([200, 201]).toContain((await attempt()).status);
});

test('An invitation to an archived space stays pending; one from a member who left the channel ends', async () => {
  const carla = await world.join('carla');
  const space = await together(bob, carla);
  const { spaceId } = space;
  const eve = await world.join('eve');
  await world.invite(alice, spaceId, eve.slug);
  await world.call(alice, 'POST', `/spaces/${spaceId}/archive`);
  const invites = async (by: Person) =>
    (await world.call(by, 'GET', '/invites?direction=received')).body.invites as Json[];
  const accept = async (by: Person, scope: string, invitation: Json | undefined) =>
    world.post(by, `accept_${scope}_invite`, {
      space_id: spaceId,
      ...(invitation?.channel_id ? { channel_id: invitation.channel_id } : {}),
      invitation_event_id: invitation?.invitation_event_id,
      accepted_at: 1,
    });
  const [waiting] = await invites(eve);
  expect((await accept(eve, 'space', waiting)).body).toMatchObject({ error: 'SPACE_ARCHIVED' });
  await world.call(alice, 'POST', `/spaces/${spaceId}/unarchive`);
  expect((await accept(eve, 'space', waiting)).status).toBe(200);

  const channelId = 'ch_by-bob';
  await world.post(bob, 'create_channel', { space_id: spaceId, channel_id: channelId, name: 'den' });
  const into = { space_id: spaceId, channel_id: channelId, issued_at: 1 };
  await world.post(bob, 'invite_to_channel', { ...into, invitee_slug: carla.slug });
  const [open] = await invites(carla);
  expect(open).toMatchObject({ channel_name: 'den' });
  await world.post(bob, 'leave_channel', { space_id: spaceId, channel_id: channelId, effective_from: 1 });
  expect(await accept(carla, 'channel', open)).toMatchObject({
    status: 409,
    body: { said: { key: 'relay.inviterLeft_channel', values: { inviterSlug: bob.slug } } },
  });
  // A member removed from the space keeps no invitation to its channels either.
  await world.post(alice, 'remove_from_space', { space_id: spaceId, removed_slug: carla.slug });
  expect(await invites(carla)).toEqual([]);
});
