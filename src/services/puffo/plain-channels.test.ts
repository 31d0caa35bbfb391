import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryRegistryStore } from '../../../test/fakes/memory-registry-store.ts';
import { must, recordedAccount, type TestAccount, until } from '../../../test/fakes/puffo-rig.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { RelayWorld } from '../../../test/fakes/relay-world.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { openRelayStore } from '../db/relay-store.ts';
import { createServerDirectory, type ServerDirectory } from './directory.ts';
import { signUp } from './registration.ts';

type RelayStore = ReturnType<typeof openRelayStore>;
type ChannelRow = NonNullable<ReturnType<RelayStore['spaces']['channel']>>;

/** A relay that can change its claim about a channel. */
const world = new RelayWorld();
const said = new Map<string, boolean>();
/** Channels for which its lists omit the claim. */
const silent = new Set<string>();
const directories: ServerDirectory[] = [];
const accounts: TestAccount[] = [];
let store: RelayStore;

const lying = (channel: ChannelRow): ChannelRow => ({
  ...channel,
  isEncrypted: said.get(channel.channelId) ?? channel.isEncrypted,
});
const listed = (channel: ChannelRow): ChannelRow =>
  silent.has(channel.channelId) ? { ...channel, isEncrypted: undefined as never } : lying(channel);

beforeAll(async () => {
  store = openRelayStore(world.file);
  const { spaces } = store;
  await world.start({
    ...store,
    spaces: {
      ...spaces,
      channel: (id) => {
        const found = spaces.channel(id);
        return found && lying(found);
      },
      channels: (id) => spaces.channels(id).map(listed),
    },
  });
});
afterAll(async () => {
  await Promise.all(accounts.map(({ account }) => account.stop()));
  for (const directory of directories) directory.stop();
  await world.end();
});

/** One computer: its accounts share what it knows of the server. */
interface Dispute {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
}

function computer(): { readonly directory: ServerDirectory; readonly disputes: Dispute[] } {
  const disputes: Dispute[] = [];
  const directory = createServerDirectory({
    serverUrl: world.relay.url,
    registryStore: createMemoryRegistryStore(),
    crypto: world.engine,
    clock: world.clock,
    log: createRecordingLog(),
    onDispute: (channel, open) => disputes.push({ id: channel.id, name: channel.name, open }),
  });
  directories.push(directory);
  return { directory, disputes };
}

async function person(username: string, { directory }: { readonly directory: ServerDirectory }) {
  const { engine: crypto, clock, relay } = world;
  const inviteCode = relay.createInvite();
  const identity: Identity = must(
    await signUp({ serverUrl: relay.url, inviteCode, username, crypto, clock }),
  );
  const opened = recordedAccount(identity, { directory, crypto, clock, random: createSystemRandom() });
  accounts.push(opened);
  opened.account.start();
  await opened.online();
  return opened;
}

function bring(into: { spaceId: string; channelId: string }, { account: { slug } }: TestAccount): void {
  store.transaction(() => {
    store.spaces.saveMember(into.spaceId, { slug, role: 'member' }, 1);
    store.spaces.saveChannelMember(into.channelId, { slug, role: 'member' }, 1);
  });
}

async function twoIn(encrypted: boolean) {
  const [here, there] = [computer(), computer()];
  const [alice, bob] = [await person('alice', here), await person('bob', there)];
  const { spaceId } = must(await alice.account.createSpace('Home'));
  const { channelId } = must(await alice.account.spaces.createChannel(spaceId, 'square', encrypted));
  const room = { spaceId, channelId };
  bring(room, bob);
  return { here, alice, bob, room };
}

const settled = (who: TestAccount, id: string) =>
  until(`${id} to be settled`, () => who.settled.find((each) => each.id === id));
const arrived = (who: TestAccount, id: string) =>
  until(`${id} to arrive`, () => who.accepted.find(({ envelopeId }) => envelopeId === id));
const viewOf = (who: TestAccount, channelId: string) =>
  who.account.rooms().channels.find(({ id }) => id === channelId);

describe('Unencrypted channel', () => {
  it('carries signed messages that the server can read, and is shown as such', async () => {
    const { alice, bob, room } = await twoIn(false);
    expect(viewOf(alice, room.channelId)).toMatchObject({ name: 'square', encrypted: false });
    const id = alice.say(room, 'read me, server');
    expect(await settled(alice, id)).toMatchObject({ state: 'sent' });
    expect(await arrived(bob, id)).toMatchObject({ content: 'read me, server', encrypted: false });
    expect(store.mail.message(id)).toMatchObject({ encrypted: false });
    expect(store.mail.message(id)?.body).toContain('read me, server');
  });

  it('makes a client that did not know resend its encrypted message in plaintext under the same id, once', async () => {
    const { alice, bob, room } = await twoIn(false);
    const id = bob.say(room, 'did not know');
    expect(await settled(bob, id)).toMatchObject({ state: 'sent', error: null });
    expect(await arrived(alice, id)).toMatchObject({ content: 'did not know', encrypted: false });
    expect(viewOf(bob, room.channelId)).toMatchObject({ encrypted: false });
    const direct = bob.say({ dm: alice.account.slug }, 'sealed as ever');
    expect(await arrived(alice, direct)).toMatchObject({ encrypted: true });
  });

  it('T7: never gets in plaintext a message written while the channel was shown as encrypted', async () => {
    const { bob, room } = await twoIn(false);
    silent.add(room.channelId);
    must(await bob.account.refreshRooms());
    expect(viewOf(bob, room.channelId)).toMatchObject({ encrypted: true });
    silent.delete(room.channelId);
    const id = bob.say(room, 'secret five');
    const outcome = await settled(bob, id);
    expect(outcome.state).toBe('failed');
    expect(outcome.error).toContain('Nothing was sent in the clear');
    expect(store.mail.message(id)).toBeNull();
    expect(viewOf(bob, room.channelId)).toMatchObject({ encrypted: false });
    expect(await settled(bob, bob.say(room, 'open then'))).toMatchObject({ state: 'sent' });
  });

  it('gets encrypted messages once the server reports it as encrypted', async () => {
    const { alice, bob, room } = await twoIn(false);
    const first = alice.say(room, 'open');
    await settled(alice, first);
    said.set(room.channelId, true);
    const second = alice.say(room, 'closed');
    expect(await settled(alice, second)).toMatchObject({ state: 'sent' });
    expect(await arrived(bob, second)).toMatchObject({ content: 'closed', encrypted: true });
  });
});

describe('Channel known to be encrypted (T7)', () => {
  it('never gets plaintext, whatever the server says; the dispute is reported once', async () => {
    const { here, alice, room } = await twoIn(true);
    said.set(room.channelId, false);
    const ids = [alice.say(room, 'secret one'), alice.say(room, 'secret two')];
    for (const id of ids) {
      const outcome = await settled(alice, id);
      expect(outcome.state).toBe('failed');
      expect(outcome.error).toContain('Nothing was sent in the clear');
      expect(store.mail.message(id)).toBeNull();
    }
    const about = { id: room.channelId, name: 'square' };
    expect(here.disputes).toEqual([{ ...about, open: true }]);
    expect(viewOf(alice, room.channelId)).toMatchObject({ encrypted: true });
    said.delete(room.channelId);
    must(await alice.account.refreshRooms());
    expect(here.disputes).toEqual([
      { ...about, open: true },
      { ...about, open: false },
    ]);
    const again = alice.say(room, 'sealed again');
    expect(await settled(alice, again)).toMatchObject({ state: 'sent' });
  });

  it('stays encrypted for every account of the computer, also for new members', async () => {
    const { here, room } = await twoIn(true);
    const helper = await person('helper', here);
    bring(room, helper);
    said.set(room.channelId, false);
    const id = helper.say(room, 'secret three');
    expect(await settled(helper, id)).toMatchObject({ state: 'failed' });
    expect(store.mail.message(id)).toBeNull();
  });

  it('is known to be encrypted from received messages if the server does not say', async () => {
    const { bob, room } = await twoIn(true);
    const id = bob.say(room, 'sealed');
    expect(await settled(bob, id)).toMatchObject({ state: 'sent' });
    said.set(room.channelId, false);
    const later = bob.say(room, 'secret four');
    expect(await settled(bob, later)).toMatchObject({ state: 'failed' });
    expect(store.mail.message(later)).toBeNull();
  });
});
