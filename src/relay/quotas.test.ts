import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { createDeviceRevocation } from '../core/puffo/certificates.ts';
import { signObject } from '../core/puffo/signatures.ts';

const world = new RelayWorld({
  blobsPerOperator: 3,
  blobBytesPerOperator: 250,
  spacesPerOperator: 2,
  agentsPerOperator: 2,
});
let alice: Person;
let bob: Person;
let guide: Person;
beforeAll(async () => {
  await world.start();
  alice = await world.join('alice');
  bob = await world.join('bob');
  guide = await world.adopt(alice, 'guide');
});
afterAll(() => world.end());

async function upload(by: Person, bytes: number) {
  const body = new Uint8Array(bytes);
  return await world.raw('POST', '/blobs/upload', body, world.headers(by, 'POST', '/blobs/upload', body));
}

test('T24: An operator and their agents share one file quota, separate from others', async () => {
  expect((await upload(alice, 100)).status).toBe(201);
  expect((await upload(guide, 100)).status).toBe(201);
  expect(await upload(guide, 100)).toMatchObject({
    status: 403,
    body: { error: 'QUOTA_EXCEEDED', quota: 'blob_bytes', used: 200, limit: 250 },
  });
  expect((await upload(alice, 10)).status).toBe(201);
  expect(await upload(alice, 10)).toMatchObject({ status: 403, body: { quota: 'blobs', limit: 3 } });
  expect((await upload(bob, 100)).status).toBe(201);
});

test('T24: The space quota counts spaces of agents too', async () => {
  await world.space(alice, 'One');
  await world.space(guide, 'Two');
  await expect(world.space(alice, 'Three')).rejects.toThrow('QUOTA_EXCEEDED');
  await world.space(bob, 'One');
});

test('T24: The agent quota counts unfinished sign-ups too', async () => {
  await world.adopt(alice, 'second');
  await expect(world.adopt(alice, 'third')).rejects.toThrow('QUOTA_EXCEEDED');
  await world.adopt(bob, 'first');
});

test('T24: A too large signed event or certificate is refused', async () => {
  const space = await world.space(bob, 'Small');
  const ears = await world.subscribe(bob);
  const payload = { space_id: space.spaceId, channel_id: 'ch_large', name: 'large', created_at: 1 };
  const large = await world.post(bob, 'create_channel', { ...payload, padding: 'x'.repeat(64 * 1024) });
  expect(large).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
  const { deviceId, secrets } = bob.identity;
  const root = world.engine.ed25519KeyPair(secrets.root);
  const times = { effectiveFrom: world.clock.now() + 3_600_000, issuedAt: world.clock.now() };
  const { signature: _, ...body } = createDeviceRevocation(world.engine, root, { deviceId, ...times });
  const padded = { ...body, padding: 'x'.repeat(1024 * 1024) };
  const signed = signObject(world.engine, padded, root.secret);
  if (!signed.ok) throw new Error(signed.error.message);
  const revocation = { ...padded, signature: signed.value };
  expect((await world.call(bob, 'POST', `/devices/${deviceId}/revoke`, revocation)).status).toBe(400);
  expect((await world.post(bob, 'create_channel', payload)).status).toBe(200);
  const heard = await ears.frame(({ type }) => type === 'event' || type === 'cert_update');
  expect(heard.type).toBe('event');
  expect(JSON.stringify(ears.frames).length).toBeLessThan(64 * 1024);
});
