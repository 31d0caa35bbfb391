import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostPorts } from '../../src/host/host-ports.ts';
import { createVaultKeeper } from '../../src/host/vault/vault-keeper.ts';
import { englishText } from '../../src/language/host-message.ts';
import { createDisk } from '../../src/services/disk/disk.ts';
import { createMemoryKeychain } from '../fakes/memory-keychain.ts';
import { answerTo, newHome, startHost, type TestHost, testPorts, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
const running: TestHost[] = [];

async function start(env: Record<string, string> = {}, over: Partial<HostPorts> = {}): Promise<TestHost> {
  const kennel = await startHost(folder.home, { env, ...over });
  running.push(kennel);
  return kennel;
}

beforeEach(() => {
  folder = newHome();
});
afterEach(async () => {
  for (const kennel of running.splice(0)) await kennel.stop();
  folder.remove();
});

describe('Secrets of a host without a keychain', () => {
  it('require a passphrase before a real identity is stored (T20)', async () => {
    const kennel = await start();
    const signUp = { serverUrl: 'http://127.0.0.1:9', inviteCode: 'inv', username: 'me' };
    expect(await kennel.tryCall('setup.signUp', signUp)).toMatchObject({
      error: { code: 'insecure_storage' },
    });
    expect(existsSync(path.join(folder.home, 'master.json'))).toBe(false);
  });

  it('of the demo are kept in a file with a visible note, which rejects API keys (T20)', async () => {
    const kennel = await start();
    await kennel.call('setup.tryDemo', {});
    const view = await kennel.call('host.view', {});
    expect(view.vault.kind).toBe('demo-file');
    expect(englishText(view.vault.note)).not.toBe('');
    const refused = await kennel.tryCall('agents.setRuntime', { agent: 'guide', apiKey: 'sk-canary-abcdef' });
    expect(refused).toMatchObject({ error: { code: 'insecure_storage' } });
  });

  it('move from the demo file to a new keychain before a real key is stored (T20)', async () => {
    const before = await start();
    await before.call('setup.tryDemo', {});
    await before.stop();
    const keychain = createMemoryKeychain();
    const kennel = await start({}, { loadKeychain: async () => keychain });
    expect((await kennel.call('host.view', {})).vault.kind).toBe('demo-file');
    await kennel.call('agents.setRuntime', { agent: 'guide', apiKey: 'sk-canary-abcdef' });
    expect((await kennel.call('host.view', {})).vault).toMatchObject({ kind: 'keychain', note: '' });
    expect(existsSync(path.join(folder.home, 'master.key'))).toBe(false);
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo moved' });
    await answerTo(kennel, sent.roomId, sent.messageId);
  });

  it('unlock automatically when their keychain becomes available after the host start (T20)', async () => {
    const keychain = createMemoryKeychain();
    const before = await start({}, { loadKeychain: async () => keychain });
    await before.call('setup.tryDemo', {});
    await before.stop();
    let isThere = false;
    const kennel = await start({}, { loadKeychain: async () => (isThere ? keychain : null) });
    const locked = await kennel.call('host.view', {});
    expect(locked).toMatchObject({ state: 'locked', vault: { kind: 'keychain' } });
    expect(locked.problems.find(({ id }) => id === 'vault')?.hint).toContain('keychain');
    isThere = true;
    await until('it to open', async () => (await kennel.call('host.view', {})).state === 'ready');
    expect((await kennel.call('host.view', {})).problems.find(({ id }) => id === 'vault')).toBeUndefined();
  });

  it('stay in the demo file while the keychain refuses, with a notice (T20)', async () => {
    const refusing = createMemoryKeychain();
    refusing.mode = 'locked';
    const before = await start();
    await before.call('setup.tryDemo', {});
    await before.stop();
    const kennel = await start({}, { loadKeychain: async () => refusing });
    const refused = await kennel.tryCall('agents.setRuntime', { agent: 'guide', apiKey: 'sk-canary-abcdef' });
    expect(refused).toMatchObject({ error: { code: 'insecure_storage' } });
    expect((await kennel.call('host.view', {})).vault.kind).toBe('demo-file');
    expect(existsSync(path.join(folder.home, 'master.key'))).toBe(true);
  });

  it('are reported as stored in unencrypted databases if encryption is unavailable (T19)', async () => {
    const kennel = await start({}, { storesEncrypted: false });
    expect(englishText((await kennel.call('host.view', {})).vault.note)).toMatch(/not encrypted/);
    const { checks } = await kennel.call('host.doctor', {});
    expect(checks).toContainEqual(expect.objectContaining({ id: 'vault', status: 'warn' }));
  });

  it('move an API key from a config file into the vault and blank it in the file (T18)', async () => {
    const kennel = await start({ KENNEL_PASSPHRASE: 'correct horse' });
    await kennel.call('agents.create', { id: 'keyed', provider: 'openai' });
    const file = path.join(folder.home, 'agents/keyed/agent.yml');
    const clear = readFileSync(file, 'utf8').replace("api_key: ''", 'api_key: sk-canary-112233');
    writeFileSync(file, clear);
    await until('the move', async () => !readFileSync(file, 'utf8').includes('canary'));
    expect((await kennel.call('agents.get', { agent: 'keyed' })).runtime.apiKeySet).toBe(true);
    await kennel.stop();

    writeFileSync(file, clear);
    const again = await start({ KENNEL_PASSPHRASE: 'correct horse' });
    await until('the second move', async () => !readFileSync(file, 'utf8').includes('canary'));
    await again.stop();

    writeFileSync(file, clear);
    const locked = await start();
    expect((await locked.call('host.view', {})).state).toBe('locked');
    expect(readFileSync(file, 'utf8')).toContain('canary');
    await locked.call('host.unlock', { passphrase: 'correct horse' });
    await until('the third move', async () => !readFileSync(file, 'utf8').includes('canary'));
  });

  it('share one vault when several calls open it concurrently', async () => {
    const ports = await testPorts(folder.home, { env: { KENNEL_PASSPHRASE: 'correct horse' } });
    const keeper = () =>
      createVaultKeeper({
        ports,
        disk: createDisk(ports.random),
        onWaiting: () => undefined,
        onChanged: () => undefined,
      });
    const providers = ['openai', 'google', 'anthropic'];
    const first = keeper();
    for (const stored of await Promise.all(
      providers.map(async (provider) => {
        await first.openForReal();
        return first.apiKeys.setForProvider(provider, `sk-${provider}`);
      }),
    )) {
      expect(stored.ok).toBe(true);
    }
    const later = keeper();
    await later.openForReal();
    for (const provider of providers) {
      expect(later.apiKeys.find('any', provider)?.key).toBe(`sk-${provider}`);
    }
  });

  it('move from the demo file to a passphrase at run time and stay readable', async () => {
    const kennel = await start();
    await kennel.call('setup.tryDemo', {});
    await kennel.call('host.unlock', { passphrase: 'correct horse' });
    expect((await kennel.call('host.view', {})).vault.kind).toBe('passphrase');
    expect(existsSync(path.join(folder.home, 'master.key'))).toBe(false);
    await kennel.call('agents.setRuntime', { agent: 'guide', apiKey: 'sk-canary-abcdef' });
    expect((await kennel.call('agents.get', { agent: 'guide' })).runtime.apiKeySet).toBe(true);
    expect(JSON.stringify(await kennel.call('agents.get', { agent: 'guide' }))).not.toContain('canary');
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo moved' });
    await answerTo(kennel, sent.roomId, sent.messageId);
    await kennel.stop();

    const locked = await start();
    expect(await locked.call('host.view', {})).toMatchObject({ state: 'locked', relay: { url: null } });
    expect(await locked.tryCall('host.unlock', { passphrase: 'wrong' })).toMatchObject({
      error: { code: 'unauthenticated' },
    });
    expect((await locked.call('host.view', {})).state).toBe('locked');
    await locked.call('host.unlock', { passphrase: 'correct horse' });
    await until('the history', async () => {
      const page = await locked.tryCall('chat.history', { room: sent.roomId });
      return page.ok && page.value.messages.some(({ text }) => text === 'echo moved');
    });
    await locked.stop();

    const given = await start({ KENNEL_PASSPHRASE: 'correct horse' });
    expect((await given.call('host.view', {})).state).toBe('ready');
    const log = readFileSync(path.join(folder.home, 'logs', 'host.log'), 'utf8');
    expect(log).not.toMatch(/correct horse|canary/);
  });
});
