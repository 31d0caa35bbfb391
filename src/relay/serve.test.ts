import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { testCrypto } from '../../test/fakes/test-crypto.ts';
import { createVirtualClock } from '../../test/fakes/virtual-clock.ts';
import { createIdentity } from '../core/puffo/identity.ts';
import { inviteHash } from '../core/puffo/invite-codes.ts';
import { createSystemClock } from '../services/clock/system-clock.ts';
import { createSystemRandom } from '../services/clock/system-random.ts';
import { openRelayStore } from '../services/db/relay-store.ts';
import { RateLimit } from './rate-limit.ts';
import { mintInvite, type ServeDeps, serveRelay } from './serve.ts';

const crypto = testCrypto;
const clock = createSystemClock();
const deps: ServeDeps = { crypto, clock, random: createSystemRandom(), openStore: openRelayStore };
const options = (dataDir: string) => ({
  dataDir,
  log: createRecordingLog(),
  listen: { host: '127.0.0.1', port: 0 },
});

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'kennel-serve-'));
  folders.push(made);
  return join(made, 'data');
};
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

test('F17: A second relay on the same data folder is refused, and starts once the first has stopped', async () => {
  const dataDir = folder();
  const first = await serveRelay(deps, options(dataDir));
  if (!first.ok) throw new Error(first.error.message);
  const second = await serveRelay(deps, options(dataDir));
  expect(second).toMatchObject({
    ok: false,
    error: { code: 'locked', message: expect.stringContaining('Another relay') },
  });
  await first.value.stop();
  await first.value.stop();
  const third = await serveRelay(deps, options(dataDir));
  expect(third.ok).toBe(true);
  if (third.ok) await third.value.stop();
});

test('An invite code created while the relay runs works for sign-up until it expires', async () => {
  const dataDir = folder();
  const relay = await serveRelay(deps, options(dataDir));
  if (!relay.ok) throw new Error(relay.error.message);
  const code = mintInvite(deps, dataDir, { validForMs: 60_000 });
  if (!code.ok) throw new Error(code.error.message);
  expect(code.value).toMatch(/^inv(-[a-z2-9]{4}){4}$/);
  const now = clock.now();
  const identity = createIdentity(crypto, { type: 'human', operatorRootPublicKey: null, now });
  const signUp = async (inviteCode: string): Promise<number> => {
    const answer = await fetch(`${relay.value.url}/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        invite_code: inviteCode,
        username: 'al',
        identity_cert: identity.identityCert,
        device_cert: identity.deviceCert,
      }),
    });
    return answer.status;
  };
  expect([await signUp('inv-made-made-made-made'), await signUp(code.value)]).toEqual([403, 201]);
  await relay.value.stop();
  const store = openRelayStore(join(dataDir, 'relay.db'));
  expect(store.people.inviteOpen(inviteHash(crypto, code.value), clock.now())).toBe(true);
  expect(store.people.inviteOpen(inviteHash(crypto, code.value), clock.now() + 61_000)).toBe(false);
  store.close();
});

test('T19: All files of the relay are private to their owner', async () => {
  const dataDir = folder();
  const relay = await serveRelay(deps, options(dataDir));
  if (!relay.ok) throw new Error(relay.error.message);
  relay.value.createInvite();
  const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o077]);
  expect(modes.length).toBeGreaterThanOrEqual(2);
  expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
  await relay.value.stop();
});

test('The relay reports a port in use and releases the lock on its data folder', async () => {
  const dataDir = folder();
  const relay = await serveRelay(deps, options(folder()));
  if (!relay.ok) throw new Error(relay.error.message);
  const listen = { host: '127.0.0.1', port: relay.value.port };
  const refused = await serveRelay(deps, { ...options(dataDir), listen });
  expect(refused).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  await relay.value.stop();
  const retried = await serveRelay(deps, { ...options(dataDir), listen });
  expect(retried.ok).toBe(true);
  if (retried.ok) await retried.value.stop();
});

test('The rate limit allows a burst, then only the refill rate', async () => {
  const virtual = createVirtualClock();
  const limit = new RateLimit(virtual, 3, 2);
  expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([true, true, true, false]);
  expect(limit.take('b')).toBe(true);
  await virtual.advance(500);
  expect([limit.take('a'), limit.take('a')]).toEqual([true, false]);
  await virtual.advance(60_000);
  limit.sweep();
  expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([true, true, true, false]);
});
