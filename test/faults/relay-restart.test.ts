import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mintRelayInvite } from '../../src/host/relay/team-relay.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { createServerDirectory, type ServerDirectory } from '../../src/services/puffo/directory.ts';
import { signUp } from '../../src/services/puffo/registration.ts';
import { createMemoryRegistryStore } from '../fakes/memory-registry-store.ts';
import { must, recordedAccount, type TestAccount } from '../fakes/puffo-rig.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { createFastClock } from './fast-clock.ts';
import { until } from './invariants.ts';

const random = createSeededRandom(seed);
const devices = 20;
const kills = proof ? 60 : 3;
/** Number of messages in flight when the relay dies. */
const burst = 5;
const clock = createFastClock(8);
const folder = mkdtempSync(path.join(tmpdir(), 'kennel-restart-'));

let relay: ChildProcess;
let port = 0;
let directory: ServerDirectory;
const people: TestAccount[] = [];
let room: { readonly spaceId: string; readonly channelId: string };

async function startRelay(): Promise<void> {
  const script = path.join(import.meta.dirname, '../children/relay-child.ts');
  relay = fork(script, [folder, String(port)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const [said] = (await once(relay, 'message')) as [{ port?: number; error?: string }];
  if (said.port === undefined) throw new Error(said.error);
  port = said.port;
}

async function killRelay(): Promise<void> {
  const gone = once(relay, 'exit');
  relay.kill('SIGKILL');
  await gone;
}

beforeAll(async () => {
  await startRelay();
  const serverUrl = `http://127.0.0.1:${port}`;
  const selected = await selectCryptoEngine();
  if (!selected.ok) throw new Error(selected.error.message);
  const crypto = selected.value.engine;
  const registryStore = createMemoryRegistryStore();
  directory = createServerDirectory({ serverUrl, registryStore, crypto, clock, log: createRecordingLog() });
  for (let n = 0; n < devices; n += 1) {
    const inviteCode = must(await mintRelayInvite(folder));
    const identity = must(await signUp({ serverUrl, inviteCode, username: `p${n}`, crypto, clock }));
    const account = recordedAccount(identity, { directory, crypto, clock, random: createSystemRandom() });
    account.account.start();
    people.push(account);
  }
  await Promise.all(people.map((one) => one.online()));
  const [owner, ...rest] = people as [TestAccount, ...TestAccount[]];
  const made = must(await owner.account.createSpace('Den'));
  room = { spaceId: made.spaceId, channelId: made.generalChannelId };
  for (const one of rest) {
    must(await owner.account.inviteToSpace(room.spaceId, one.identity.slug));
    const invite = await until('the invitation', () => one.invites.at(-1));
    must(await one.account.answerInvite(invite, true));
  }
}, 60_000);
afterAll(async () => {
  await Promise.all(people.map(({ account }) => account.stop()));
  directory.stop();
  await killRelay();
  rmSync(folder, { recursive: true, force: true });
});

it(`A relay killed ${kills} times in fan-out delivers to ${devices} devices once, in order (F1, F10), seed ${seed}`, {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const [owner] = people as [TestAccount];
  const said: string[] = [];
  let underWay = 0;
  for (let n = 0; n < kills; n += 1) {
    await Promise.all(people.map((one) => one.online()));
    for (let m = 0; m < burst; m += 1) said.push(owner.say(room, `round ${n}, message ${m}`));
    await new Promise((resolve) => setTimeout(resolve, random.fraction() * 90));
    await killRelay();
    const reached = people.map(({ store }) => store.known(said).size);
    if (Math.min(...reached) < Math.max(...reached)) underWay += 1;
    await startRelay();
  }
  const everywhere = (): boolean => people.every(({ store }) => store.known(said).size === said.length);
  await until('every message at every device', everywhere, 60_000);
  for (const { store, accepted, identity } of people) {
    const { messages } = store.history({ roomId: room.channelId, limit: 1_000 });
    expect(
      messages.map(({ envelopeId }) => envelopeId),
      `in order at ${identity.slug}`,
    ).toEqual(said);
    const told = accepted.map(({ envelopeId }) => envelopeId);
    expect(new Set(told).size, `once at ${identity.slug}`).toBe(told.length);
  }
  const failed = owner.settled.filter(({ state }) => state === 'failed');
  expect(failed).toEqual([]);
  if (proof) expect(underWay, 'deaths in the middle of a fan-out').toBeGreaterThan(0);
});
