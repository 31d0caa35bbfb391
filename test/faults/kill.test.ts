import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { HostSocket } from '../../bench/lib/host-socket.ts';
import type { ChatMessage } from '../../src/contract/model.ts';
import { patienceMs } from '../fakes/patience.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { checkAtRest } from './invariants.ts';
import { answering, type KennelProcess, kill, startKennel } from './kennel-process.ts';

const kills = proof ? 1000 : 10;

const random = createSeededRandom(seed).fraction;
const home = mkdtempSync(path.join(os.tmpdir(), 'kennel-kill-'));
let running: KennelProcess | null = null;

afterAll(async () => {
  if (running) await kill(running);
  rmSync(home, { recursive: true, force: true });
});

async function guideRoom(client: HostSocket): Promise<string> {
  const agent = await client.call<{ slug: string }>('agents.get', { agent: 'guide' });
  return `dm:${agent.slug}`;
}

async function wholeHistory(client: HostSocket, room: string): Promise<readonly ChatMessage[]> {
  const all: ChatMessage[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await client.call<{ messages: ChatMessage[]; hasMore: boolean }>('chat.history', {
      room,
      limit: 200,
      ...(before ? { before } : {}),
    });
    all.unshift(...page.messages);
    if (!page.hasMore || page.messages.length === 0) return all;
    before = page.messages[0]?.id;
  }
}

/** Sends until killed; returns what the host acknowledged (text by message id). */
async function sendUntilKilled(
  client: HostSocket,
  kennel: KennelProcess,
  round: number,
): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  let gone = false;
  const end = () => {
    gone = true;
    kennel.child.kill('SIGKILL');
  };
  const endSoon = () => setTimeout(end, 20 + random() * 400);
  // In every second round, kills only after the first answer: a slow machine would never acknowledge anything
  // otherwise.
  const sooner = round % 2 === 0;
  if (sooner) endSoon();
  for (let n = 0; !gone && n < 6; n += 1) {
    const text = `echo k${round}-${n}`;
    const sent = client.call<{ messageId: string }>('chat.send', { to: 'guide', text });
    const exit = new Promise<null>((resolve) => kennel.child.once('exit', () => resolve(null)));
    const answer = await Promise.race([sent, exit]).catch(() => null);
    if (!answer) break;
    acknowledged.set(answer.messageId, text);
    if (!sooner && n === 0) endSoon();
    await new Promise((resolve) => setTimeout(resolve, random() * 60));
  }
  return acknowledged;
}

function everyFileParses(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.name.endsWith('.json'))
      expect(() => JSON.parse(readFileSync(file, 'utf8')), file).not.toThrow();
    if (entry.name.endsWith('.yml')) expect(() => parse(readFileSync(file, 'utf8')), file).not.toThrow();
    expect(entry.name, 'nothing was quarantined').not.toMatch(/quarantine|corrupt/);
  }
}

const answersTo = (history: readonly ChatMessage[], text: string): readonly ChatMessage[] =>
  history.filter((message) => message.senderAgent && message.text.includes(text.slice('echo '.length)));

it(`F1: ${kills} SIGKILLs at random points lose no acknowledged message and answer none twice (seed ${seed})`, {
  timeout: 60_000 + kills * 6000,
}, async () => {
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < kills; round += 1) {
    running = startKennel(home);
    const client = await answering(home, running);
    if (round === 0) await client.call('setup.tryDemo');
    for (const [id, text] of await sendUntilKilled(client, running, round)) acknowledged.set(id, text);
    await kill(running);
    client.close();
    everyFileParses(home);
  }
  running = startKennel(home);
  const client = await answering(home, running);
  const room = await guideRoom(client);
  const open = new Set(acknowledged.values());
  const until = performance.now() + patienceMs + kills * 500;
  let history: readonly ChatMessage[] = [];
  while (open.size > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    history = await wholeHistory(client, room);
    for (const text of open) if (answersTo(history, text).length > 0) open.delete(text);
  }
  const present = new Set(history.map(({ id }) => id));
  expect(
    [...acknowledged.keys()].filter((id) => !present.has(id)),
    'I1: acknowledged messages lost',
  ).toEqual([]);
  expect([...open], 'I1: acknowledged messages never answered').toEqual([]);
  expect(present.size, 'I2: messages shown twice').toBe(history.length);
  const twice = [...acknowledged.values()].filter((text) => {
    const word = new RegExp(`${text.slice('echo '.length)}(?!\\d)`);
    return history.filter((message) => message.senderAgent && word.test(message.text)).length > 1;
  });
  expect(twice, 'I2: answered twice').toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(Math.floor(kills / 2));
  client.close();
  await kill(running, 'SIGTERM');
  everyFileParses(home);
  await checkAtRest(home);
});
