import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, RelayWorld } from '../../test/fakes/relay-world.ts';

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

test('T24: an operator and their agents share one quota of files; others have their own', async () => {
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

test('T24: spaces are counted, those of agents too', async () => {
  await world.space(alice, 'One');
  await world.space(guide, 'Two');
  await expect(world.space(alice, 'Three')).rejects.toThrow('QUOTA_EXCEEDED');
  await world.space(bob, 'One');
});

test('T24: agents are counted, unfinished sign-ups too', async () => {
  await world.adopt(alice, 'second');
  await expect(world.adopt(alice, 'third')).rejects.toThrow('QUOTA_EXCEEDED');
  await world.adopt(bob, 'first');
});
