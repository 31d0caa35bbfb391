import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { inEnglish } from '../../../test/fakes/in-english.ts';
import { createMemoryKeychain } from '../../../test/fakes/memory-keychain.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import { toBase64Url, utf8 } from '../../core/lib/bytes.ts';
import type { SecretBox } from '../../core/ports.ts';
import { createIdentity, createSession, type Identity } from '../../core/puffo/identity.ts';
import { createNobleEngine } from '../crypto/noble-engine.ts';
import { createDisk } from '../disk/disk.ts';
import { createApiKeys } from './api-keys.ts';
import { loadIdentity, loadSession, saveIdentity, saveSession } from './identity-files.ts';
import { createMasterFiles, vaultState } from './master-file.ts';
import { patientKeychain } from './patient-keychain.ts';
import { storeKey } from './store-key.ts';
import { moveVault, openVault, type VaultDeps } from './vault.ts';

const crypto = createNobleEngine();
const scrypt = { n: 2 ** 10, r: 8, p: 1 };
let home: string;
eachTestInFolder('kennel-vault-', (made) => {
  home = made;
});

const disk = createDisk(createSeededRandom(11));
const clock = createVirtualClock();
const deps = (change: Partial<VaultDeps> = {}): VaultDeps => ({
  files: createMasterFiles(disk, home),
  crypto,
  keychain: null,
  allowDemoFile: false,
  scrypt,
  ...change,
});
async function opened(change: Partial<VaultDeps>): Promise<SecretBox> {
  const box = await openVault(deps(change));
  if (!box.ok) throw new Error(box.error.message);
  return box.value;
}
const snapshot = () =>
  Object.fromEntries(readdirSync(home).map((name) => [name, readFileSync(path.join(home, name), 'utf8')]));
const secret = utf8('a secret of mine');

describe('Vault', () => {
  it('uses the keychain, and reopens with it alone', async () => {
    const keychain = createMemoryKeychain();
    const wrapped = (await opened({ keychain, allowDemoFile: true })).wrap('label', secret);
    const again = await opened({ keychain });
    expect(again).toMatchObject({ kind: 'keychain', backend: 'test-keychain' });
    expect(again.unwrap('label', wrapped)).toEqual(ok(secret));
    expect(vaultState(createMasterFiles(disk, home))).toEqual({
      kind: 'keychain',
      backend: 'test-keychain',
      note: '',
    });
    expect([...keychain.items.values()].map((key) => key.length)).toEqual([32]);
    const master = toBase64Url([...keychain.items.values()][0]!);
    expect(JSON.stringify(snapshot())).not.toContain(master);
  });

  it('binds a wrapped secret to its label and its key', async () => {
    const box = await opened({ keychain: createMemoryKeychain() });
    const wrapped = box.wrap('label', secret);
    expect(box.wrap('label', secret)).not.toBe(wrapped);
    for (const [label, text] of [
      ['other', wrapped],
      ['label', `${wrapped.slice(0, -2)}${wrapped.endsWith('AA') ? 'BB' : 'AA'}`],
      ['label', wrapped.replace(/^k1[.]..../, 'k1.0000')],
      ['label', 'k1.0000000000000000.AA'],
      ['label', ''],
    ] as const) {
      expect(box.unwrap(label, text)).toMatchObject({ error: { code: 'corrupt' } });
    }
    expect(JSON.stringify(box)).toBe('{"kind":"keychain","backend":"test-keychain"}');
  });

  it('opens only with the right passphrase, and a wrong one changes nothing (T20)', async () => {
    const wrapped = (await opened({ passphrase: 'päss' })).wrap('l', secret);
    const before = snapshot();
    expect(await openVault(deps({ passphrase: 'pass', allowDemoFile: true }))).toMatchObject({
      error: { code: 'unauthenticated' },
    });
    expect(await openVault(deps({ keychain: createMemoryKeychain(), allowDemoFile: true }))).toMatchObject({
      error: { code: 'locked', hint: expect.stringContaining('KENNEL_PASSPHRASE') },
    });
    expect(snapshot()).toEqual(before);
    // The same text in another Unicode composition.
    expect((await opened({ passphrase: 'pa\u0308ss' })).unwrap('l', wrapped)).toEqual(ok(secret));
    expect(JSON.parse(before['master.json']!).scrypt).toMatchObject(scrypt);
  });

  it('uses the standard scrypt costs by default', async () => {
    const { scrypt: _cheap, ...rest } = deps({ passphrase: 'p' });
    expect((await openVault(rest)).ok).toBe(true);
    expect(JSON.parse(snapshot()['master.json']!).scrypt).toMatchObject({ n: 131_072, r: 8, p: 1 });
  });

  it('never falls back to a plain key file except for the demo (T20)', async () => {
    const keychain = createMemoryKeychain();
    keychain.mode = 'locked';
    for (const change of [{}, { keychain }]) {
      expect(await openVault(deps(change))).toMatchObject({ error: { code: 'insecure_storage' } });
    }
    expect(readdirSync(home)).toEqual([]);
    const box = await opened({ keychain, allowDemoFile: true });
    expect(box.kind).toBe('demo-file');
    expect(inEnglish(vaultState(createMasterFiles(disk, home)))).toMatchObject({
      kind: 'demo-file',
      note: expect.stringContaining('Demo only'),
    });
    expect(statSync(path.join(home, 'master.key')).mode & 0o777).toBe(0o600);
    const wrapped = box.wrap('l', secret);
    expect((await opened({})).unwrap('l', wrapped)).toEqual(ok(secret));
  });

  it('stays locked with a reason if the keychain is missing, replaced, empty or locked (F16, T20)', async () => {
    const keychain = createMemoryKeychain();
    await opened({ keychain });
    const before = snapshot();
    const other = createMemoryKeychain('kwallet');
    const empty = createMemoryKeychain();
    const closed = createMemoryKeychain();
    closed.mode = 'locked';
    const wrong = createMemoryKeychain();
    for (const account of keychain.items.keys()) wrong.items.set(account, new Uint8Array(32));
    for (const [given, says] of [
      [null, 'this session has none'],
      [other, 'offers "kwallet" instead'],
      [empty, 'does not have this folder'],
      [closed, 'locked'],
      [wrong, 'is not the one'],
    ] as const) {
      const refused = await openVault(deps({ keychain: given, allowDemoFile: true, passphrase: 'p' }));
      expect(refused).toMatchObject({ error: { code: 'locked', message: expect.stringContaining(says) } });
    }
    expect(snapshot()).toEqual(before);
  });

  it('reports that it waits for a slow keychain, and gives up after a timeout (F16)', async () => {
    const keychain = createMemoryKeychain();
    await opened({ keychain });
    keychain.mode = 'silent';
    const waiting: string[] = [];
    const onWaiting = (backend: string) => void waiting.push(backend);
    const asked = openVault(deps({ keychain: patientKeychain({ keychain, clock, onWaiting }) }));
    await clock.advance(1_900);
    expect(waiting).toEqual([]);
    await clock.advance(200);
    expect(waiting).toEqual(['test-keychain']);
    await clock.advance(60_000);
    expect(await asked).toMatchObject({ error: { code: 'timeout' } });
    expect(clock.pending()).toBe(0);
  });

  it('moves from the demo file to a keychain and replaces the exposed key', async () => {
    const demo = await opened({ allowDemoFile: true });
    const old = demo.wrap('l', secret);
    const exposed = readFileSync(path.join(home, 'master.key'), 'utf8').trim();
    const keychain = createMemoryKeychain();
    const moved = await moveVault(deps({ keychain }), { to: 'keychain' });
    expect(moved).toMatchObject({ ok: true, value: { kind: 'keychain' } });
    expect(existsSync(path.join(home, 'master.key'))).toBe(false);
    expect(JSON.stringify(snapshot())).not.toContain(exposed);
    expect([...keychain.items.values()].map(toBase64Url)).not.toContain(exposed);
    const box = await opened({ keychain });
    expect(box.unwrap('l', old)).toEqual(ok(secret));
    expect(demo.unwrap('l', box.wrap('l', secret)).ok).toBe(false);
  });

  it('moves from a passphrase to a keychain and to another passphrase, keeping every secret', async () => {
    const wrapped = (await opened({ passphrase: 'one' })).wrap('l', secret);
    const keychain = createMemoryKeychain();
    expect(await moveVault(deps({ passphrase: 'wrong', keychain }), { to: 'keychain' })).toMatchObject({
      error: { code: 'unauthenticated' },
    });
    expect((await moveVault(deps({ passphrase: 'one', keychain }), { to: 'keychain' })).ok).toBe(true);
    expect((await moveVault(deps({ keychain }), { to: 'passphrase', newPassphrase: 'two' })).ok).toBe(true);
    expect(keychain.items.size).toBe(0);
    expect((await opened({ passphrase: 'two' })).unwrap('l', wrapped)).toEqual(ok(secret));
    expect(await moveVault(deps({ passphrase: 'two' }), { to: 'passphrase' })).toMatchObject({
      error: { code: 'insecure_storage' },
    });
  });

  it('leaves an unreadable record unchanged', async () => {
    writeFileSync(path.join(home, 'master.json'), '{"version":9}');
    expect(await openVault(deps({ passphrase: 'p', allowDemoFile: true }))).toMatchObject({
      error: { code: 'corrupt' },
    });
    expect(snapshot()).toEqual({ 'master.json': '{"version":9}' });
  });
});

describe('Identities on disk', () => {
  const now = 1_778_790_000_000;
  const make = (): Identity => {
    const fresh = createIdentity(crypto, { type: 'human', operatorRootPublicKey: null, now });
    const { secrets, deviceId, identityCert, deviceCert } = fresh;
    return {
      slug: 'alice-a62c',
      deviceId,
      serverUrl: 'http://127.0.0.1:9',
      secrets,
      identityCert,
      slugBinding: null,
      deviceCert,
    };
  };
  const files = async () => ({
    disk,
    crypto,
    clock,
    box: await opened({ keychain: createMemoryKeychain() }),
  });
  const clear = (identity: Identity) =>
    Object.values(identity.secrets).map((key) => toBase64Url(key as Uint8Array));

  it('are saved wrapped and restored unchanged (T18)', async () => {
    const identity = make();
    const d = await files();
    expect(saveIdentity(d, path.join(home, 'keys'), identity)).toEqual(ok(undefined));
    const text = readFileSync(path.join(home, 'keys', 'alice-a62c.json'), 'utf8');
    for (const key of clear(identity)) expect(text).not.toContain(key);
    expect(statSync(path.join(home, 'keys', 'alice-a62c.json')).mode & 0o777).toBe(0o600);
    expect(loadIdentity(d, path.join(home, 'keys'), 'alice-a62c')).toEqual(ok(identity));
    expect(loadIdentity(d, path.join(home, 'keys'), 'bob-0001')).toMatchObject({
      error: { code: 'not_found' },
    });
    for (const slug of ['../x', 'a/b', '', '.hidden', 'a\\b']) {
      expect(loadIdentity(d, path.join(home, 'keys'), slug)).toMatchObject({
        error: { code: 'invalid_input' },
      });
    }
  });

  it('are read from a plain file of puffo-agent and wrapped in place (T19)', async () => {
    const vectors = JSON.parse(
      readFileSync(
        path.join(import.meta.dirname, '../../../test/fixtures/conformance/puffo-local.json'),
        'utf8',
      ),
    );
    const plain = JSON.parse(vectors.bridge.files_written_by_create['keys/helper-9a7c.json']);
    const file = path.join(home, 'helper-9a7c.json');
    writeFileSync(file, JSON.stringify({ ...plain, identity_profile_json: '{"kept":1}' }));
    const d = await files();
    const loaded = loadIdentity(d, home, 'helper-9a7c');
    expect(loaded).toMatchObject({
      ok: true,
      value: { deviceId: plain.device_id, identityCert: { identity_type: 'agent' } },
    });
    const text = readFileSync(file, 'utf8');
    for (const name of ['root_secret_key', 'device_signing_secret_key', 'kem_secret_key']) {
      expect(text).not.toContain(plain[name]);
    }
    expect(JSON.parse(text).identity_profile_json).toBe('{"kept":1}');
    expect(loadIdentity(d, home, 'helper-9a7c')).toEqual(loaded);
  });

  it('are refused if keys, ids and certificates do not match', async () => {
    const d = await files();
    const [one, two] = [make(), make()];
    expect(saveIdentity(d, home, { ...one, deviceId: two.deviceId }).ok).toBe(false);
    expect(saveIdentity(d, home, { ...one, identityCert: two.identityCert }).ok).toBe(false);
    saveIdentity(d, home, one);
    const file = path.join(home, 'alice-a62c.json');
    const content = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...content, device_id: two.deviceId }));
    expect(loadIdentity(d, home, 'alice-a62c')).toMatchObject({ error: { code: 'corrupt', where: file } });
    writeFileSync(file, JSON.stringify({ ...content, kem_secret_key: content.root_secret_key }));
    expect(loadIdentity(d, home, 'alice-a62c')).toMatchObject({ error: { code: 'corrupt' } });
    writeFileSync(file, '{"slug":');
    expect(loadIdentity(d, home, 'alice-a62c')).toMatchObject({ error: { code: 'corrupt' } });
    expect(readFileSync(file, 'utf8')).toBe('{"slug":');
  });

  it('have sessions that are stored wrapped and deleted once expired', async () => {
    const d = await files();
    const identity = make();
    const session = createSession(crypto, identity.secrets, identity.deviceId, clock.now());
    expect(saveSession(d, home, 'alice-a62c', session)).toEqual(ok(undefined));
    const file = path.join(home, 'alice-a62c.session.json');
    expect(readFileSync(file, 'utf8')).not.toContain(toBase64Url(session.secret));
    expect(loadSession(d, home, 'alice-a62c')).toEqual(session);
    const later = { ...d, clock: { ...clock, now: () => session.expiresAt } };
    expect(loadSession(later, home, 'alice-a62c')).toBeNull();
    expect(existsSync(file)).toBe(false);
    expect(loadSession(d, home, 'alice-a62c')).toBeNull();
    writeFileSync(file, 'nonsense');
    expect(loadSession(d, home, 'alice-a62c')).toBeNull();
  });
});

describe('Store keys', () => {
  it('are created once and kept wrapped beside the store', async () => {
    const d = { disk, crypto, box: await opened({ keychain: createMemoryKeychain() }) };
    const store = path.join(home, 'agents', 'a', 'messages.db');
    const key = storeKey(d, store);
    expect(key).toMatchObject({ ok: true });
    expect(storeKey(d, store)).toEqual(key);
    expect(statSync(`${store}.key`).mode & 0o777).toBe(0o600);
    writeFileSync(store, 'an encrypted store');
    rmSync(`${store}.key`);
    expect(storeKey(d, store)).toMatchObject({ error: { code: 'corrupt', where: `${store}.key` } });
    writeFileSync(`${store}.key`, 'k1.0000000000000000.AAAA');
    expect(storeKey(d, store)).toMatchObject({ error: { code: 'corrupt', where: `${store}.key` } });
  });
});

describe('API keys', () => {
  const make = (box: SecretBox | null) =>
    createApiKeys({ home, disk, clock, log: createRecordingLog(), box: () => box });

  it('are stored wrapped, by agent and provider', async () => {
    const keys = make(await opened({ keychain: createMemoryKeychain() }));
    expect(keys.set('agent:a', 'sk-canary')).toEqual(ok(undefined));
    expect(keys.set('provider:openai', 'sk-other')).toEqual(ok(undefined));
    expect([keys.get('agent:a'), keys.get('agent:b')]).toEqual([ok('sk-canary'), ok(null)]);
    expect(readFileSync(path.join(home, 'secrets.json'), 'utf8')).not.toContain('sk-');
    const closed = make(null);
    expect([closed.has('agent:a'), closed.has('agent:b')]).toEqual([true, false]);
    expect(closed.get('agent:a')).toMatchObject({ error: { code: 'locked' } });
    expect(closed.set('agent:a', 'x')).toMatchObject({ error: { code: 'locked' } });
    keys.delete('agent:a');
    expect(keys.get('agent:a')).toEqual(ok(null));
    expect(keys.get('provider:openai')).toEqual(ok('sk-other'));
  });

  it('are refused with a demo file vault (T20)', async () => {
    const keys = make(await opened({ allowDemoFile: true }));
    expect(keys.set('agent:a', 'sk-x')).toMatchObject({ error: { code: 'insecure_storage' } });
    expect(existsSync(path.join(home, 'secrets.json'))).toBe(false);
  });

  it('are reset if their file is damaged, and the file is moved aside', async () => {
    const keys = make(await opened({ keychain: createMemoryKeychain() }));
    writeFileSync(path.join(home, 'secrets.json'), '{"version":1,"api_keys":{"agent:a"');
    expect(keys.get('agent:a')).toEqual(ok(null));
    expect(
      readdirSync(home).filter((name) => name.startsWith('secrets.json.damaged-2026-05-14')),
    ).toHaveLength(1);
    expect(keys.set('agent:a', 'k')).toEqual(ok(undefined));
  });
});
