import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/contract/model.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import type { Door } from './door.ts';
import { doorOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';

const kills = proof ? 100 : 4;
const random = createSeededRandom(seed).fraction;
const home = mkdtempSync(path.join(os.tmpdir(), 'kennel-kill-files-'));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let running: KennelProcess | null = null;

afterAll(async () => {
  if (running) await kill(running);
  rmSync(home, { recursive: true, force: true });
});

const contentOf = (name: string): Buffer => Buffer.alloc(400_000 + name.length, name);

/** `null` if the host died meanwhile. */
async function put(door: Door, filename: string): Promise<string | null> {
  const content = contentOf(filename);
  const begun = await door.tryCall('files.begin', { filename, size: content.length });
  if (!begun.ok) return null;
  const { uploadId } = begun.value;
  for (let offset = 0; offset < content.length; ) {
    const base64 = content.subarray(offset, offset + 300_000).toString('base64');
    const piece = await door.tryCall('files.piece', { uploadId, offset, base64 });
    if (!piece.ok) return null;
    offset = piece.value.received;
  }
  return uploadId;
}

/**
 * Sends messages with two files each until the host is killed at a random moment; returns the acknowledged
 * ids.
 */
async function sendUntilKilled(door: Door, kennel: KennelProcess, round: number): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const text = `echo k${round}-${n}.`;
    const files = [await put(door, `${round}-${n}-a.txt`), await put(door, `${round}-${n}-b.txt`)];
    if (n === 0) setTimeout(() => kennel.child.kill('SIGKILL'), random() * 250);
    if (files.includes(null)) break;
    const sent = await door.tryCall('chat.send', { to: 'guide', text, files: files.map(String) });
    if (!sent.ok) break;
    acknowledged.push(text);
  }
  return acknowledged;
}

async function fileOf(door: Door, message: string, index: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const piece = await door.call('chat.file', { message, index, offset });
    const bytes = Buffer.from(piece.base64, 'base64');
    pieces.push(bytes);
    offset += bytes.length;
    if (piece.done) return Buffer.concat(pieces);
  }
}

const inboxes = (): readonly string[] => readdirSync(path.join(home, 'agents/guide/workspace/.puffo/inbox'));

it(`F1: SIGKILL between adding and sending a file loses, duplicates and leaves behind none (seed ${seed})`, {
  timeout: 120_000 + kills * 8_000,
}, async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    running = startKennel(home);
    const door = await doorOf(home, running);
    if (round === 0) await door.call('setup.tryDemo', {});
    acknowledged.push(...(await sendUntilKilled(door, running, round)));
    await kill(running);
    door.close();
  }
  running = startKennel(home);
  const door = await doorOf(home, running);
  const { slug } = await door.call('agents.get', { agent: 'guide' });
  const history = async (): Promise<readonly ChatMessage[]> =>
    (await door.call('chat.history', { room: `dm:${slug}`, limit: 200 })).messages;
  const own = async (): Promise<readonly ChatMessage[]> =>
    (await history()).filter((one) => one.own && one.attachments.length > 0);
  const answered = (all: readonly ChatMessage[], text: string): number =>
    all.filter((one) => !one.own && one.text.includes(text.slice('echo '.length))).length;
  const end = performance.now() + 60_000;
  for (;;) {
    const all = await history();
    const sent = all.every(({ delivery }) => delivery === 'sent' || delivery === 'received');
    if (sent && acknowledged.every((text) => answered(all, text) > 0)) break;
    if (performance.now() > end) break;
    await pause(200);
  }
  const all = await history();
  const messages = await own();
  expect(messages.length).toBeGreaterThan(0);
  expect(acknowledged.filter((text) => answered(all, text) !== 1)).toEqual([]);
  expect(acknowledged.filter((text) => messages.filter((one) => one.text === text).length !== 1)).toEqual([]);
  for (const { id, attachments, delivery, text } of messages) {
    expect({ text, delivery }).toEqual({ text, delivery: 'sent' });
    for (const [index, { filename }] of attachments.entries()) {
      expect((await fileOf(door, id, index)).equals(contentOf(filename)), filename).toBe(true);
      const inbox = path.join(home, 'agents/guide/workspace/.puffo/inbox', id, filename);
      expect(readFileSync(inbox).equals(contentOf(filename)), filename).toBe(true);
    }
  }
  expect(inboxes().toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
  await expect.poll(() => readdirSync(path.join(home, 'operator/outgoing'))).toEqual([]);
  door.close();
});
