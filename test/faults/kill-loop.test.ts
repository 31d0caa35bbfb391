import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/consent.ts';
import type { ChatMessage } from '../../src/contract/model.ts';
import type { Door } from './door.ts';
import { checkAtRest, until } from './invariants.ts';
import { doorOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';

const proof = process.env.KENNEL_PROOF === '1';
const kills = Number(process.env.KENNEL_LOOP_KILLS ?? (proof ? 200 : 12));
const seed = Number(process.env.KENNEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** mulberry32: small, seeded, good enough to place kills. */
function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = seeded(seed);
const home = mkdtempSync(path.join(os.tmpdir(), 'kennel-kill-loop-'));
let running: KennelProcess | null = null;
let door: Door | null = null;

afterAll(async () => {
  door?.close();
  if (running) await kill(running);
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<Door> {
  running = startKennel(home);
  door = await doorOf(home, running);
  await door.call('setup.tryDemo', {});
  return door;
}

async function crash(): Promise<void> {
  if (running) await kill(running);
  door?.close();
}

const workspace = (name: string): string => path.join(home, 'agents', 'guide', 'workspace', name);
const guideRoom = async (at: Door): Promise<string> =>
  `dm:${(await at.call('agents.get', { agent: 'guide' })).slug}`;

async function history(at: Door): Promise<readonly ChatMessage[]> {
  const all: ChatMessage[] = [];
  const room = await guideRoom(at);
  let before: string | undefined;
  for (;;) {
    const page = await at.call('chat.history', { room, limit: 200, ...(before ? { before } : {}) });
    all.unshift(...page.messages);
    before = page.messages[0]?.id;
    if (!page.hasMore || before === undefined) return all;
  }
}

const about = (approval: Approval, file: string): boolean => approval.argsJson.includes(`"${file}"`);

async function questions(at: Door, file: string): Promise<readonly Approval[]> {
  const { approvals } = await at.call('approvals.list', { state: 'all', limit: 200 });
  return approvals.filter((approval) => about(approval, file));
}

/** Says yes to whatever waits about this file; a host that is just going says nothing. */
async function allow(at: Door, file: string): Promise<void> {
  const waiting = await at.tryCall('approvals.list', { state: 'waiting', limit: 200 });
  for (const { id, digest, ...approval } of waiting.ok ? waiting.value.approvals : []) {
    if (!about({ id, digest, ...approval }, file)) continue;
    const answer = { type: 'allow', scope: 'once' } as const;
    await at.tryCall('approvals.decide', { id, digest, answer, surface: 'terminal' });
  }
}

const answersTo = (messages: readonly ChatMessage[], root: string): readonly ChatMessage[] =>
  messages.filter(({ threadRootId, own }) => !own && threadRootId === root);

it(`F1: ${kills} SIGKILLs in turns with tools: written once, asked once, answered once (seed ${seed})`, {
  timeout: 90_000 + kills * 15_000,
}, async () => {
  let at = await start();
  for (let round = 0; round < kills; round += 1) {
    const file = `note${round}.md`;
    const { messageId } = await at.call('chat.send', { to: 'guide', text: `write ${file}` });
    // Sometimes before anything is asked, sometimes while it waits, sometimes just after the yes, or later.
    const stage = Math.floor(random() * 3);
    if (stage > 0) await until('a question', async () => (await questions(at, file)).length > 0, 30_000);
    if (stage > 1) await allow(at, file);
    await new Promise((resolve) => setTimeout(resolve, random() * (stage === 1 ? 60 : 250)));
    await crash();
    at = await start();
    const answer = await until(
      `an answer in round ${round}, killed at stage ${stage}`,
      async () => {
        await allow(at, file);
        const found = answersTo(await history(at), messageId);
        return found.length > 0 && found;
      },
      60_000,
    );
    expect(answer, 'I2: one answer').toHaveLength(1);
    expect(answer[0]?.text, `round ${round}, stage ${stage}`).toContain(file);
    const asked = await questions(at, file);
    expect(asked.length, `asked once, killed at stage ${stage}`).toBe(1);
    expect(existsSync(workspace(file))).toBe(true);
    expect(readFileSync(workspace(file), 'utf8').match(/^# note/gm), 'written once').toHaveLength(1);
  }
  const messages = await history(at);
  expect(new Set(messages.map(({ id }) => id)).size, 'I2: shown twice').toBe(messages.length);
  const verdict = await at.call('audit.verify', {});
  expect(verdict).toMatchObject({ ok: true });
  door?.close();
  if (running) await kill(running, 'SIGTERM');
  running = null;
  await checkAtRest(home);
});

it(`F1: ${kills / 2} SIGKILLs while a second message arrives: each answered, none twice (seed ${seed})`, {
  timeout: 90_000 + kills * 15_000,
}, async () => {
  let at = await start();
  for (let round = 0; round < kills / 2; round += 1) {
    const word = `word${round}.`;
    const first = await at.call('chat.send', { to: 'guide', text: 'work 12' });
    await until('a step', async () => {
      const { agents } = await at.call('agents.list', {});
      return agents.some(({ id, activity }) => id === 'guide' && activity !== '');
    });
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    const second = await at.call('chat.send', { to: 'guide', text: `echo ${word}` });
    await new Promise((resolve) => setTimeout(resolve, random() * 150));
    await crash();
    at = await start();
    const sent: readonly string[] = [first.messageId, second.messageId];
    const marks = async (): Promise<readonly unknown[]> =>
      (await history(at)).filter(({ id }) => sent.includes(id)).map((one) => one.marks[0]?.state);
    await until(
      `both to be done in round ${round}`,
      async () => (await marks()).filter((mark) => mark === 'done').length === 2,
      60_000,
    );
    const answers = async (): Promise<readonly ChatMessage[]> =>
      (await history(at)).filter(({ own, threadRootId }) => !own && sent.includes(threadRootId ?? ''));
    const told = async () => (await answers()).filter(({ text }) => text.includes(word));
    // Replies travel: what is done may not have arrived yet.
    await until(`the second answer of round ${round}`, async () => (await told()).length > 0, 20_000);
    expect((await answers()).length, `all answers, round ${round}`).toBeLessThanOrEqual(2);
  }
  const texts = (await history(at)).flatMap(({ own, text }) => (own ? [] : [text]));
  for (let round = 0; round < kills / 2; round += 1) {
    const told = texts.filter((text) => text.includes(`word${round}.`));
    expect(told, `the second one, round ${round}`).toHaveLength(1);
  }
  door?.close();
  if (running) await kill(running, 'SIGTERM');
  running = null;
  await checkAtRest(home);
});
