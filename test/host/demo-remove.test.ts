import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { createDisk } from '../../src/services/disk/disk.ts';
import { createMasterFiles } from '../../src/services/vault/master-file.ts';
import { storeKey } from '../../src/services/vault/store-key.ts';
import { openVault } from '../../src/services/vault/vault.ts';
import { createMemoryKeychain, type MemoryKeychain } from '../fakes/memory-keychain.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { answerTo, newHome, startHost, type TestHost } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let keychain: MemoryKeychain;
let kennel: TestHost;

beforeEach(async () => {
  folder = newHome();
  keychain = createMemoryKeychain();
});
afterEach(async () => {
  await kennel.stop();
  folder.remove();
});

const start = async (loadKeychain: () => Promise<MemoryKeychain | null>): Promise<void> => {
  kennel = await startHost(folder.home, { loadKeychain });
  await kennel.call('setup.tryDemo', {});
};
const inHome = (...names: readonly string[]): string => path.join(folder.home, ...names);

function storedIn(kennelFolder: string, pattern: RegExp): string[] {
  return readdirSync(kennelFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(kennelFolder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !pattern.test(file));
}
const notOfTheDemo = /^(logs\/|host\.|docker\/shared\/CLAUDE\.md$|daemon\.yml$|cache\/)/;

/** Stored messages of the agent, read with only the folder and its keychain. */
async function messagesOf(id: string, slug: string): Promise<readonly string[]> {
  const crypto = await selectCryptoEngine();
  if (!crypto.ok) throw new Error(crypto.error.message);
  const disk = createDisk(createSystemRandom());
  const parts = { disk, clock: createSystemClock(), crypto: crypto.value.engine };
  const box = await openVault({
    files: createMasterFiles(disk, folder.home),
    crypto: parts.crypto,
    keychain,
    allowDemoFile: true,
  });
  if (!box.ok) throw new Error(box.error.message);
  const file = inHome('agents', id, 'messages.db');
  const key = storeKey({ ...parts, box: box.value }, file);
  if (!key.ok) throw new Error(key.error.message);
  const store = openAccountStore({
    path: file,
    key: key.value,
    slug,
    clock: parts.clock,
    log: createRecordingLog(),
  });
  const { messages } = store.history({ roomId: store.rooms()[0]?.roomId ?? '', limit: 50 });
  store.release();
  return messages.map(({ content }) => String(content));
}

describe('Demo removal', () => {
  it.each([
    ['the keychain', true],
    ['the demo key file', false],
  ])('keeps the key in %s while an own agent has stored messages, and reports it', async (_where, chain) => {
    await start(async () => (chain ? keychain : null));
    const { agent } = await kennel.call('agents.create', { id: 'ada' });
    const sent = await kennel.call('chat.send', { to: 'ada', text: 'echo kept for later' });
    await answerTo(kennel, sent.roomId, sent.messageId);
    const removed = await kennel.call('setup.removeDemo', {});
    expect(englishText(removed.note ?? '')).toContain('messages of ada');
    expect(keychain.items.size).toBe(chain ? 1 : 0);
    await kennel.stop();
    if (!chain) keychain.mode = 'silent';
    expect(await messagesOf('ada', agent.slug ?? '')).toContain('echo kept for later');
    expect(existsSync(inHome('agents', 'ada', 'keys'))).toBe(false);
  });

  it('keeps the key while an archived agent needs it', async () => {
    await start(async () => keychain);
    await kennel.call('agents.create', { id: 'ada' });
    await kennel.call('agents.archive', { agent: 'ada' });
    expect(englishText((await kennel.call('setup.removeDemo', {})).note ?? '')).toContain(
      'archived agents (ada-',
    );
    expect(keychain.items.size).toBe(1);
  });

  it('deletes all files and the keychain item if nothing needs them, also after a second demo', async () => {
    await start(async () => keychain);
    await kennel.call('agents.create', { id: 'ada' });
    expect(keychain.items.size).toBe(1);
    await kennel.call('setup.removeDemo', {});
    await kennel.call('agents.delete', { agent: 'ada' });
    await kennel.call('setup.tryDemo', {});
    expect(await kennel.call('setup.removeDemo', {})).toEqual({});
    expect(keychain.items.size).toBe(0);
    expect(storedIn(folder.home, notOfTheDemo)).toEqual([]);
  });
});
