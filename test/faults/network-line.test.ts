import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredMessage } from '../../src/core/puffo/stored-message.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { createServerDirectory } from '../../src/services/puffo/directory.ts';
import { createMemoryRegistryStore } from '../fakes/memory-registry-store.ts';
import { createRig, must, type Rig, recordedAccount, type TestAccount } from '../fakes/puffo-rig.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { testCrypto } from '../fakes/test-crypto.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { createFastClock } from './fast-clock.ts';
import { until } from './invariants.ts';
import { createLineFaults } from './line-faults.ts';
import { startProxy, type WeatherProxy } from './proxy.ts';

const random = createSeededRandom(seed);
const drops = proof ? 500 : 10;
const clock = createFastClock(8);
const folder = mkdtempSync(path.join(tmpdir(), 'kennel-line-'));

interface Side {
  readonly proxy: WeatherProxy;
  readonly account: TestAccount;
  stop(): Promise<void>;
}
let rig: Rig;
let ada: Side;
let bob: Side;
let room: { readonly spaceId: string; readonly channelId: string };

/** An account on a separate computer: its own connection and its own store on disk. */
async function side(username: string): Promise<Side> {
  const identity = await rig.person(username);
  const proxy = await startProxy(rig.relay.url);
  const crypto = testCrypto;
  const log = createRecordingLog();
  const registryStore = createMemoryRegistryStore();
  const directory = createServerDirectory({ serverUrl: proxy.url, registryStore, crypto, clock, log });
  const file = path.join(folder, `${username}.db`);
  const key = new Uint8Array(32).fill(7);
  const store = openAccountStore({ path: file, slug: identity.slug, key, clock, log });
  const deps = { directory, crypto, clock, random: createSystemRandom() };
  const account = recordedAccount({ ...identity, serverUrl: proxy.url }, deps, { store });
  account.account.start();
  await account.online();
  return {
    proxy,
    account,
    async stop() {
      await account.account.stop();
      directory.stop();
      store.release();
      await proxy.stop();
    },
  };
}

beforeAll(async () => {
  rig = await createRig({ pingMs: 2_000 });
  [ada, bob] = [await side('ada'), await side('bob')];
  const made = must(await ada.account.account.createSpace('Den'));
  room = { spaceId: made.spaceId, channelId: made.generalChannelId };
  must(await ada.account.account.inviteToSpace(room.spaceId, bob.account.identity.slug));
  const invite = await until('the invitation', () => bob.account.invites.at(-1));
  must(await bob.account.account.answerInvite(invite, true));
}, 60_000);
afterAll(async () => {
  await Promise.all([ada.stop(), bob.stop()]);
  await rig.stop();
  rmSync(folder, { recursive: true, force: true });
});

function history({ account }: Side, roomId: string): readonly StoredMessage[] {
  const all: StoredMessage[] = [];
  let before: string | undefined;
  for (;;) {
    const page = account.store.history({ roomId, limit: 200, ...(before ? { before } : {}) });
    all.unshift(...page.messages);
    before = page.messages[0]?.envelopeId;
    if (!page.hasMore || before === undefined) return all;
  }
}

const ids = (messages: readonly StoredMessage[]): readonly string[] =>
  messages.map(({ envelopeId }) => envelopeId);

it(`All messages arrive once, in order, despite ${drops} drops and torn or repeated frames (F9, F10, F12), seed ${seed}`, {
  timeout: 60_000 + drops * 1_500,
}, async () => {
  const faults = createLineFaults(random, 25);
  for (const { proxy } of [ada, bob]) proxy.plague(faults);
  const said = { room: [] as string[], toBob: [] as string[], toAda: [] as string[] };
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  for (let n = 0; n < drops; n += 1) {
    said.room.push(ada.account.say(room, `to all ${n}`));
    said.toBob.push(ada.account.say({ dm: bob.account.identity.slug }, `to bob ${n}`));
    said.toAda.push(bob.account.say({ dm: ada.account.identity.slug }, `to ada ${n}`));
    await pause(10 + random.fraction() * 250);
    (random.fraction() < 0.5 ? ada : bob).proxy.strike();
    if (n % 5 === 4) await pause(600);
  }
  for (const { proxy } of [ada, bob]) {
    proxy.plague(null);
    // Frames that were dropped silently arrive with the next connection.
    proxy.cut();
  }
  const [adaSlug, bobSlug] = [ada.account.identity.slug, bob.account.identity.slug];
  const arrived = (): boolean =>
    history(bob, room.channelId).length >= drops &&
    history(bob, `dm:${adaSlug}`).length >= 2 * drops &&
    history(ada, `dm:${bobSlug}`).length >= 2 * drops;
  await until('all of it', arrived, 60_000);
  await until(
    'nothing to be open',
    () => [ada, bob].every(({ account }) => account.store.openOutbox().length === 0),
    30_000,
  );

  expect(ids(history(bob, room.channelId)), 'in order in the channel').toEqual(said.room);
  for (const [side, peer] of [
    [bob, adaSlug],
    [ada, bobSlug],
  ] as const) {
    const all = ids(history(side, `dm:${peer}`));
    expect(
      all.filter((id) => said.toBob.includes(id)),
      'in order',
    ).toEqual(said.toBob);
    expect(
      all.filter((id) => said.toAda.includes(id)),
      'in order',
    ).toEqual(said.toAda);
    expect(new Set(all).size, 'once').toBe(all.length);
    const told = ids(side.account.accepted);
    expect(new Set(told).size, 'told once').toBe(told.length);
    expect(side.account.settled.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(side.account.refused, 'nothing that was true is refused').toEqual([]);
  }
  const rows = rig.relay.serverView(room, 10_000);
  expect(
    rows.map(({ envelopeId }) => envelopeId),
    'once at the server',
  ).toEqual(said.room);
  expect(faults.counts.size, JSON.stringify([...faults.counts])).toBeGreaterThan(7);
});
