import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryKeychain } from '../../../test/fakes/memory-keychain.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Result } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { toBase64Url, toHex } from '../../core/lib/bytes.ts';
import { createIdentity, createSession } from '../../core/puffo/identity.ts';
import { createAgentStore } from '../agent-store/agent-store.ts';
import { DaemonFile } from '../config/daemon-settings.ts';
import { createNobleEngine } from '../crypto/noble-engine.ts';
import { openAccountStore } from '../db/account-store.ts';
import { openRegistryStore } from '../db/registry-store.ts';
import { createDisk } from '../disk/disk.ts';
import { tidyHome } from '../disk/tidy-home.ts';
import { createApiKeys } from './api-keys.ts';
import { loadIdentity, saveIdentity, saveSession } from './identity-files.ts';
import { createMasterFiles } from './master-file.ts';
import { storeKey } from './store-key.ts';
import { openVault } from './vault.ts';

let home: string;
let umask: number;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kennel-at-rest-'));
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(home, { recursive: true, force: true });
});

const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

const everything = () =>
  readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => ({
    file: path.join(entry.parentPath, entry.name),
    folder: entry.isDirectory(),
  }));

/** Files that contain one of the secrets, as text, base64url or hex. */
function leaks(secrets: readonly (string | Uint8Array)[]): string[] {
  const needles = secrets.flatMap((secret) =>
    typeof secret === 'string'
      ? [Buffer.from(secret)]
      : [Buffer.from(secret), toBase64Url(secret), toHex(secret)],
  );
  return everything()
    .filter(({ folder }) => !folder)
    .filter(({ file }) => needles.some((needle) => readFileSync(file).includes(needle)))
    .map(({ file }) => path.relative(home, file));
}

it('No message, key or API key is readable in the data folder, and no file is open to others (T18, T19, I5)', async () => {
  const crypto = createNobleEngine();
  const random = createSeededRandom(5);
  const [disk, clock, log] = [createDisk(random), createVirtualClock(), createRecordingLog()];
  const keychain = createMemoryKeychain();
  const box = value(
    await openVault({ files: createMasterFiles(disk, home), crypto, keychain, allowDemoFile: false }),
  );
  const apiKeys = createApiKeys({ home, disk, clock, log, box: () => box });

  const keys = path.join(home, 'agents', 'a', 'keys');
  const fresh = createIdentity(crypto, { type: 'human', operatorRootPublicKey: null, now: clock.now() });
  const { secrets, deviceId, identityCert, deviceCert } = fresh;
  const identity = {
    slug: 'a-0001',
    deviceId,
    serverUrl: 'http://x',
    secrets,
    identityCert,
    deviceCert,
    slugBinding: null,
  };
  const session = createSession(crypto, secrets, deviceId, clock.now());
  mkdirSync(path.join(home, 'agents'));
  const agents = createAgentStore({
    home,
    disk,
    clock,
    log,
    random,
    takeApiKey: (id, key) => apiKeys.set(`agent:${id}`, key),
  });
  value(agents.create({ id: 'a', config: agentConfigSchema().parse({}), profile: '# Soul\n' }));
  writeFileSync(path.join(home, 'agents', 'a', 'agent.yml'), 'runtime:\n  api_key: sk-agent-canary\n');
  value(agents.update('a', { role: 'tester' }));
  writeFileSync(path.join(home, 'daemon.yml'), 'openai:\n  api_key: sk-daemon-canary\n');
  const settings = new DaemonFile({
    home,
    disk,
    log,
    takeApiKey: (name, key) => apiKeys.set(`provider:${name}`, key),
  });
  expect(settings.error()).toBeNull();
  value(saveIdentity({ disk, crypto, clock, box }, keys, identity));
  value(saveSession({ disk, crypto, clock, box }, keys, 'a-0001', session));

  const storePath = path.join(home, 'agents', 'a', 'messages.db');
  const key = value(storeKey({ disk, crypto, box }, storePath));
  const store = openAccountStore({ path: storePath, slug: 'a-0001', key, clock, log });
  const registryPath = path.join(home, 'registry', 'x.db');
  const registryKey = value(storeKey({ disk, crypto, box }, registryPath));
  const registry = openRegistryStore({ path: registryPath, key: registryKey, clock, log });
  const message = sampleMessage({ content: 'message-canary '.repeat(400) });
  store.accept([{ message, decision: { react: true, reason: 'mention', priority: 1 } }]);
  registry.append('bob-canary', [{ seq: 1, kind: 'k', slug: 'bob-canary', cert: {} }], 1);

  const planted = [
    'sk-agent-canary',
    'sk-daemon-canary',
    'message-canary',
    'bob-canary',
    ...Object.values(secrets as unknown as Record<string, Uint8Array>),
    session.secret,
    key,
    registryKey,
    ...keychain.items.values(),
  ];
  expect(leaks(planted)).toEqual([]);
  await tidyHome(home);
  for (const { file, folder } of everything()) {
    expect(statSync(file).mode & 0o777, file).toBe(folder ? 0o700 : 0o600);
  }
  store.release();
  registry.release();
  expect(leaks(planted)).toEqual([]);
  expect(leaks(['role: tester'])).toEqual(['agents/a/agent.yml']);
  expect(JSON.stringify(log.lines)).not.toMatch(/canary/);

  expect(value(apiKeys.get('agent:a'))).toBe('sk-agent-canary');
  expect(value(apiKeys.get('provider:openai'))).toBe('sk-daemon-canary');
  expect(value(loadIdentity({ disk, crypto, clock, box }, keys, 'a-0001'))).toEqual(identity);
  expect(store.message('msg_1')?.content).toBe(message.content);
  store.release();
});
