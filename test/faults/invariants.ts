/**
 * Invariants after every fault: I1 no acknowledged message is lost, I2 nothing is stored or answered twice,
 * I3 order is kept, I4 every file is intact, I5 no readable content where it may not be, I6 other agents go
 * on, I7 the fault is visible within ten seconds, I8 all recovers without a restart.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { ChatMessage } from '../../src/contract/model.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { createDisk } from '../../src/services/disk/disk.ts';
import { createMasterFiles } from '../../src/services/vault/master-file.ts';
import { storeKey } from '../../src/services/vault/store-key.ts';
import { openVault } from '../../src/services/vault/vault.ts';
import { patienceMs, promised } from '../fakes/patience.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import type { Door } from './door.ts';

/** Every text that the tests send contains this word, so that one search finds all leaks. */
export const canary = 'zanderfilet';

export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  ms = patienceMs,
): Promise<T> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited ${ms} ms in vain for ${what}`);
}

/** I7: the fault is visible to an operator in time. */
export const seen = <T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> =>
  until(what, look, promised(10_000));

/** Messages that one agent received, and those that the host acknowledged. */
export class Conversation {
  readonly agent: string;
  /** Text by message id, in order of acknowledgement. */
  readonly acknowledged = new Map<string, string>();
  readonly refused: string[] = [];
  #count = 0;
  #room: string | null = null;

  constructor(agent = 'guide') {
    this.agent = agent;
  }

  /** Error code if the host did not accept the message; otherwise `null`. */
  async say(door: Door, padding = 0): Promise<string | null> {
    this.#count += 1;
    const text = `echo ${canary}-${this.agent}-${this.#count}${padding > 0 ? ` ${'x'.repeat(padding)}` : ''}`;
    const sent = await door.tryCall('chat.send', { to: this.agent, text });
    if (!sent.ok) {
      this.refused.push(sent.error.message);
      return sent.error.code;
    }
    this.#room = sent.value.roomId;
    this.acknowledged.set(sent.value.messageId, text);
    return null;
  }

  async history(door: Door): Promise<readonly ChatMessage[]> {
    const all: ChatMessage[] = [];
    let before: string | undefined;
    for (;;) {
      const room = this.#room ?? `dm:${(await door.call('agents.get', { agent: this.agent })).slug}`;
      const page = await door.call('chat.history', { room, limit: 200, ...(before ? { before } : {}) });
      all.unshift(...page.messages);
      before = page.messages[0]?.id;
      if (!page.hasMore || before === undefined) return all;
    }
  }

  /** Ids of the messages that have an answer. */
  async answered(door: Door): Promise<ReadonlySet<string>> {
    const found = await this.history(door).catch(() => []);
    return new Set(found.flatMap(({ own, threadRootId }) => (own || !threadRootId ? [] : [threadRootId])));
  }

  async #allAnswered(door: Door): Promise<boolean> {
    const done = await this.answered(door);
    return [...this.acknowledged.keys()].every((id) => done.has(id));
  }

  /** Whether all messages are answered within `ms`. */
  async answers(door: Door, ms: number): Promise<boolean> {
    for (const end = Date.now() + ms; Date.now() < end; ) {
      if (await this.#allAnswered(door)) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  }

  /** I1, I2, I3 (and I8 without a restart): waits until all messages are answered, then counts. */
  async holds(door: Door, ms = patienceMs): Promise<void> {
    const ids = [...this.acknowledged.keys()];
    await until(`answers to ${ids.length} messages of ${this.agent}`, () => this.#allAnswered(door), ms);
    const history = await this.history(door);
    const present = history.map(({ id }) => id);
    expect(new Set(present).size, 'I2: shown twice').toBe(present.length);
    expect(
      present.filter((id) => this.acknowledged.has(id)),
      'I1 and I3: all there, in order',
    ).toEqual(ids);
    for (const id of ids) {
      const text = history.find((message) => message.id === id)?.text;
      expect(text, 'I1: as it was sent').toBe(this.acknowledged.get(id));
      const answers = history.filter(({ own, threadRootId }) => !own && threadRootId === id);
      expect(answers, 'I2: one answer each').toHaveLength(1);
    }
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Key lookup for the databases in `home`; returns `null` for those without a key, such as the relay's. */
export async function keyFinder(home: string, passphrase?: string) {
  const engine = await selectCryptoEngine();
  if (!engine.ok) throw new Error(engine.error.message);
  const crypto = engine.value.engine;
  const disk = createDisk(createSeededRandom(1));
  const base = { files: createMasterFiles(disk, home), crypto, keychain: null, allowDemoFile: false };
  const box = await openVault(passphrase === undefined ? base : { ...base, passphrase });
  if (!box.ok) throw new Error(`the vault does not open: ${box.error.message}`);
  return (file: string): Uint8Array | null => {
    if (path.basename(path.dirname(file)) === 'relay') return null;
    const key = storeKey({ disk, crypto, box: box.value }, file);
    if (!key.ok) throw new Error(`no key of ${file}: ${key.error.message}`);
    return key.value;
  };
}

export interface AtRest {
  readonly passphrase?: string;
  /** Number of damaged files that the fault must have moved aside. */
  readonly damaged?: number;
  /** A harmed file that is only noticed when it is read. */
  readonly harmed?: string;
}

/** I4 and I5 of a folder that no host uses. */
export async function checkAtRest(
  home: string,
  { passphrase, damaged = 0, harmed }: AtRest = {},
): Promise<void> {
  const files = filesBelow(home);
  for (const file of files) {
    if (file.endsWith('.json')) expect(() => JSON.parse(readFileSync(file, 'utf8')), file).not.toThrow();
    if (file.endsWith('.yml')) expect(() => parse(readFileSync(file, 'utf8')), file).not.toThrow();
    expect(readFileSync(file).includes(canary), `I5: ${file} can be read`).toBe(false);
    expect(statSync(file).mode & 0o077, `I5: ${file} is open to others`).toBe(0);
  }
  expect(files.filter((file) => /\.damaged-[^/]*Z(-\d+)?$/.test(file)).length, 'I4: files put aside').toBe(
    damaged,
  );
  const databases = files.filter((file) => file.endsWith('.db') && statSync(file).size > 0);
  if (databases.length === 0) return;
  const keyOf = await keyFinder(home, passphrase);
  for (const file of databases) {
    const key = keyOf(file);
    const db = openDatabase(file, key ? { key } : {});
    if (file !== harmed) expect(db.pragma('integrity_check'), `I4: ${file}`).toBe('ok');
    db.close();
  }
}

/** I6: an agent that the fault does not concern works as usual. */
export async function undisturbed(door: Door, agent = 'checker'): Promise<void> {
  await until(`${agent} at work`, async () => {
    const { agents } = await door.call('agents.list', {});
    return agents.some(
      ({ id, life, connection }) => id === agent && life === 'running' && connection === 'online',
    );
  });
}
