import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromBase64Url } from '../../src/core/lib/bytes.ts';
import { createSlugBinding } from '../../src/core/puffo/certificates.ts';
import { spokenFingerprint } from '../../src/core/puffo/enrolment.ts';
import { createIdentity, type NewIdentity } from '../../src/core/puffo/identity.ts';
import { safetyNumber } from '../../src/core/puffo/safety-number.ts';
import { say } from '../../src/language/say.ts';
import type { Relay } from '../../src/relay/relay.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { openRelayStore } from '../../src/services/db/relay-store.ts';
import { type Person, RelayWorld } from '../fakes/relay-world.ts';
import { type TestHost, until } from './host-rig.ts';
import { IdentityTown, operatorOnline, problem } from './identity-rig.ts';

let town: IdentityTown;
/** People at the relay whose requests the test signs itself. */
let world: RelayWorld;
beforeEach(async () => {
  town = new IdentityTown();
  await town.openRelay();
  world = new (class extends RelayWorld {
    override get relay(): Relay {
      if (!town.relay) throw new Error('the relay is closed');
      return town.relay;
    }
    override async stop(): Promise<void> {}
  })();
});
afterEach(async () => {
  await world.end();
  await town.end();
});

/** A person with the devices that the registry lists. */
async function reader(asker: Person, slug: string): Promise<Person> {
  const [device] = (await world.verified(asker, slug)).devices;
  if (!device) throw new Error(`${slug} has no device`);
  const deviceCert = { keys: { encryption: { public_key: device.kemPublicKey } } };
  return { slug, identity: { deviceId: device.deviceId, deviceCert } as never, session: asker.session };
}

async function write(from: Person, to: Person, text: string): Promise<number> {
  const sealed = world.seal(from, { dm: to.slug }, text, [from, to]);
  return (await world.call(from, 'POST', '/messages', sealed)).status;
}

const texts = async (kennel: TestHost, room: string): Promise<readonly string[]> => {
  const found = await kennel.tryCall('chat.history', { room });
  return found.ok ? found.value.messages.map(({ text }) => text) : [];
};
const hears = (kennel: TestHost, room: string, text: string) =>
  until(`"${text}"`, async () => (await texts(kennel, room)).includes(text));

/** Makes the server list another identity for `slug`. */
async function swap(slug: string): Promise<Person> {
  const { engine } = world;
  const now = Date.now();
  const made: NewIdentity = createIdentity(engine, { type: 'human', operatorRootPublicKey: null, now });
  await town.closeRelay();
  const file = path.join(town.dataDir, 'relay.db');
  const db = openDatabase(file);
  db.prepare('UPDATE identities SET root_key = ? WHERE slug = ?').run([made.rootPublicKey, slug]);
  db.close();
  const store = openRelayStore(file);
  const root = engine.ed25519KeyPair(made.secrets.root);
  store.people.addDevice({
    deviceId: made.deviceId,
    slug,
    createdAt: now,
    expiresAt: null,
    revokedFrom: null,
    signingPublicKey: made.deviceCert.keys.signing.public_key,
    kemPublicKey: made.deviceCert.keys.encryption?.public_key ?? '',
  });
  const certs = [
    ['identity_cert', made.identityCert],
    ['device_cert', made.deviceCert],
    ['slug_binding', createSlugBinding(engine, root, slug, now)],
  ] as const;
  for (const [kind, cert] of certs) store.people.addCert(slug, kind, JSON.stringify(cert));
  store.close();
  await town.openRelay();
  return await world.rotate({ slug, identity: made, session: world.session(made) });
}

describe('Person whose key has changed', () => {
  it('T7: is held until the operator accepts the new key by its full fingerprint, and then trusted', async () => {
    const home = town.newHome();
    const ada = await town.resident('ada', home);
    const bob = await world.join('bob', await town.invite());
    const room = `dm:${bob.slug}`;
    const toAda = await reader(bob, ada.slug);
    await write(bob, toAda, 'one');
    await hears(ada, room, 'one');
    const other = await swap(bob.slug);
    await operatorOnline(ada);
    expect(await write(other, toAda, 'two')).toBe(201);
    expect(await write(other, toAda, 'three')).toBe(201);
    const held = await until('both to be held', async () => {
      const { peers } = await ada.call('peers.list', {});
      return peers.find(({ state, messages }) => state === 'changed' && messages === 2);
    });
    const print = (who: Person) =>
      spokenFingerprint(world.engine, world.engine.ed25519KeyPair(who.identity.secrets.root).public);
    expect(held).toMatchObject({ knownFingerprint: print(bob), offeredFingerprint: print(other) });
    expect(await texts(ada, room)).toEqual(['one']);
    expect(await problem(ada, `held-${bob.slug}`)).toMatchObject({ severity: 'error' });
    for (const wrong of [print(bob), print(other).slice(0, -5), '']) {
      const tried = await ada.tryCall('peers.accept', { slug: bob.slug, fingerprint: wrong || '-' });
      expect(tried).toMatchObject({ error: { code: 'untrusted' } });
    }
    const fingerprint = print(other).replaceAll(' ', '').toUpperCase();
    expect(await ada.call('peers.accept', { slug: bob.slug, fingerprint })).toEqual({ released: 2 });
    await hears(ada, room, 'three');
    expect(await texts(ada, room)).toEqual(['one', 'two', 'three']);
    expect(await problem(ada, `held-${bob.slug}`)).toBeUndefined();

    await ada.stop();
    const again = await town.host(home);
    await operatorOnline(again);
    expect((await again.call('peers.list', {})).peers).toEqual([]);
    await again.call('chat.send', { to: bob.slug, text: 'welcome back' });
    await until('the answer at the other end', async () => (await world.pending(other)).length > 2);
    await write(bob, toAda, 'by the old key');
    await write(other, toAda, 'by the new key');
    await hears(again, room, 'by the new key');
    expect(await texts(again, room)).not.toContain('by the old key');
  }, 120_000);
});

describe('Verified person', () => {
  it('T7: loses the mark when the key changes, and gets it back only for the new key', async () => {
    const ada = await town.resident('ada');
    const bob = await world.join('bob', await town.invite());
    const number = async (who: Person): Promise<string> => {
      const me = await world.verified(who, ada.slug);
      const root = fromBase64Url(me.rootPublicKey) ?? new Uint8Array();
      const theirs = world.engine.ed25519KeyPair(who.identity.secrets.root).public;
      return safetyNumber(world.engine, { slug: who.slug, root: theirs }, { slug: ada.slug, root });
    };
    const trust = async () => (await ada.call('chat.rooms', {})).trust;
    const theirs = await number(bob);
    const shown = await ada.call('people.show', { who: bob.slug });
    expect(shown).toMatchObject({ safetyNumber: theirs, trust: null, verifiedAt: null });
    for (const wrong of [theirs.slice(0, -1), theirs.split(' ').reverse().join(' '), '-'])
      expect(await ada.tryCall('people.verify', { who: bob.slug, safetyNumber: wrong })).toMatchObject({
        error: { code: 'untrusted' },
      });
    await ada.call('people.verify', { who: bob.slug, safetyNumber: theirs.replaceAll(' ', '') });
    expect(await trust()).toEqual({ [bob.slug]: 'verified' });
    expect((await ada.call('people.show', { who: bob.slug })).verifiedAt).toBeGreaterThan(0);

    const other = await swap(bob.slug);
    await operatorOnline(ada);
    await write(other, await reader(other, ada.slug), 'it is me');
    await until('the chat to show the change', async () => (await trust())[bob.slug] === 'changed');
    expect(await ada.call('people.show', { who: bob.slug })).toMatchObject({
      trust: 'changed',
      safetyNumber: '',
      verifiedAt: null,
    });
    for (const each of [theirs, await number(other)])
      expect(await ada.tryCall('people.verify', { who: bob.slug, safetyNumber: each })).toMatchObject({
        error: { code: 'untrusted' },
      });
    const fingerprint = spokenFingerprint(
      world.engine,
      world.engine.ed25519KeyPair(other.identity.secrets.root).public,
    );
    await ada.call('peers.accept', { slug: bob.slug, fingerprint });
    await until('the mark to be gone', async () => (await trust())[bob.slug] === 'lost');
    expect(await ada.tryCall('people.verify', { who: bob.slug, safetyNumber: theirs })).toMatchObject({
      error: { code: 'untrusted' },
    });
    await ada.call('people.verify', { who: bob.slug, safetyNumber: await number(other) });
    expect(await trust()).toEqual({ [bob.slug]: 'verified' });
    await ada.call('people.unverify', { who: bob.slug });
    expect(await trust()).toEqual({});
  }, 120_000);
});

describe('People of the server', () => {
  it('are found by name if they share a room, and by the complete handle otherwise', async () => {
    const ada = await town.resident('ada');
    const bob = await town.resident('bob');
    const carl = await town.resident('carl');
    const find = async (text: string) => (await ada.call('people.find', { text })).people;
    expect(await find('bob'), 'a part of a handle finds no stranger').toEqual([]);
    expect(await find(`@${bob.slug}`)).toMatchObject([{ slug: bob.slug, agent: false, rooms: [] }]);
    expect(await find('nobody-0000')).toEqual([]);
    expect(await find(ada.slug), 'the operator is not listed').toEqual([]);
    const { roomId } = await ada.call('chat.send', { to: bob.slug, text: 'hello' });
    expect(await find('bob')).toMatchObject([{ slug: bob.slug, rooms: [roomId] }]);
    expect((await find('')).map(({ slug }) => slug)).toEqual([bob.slug]);
    expect(await find(carl.slug)).toMatchObject([{ slug: carl.slug, rooms: [] }]);
  }, 120_000);
});

describe('Strangers', () => {
  it('wait on the server if the operator wants that, until allowed or blocked', async () => {
    const ada = await town.resident('ada');
    const bob = await town.resident('bob');
    expect(await ada.call('peers.list', {})).toEqual({ peers: [], holdFirstContact: false });
    await ada.call('peers.holdFirst', { on: true });
    const sent = await bob.call('chat.send', { to: ada.slug, text: 'hello?' });
    const waits = (text: string) =>
      until('the sender to be told', async () => {
        const { messages } = await bob.call('chat.history', { room: sent.roomId });
        return messages.find((one) => one.text === text && one.deliveryError !== null);
      });
    const told = await waits('hello?');
    expect(told).toMatchObject({
      delivery: 'sent',
      deliveryError: say('server.waitsForConsent', { name: ada.slug }),
    });
    await until('the reader to be told', () => problem(ada, `contact-${bob.slug}`));
    expect((await ada.call('host.view', {})).waiting, 'the queue has the person').toBe(1);
    expect(await ada.call('peers.list', {})).toMatchObject({
      peers: [{ slug: bob.slug, state: 'waiting', messages: 1 }],
      holdFirstContact: true,
    });
    expect(await ada.call('peers.allow', { slug: bob.slug })).toEqual({ released: 1 });
    await hears(ada, `dm:${bob.slug}`, 'hello?');
    expect(await problem(ada, `contact-${bob.slug}`)).toBeUndefined();
    expect((await ada.call('host.view', {})).waiting).toBe(0);
    await ada.call('peers.block', { slug: bob.slug });
    await bob.call('chat.send', { to: ada.slug, text: 'and now?' });
    await waits('and now?');
    await ada.call('peers.forget', { slug: bob.slug });
    await ada.call('peers.allow', { slug: bob.slug });
    await bob.call('chat.send', { to: ada.slug, text: 'again' });
    await hears(ada, `dm:${bob.slug}`, 'again');
    expect(await texts(ada, `dm:${bob.slug}`)).not.toContain('and now?');
  }, 60_000);
});
