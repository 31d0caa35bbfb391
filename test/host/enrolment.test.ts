import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestHost, until } from './host-rig.ts';
import { IdentityTown, operatorOnline } from './identity-rig.ts';

let town: IdentityTown;
beforeEach(async () => {
  town = new IdentityTown();
  await town.openRelay();
});
afterEach(() => town.end());

/** Enrols `second` as a device of the account of `first`, with the comparison that two people would make. */
async function joined(first: TestHost, second: TestHost): Promise<string> {
  const begun = await second.call('devices.enrolBegin', { serverUrl: town.url });
  const asking = await first.call('devices.enrolLook', { code: begun.code.toUpperCase() });
  expect(asking).toMatchObject({ code: begun.code, words: begun.words });
  const { device } = await first.call('devices.enrolApprove', { code: begun.code, words: asking.words });
  const ready = await second.call('devices.enrolWait', {});
  expect(ready).toEqual({ state: 'ready', slug: asking.slug, fingerprint: asking.fingerprint });
  const done = await second.call('devices.enrolFinish', { accept: true });
  expect(done).toMatchObject({ slug: asking.slug, note: expect.stringContaining('cannot be read here') });
  await operatorOnline(second);
  return device;
}

const texts = async (kennel: TestHost, room: string): Promise<readonly string[]> => {
  const found = await kennel.tryCall('chat.history', { room });
  return found.ok ? found.value.messages.map(({ text }) => text) : [];
};
const hears = (kennel: TestHost, room: string, text: string) =>
  until(`"${text}"`, async () => (await texts(kennel, room)).includes(text));

it('A second device reads and writes new messages, but cannot read earlier ones', async () => {
  const ada = await town.resident('ada');
  const bob = await town.resident('bob');
  await bob.call('chat.send', { to: ada.slug, text: 'before' });
  await hears(ada, `dm:${bob.slug}`, 'before');
  const desk = await town.host(town.newHome());
  await joined(ada, desk);
  await bob.call('chat.send', { to: ada.slug, text: 'after' });
  await hears(desk, `dm:${bob.slug}`, 'after');
  await hears(ada, `dm:${bob.slug}`, 'after');
  expect(await texts(desk, `dm:${bob.slug}`)).toEqual(['after']);
  await desk.call('chat.send', { to: bob.slug, text: 'from the desk' });
  await hears(bob, `dm:${ada.slug}`, 'from the desk');
  await hears(ada, `dm:${bob.slug}`, 'from the desk');
  const { devices } = await desk.call('devices.list', {});
  expect(devices.map(({ current, revokedAt }) => [current, revokedAt])).toEqual([
    [false, null],
    [true, null],
  ]);
}, 120_000);

it('T7: A revoked device receives nothing more, from connected and from returning peers', async () => {
  const ada = await town.resident('ada');
  const bob = await town.resident('bob');
  const home = town.newHome();
  const carl = await town.resident('carl', home);
  const desk = await town.host(town.newHome());
  const device = await joined(ada, desk);
  for (const peer of [bob, carl]) {
    await peer.call('chat.send', { to: ada.slug, text: 'first' });
    await hears(desk, `dm:${peer.slug}`, 'first');
  }
  await carl.stop();
  expect(await ada.tryCall('devices.revoke', { device: 'dev_' })).toMatchObject({
    error: { code: 'not_found' },
  });
  const own = (await ada.call('devices.list', {})).devices.find(({ current }) => current);
  expect(await ada.tryCall('devices.revoke', { device: own?.id ?? '' })).toMatchObject({
    error: { code: 'conflict' },
  });
  await ada.call('devices.revoke', { device });
  expect(
    (await ada.call('devices.list', {})).devices.find(({ id }) => id === device)?.revokedAt,
  ).toBeLessThanOrEqual(Date.now());
  await until(
    'the desk to be shut out',
    async () => (await desk.call('host.view', {})).operator?.connection === 'blocked',
    30_000,
  );
  const again = await town.host(home);
  for (const peer of [{ ...again, slug: carl.slug }, bob]) {
    const before = town.relay?.serverView({ dm: [peer.slug, ada.slug] }, 50).length ?? 0;
    await peer.call('chat.send', { to: ada.slug, text: 'second' });
    await hears(ada, `dm:${peer.slug}`, 'second');
    expect(await texts(desk, `dm:${peer.slug}`)).toEqual(['first']);
    expect(town.relay?.serverView({ dm: [peer.slug, ada.slug] }, 50).length).toBe(before + 1);
  }
  const sealedFor = town.sealedDevices();
  expect(sealedFor.filter((ids) => ids.includes(device))).toHaveLength(2);
}, 120_000);

it('A device is enrolled only with the compared words, and can be declined in the last step', async () => {
  const ada = await town.resident('ada');
  const desk = await town.host(town.newHome());
  expect(await desk.tryCall('devices.enrolWait', {})).toMatchObject({ error: { code: 'not_found' } });
  expect(await desk.tryCall('devices.enrolLook', { code: 'abcd-efgh-jkmn' })).toMatchObject({
    error: { code: 'conflict' },
  });
  const begun = await desk.call('devices.enrolBegin', { serverUrl: town.url });
  const wrong = await ada.tryCall('devices.enrolApprove', { code: begun.code, words: 'other words' });
  expect(wrong).toMatchObject({ error: { code: 'conflict' } });
  expect(await ada.tryCall('devices.enrolLook', { code: '2222-2222-2222' })).toMatchObject({
    error: { code: 'not_found' },
  });
  await ada.call('devices.enrolApprove', { code: begun.code, words: begun.words });
  expect((await desk.call('devices.enrolWait', {})).state).toBe('ready');
  const refused = await desk.call('devices.enrolFinish', { accept: false });
  expect(refused).toMatchObject({ slug: null, note: expect.stringContaining('revoke it there') });
  expect((await desk.call('host.view', {})).operator).toBeNull();
  expect(await ada.tryCall('devices.enrolBegin', { serverUrl: town.url })).toMatchObject({
    error: { code: 'conflict' },
  });
}, 60_000);

it('An enrolment request survives a restart of the requesting host', async () => {
  const ada = await town.resident('ada');
  const home = town.newHome();
  const desk = await town.host(home);
  const begun = await desk.call('devices.enrolBegin', { serverUrl: town.url });
  await desk.stop();
  await ada.call('devices.enrolApprove', { code: begun.code, words: begun.words });
  const again = await town.host(home);
  expect(await again.call('devices.enrolWait', {})).toMatchObject({ state: 'ready', slug: ada.slug });
  expect(await again.call('devices.enrolFinish', { accept: true })).toMatchObject({ slug: ada.slug });
}, 60_000);
