import { existsSync, readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { promised } from '../fakes/patience.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { Conversation, until } from './invariants.ts';
import { exitOf } from './kennel-process.ts';

const random = createSeededRandom(seed);

let demo: Desk;
let desk: Desk;
beforeAll(async () => {
  demo = await Desk.open();
});
afterAll(() => demo.remove());
beforeEach(() => {
  desk = demo.copy();
});
afterEach(() => desk.remove());

const turns = 20;
it(`SIGTERM with ${turns} tool turns running exits within 10 s; each finishes once after restart (F25), seed ${seed}`, {
  timeout: 240_000,
}, async () => {
  const door = await desk.start();
  const ids = Array.from({ length: turns }, (_, n) => `crew${n}`);
  for (const id of ids) await door.call('agents.create', { id });
  await until('all agents', async () => {
    const { agents } = await door.call('agents.list', {});
    return agents.length === turns + 2 && agents.every(({ connection }) => connection === 'online');
  });
  // Every fourth agent waits for the operator; the others work.
  const asked = await Promise.all(
    ids.map(async (id, n) => {
      const text = n % 4 === 0 ? `write ${id}.md` : 'work 20';
      return { id, text, ...(await door.call('chat.send', { to: id, text })) };
    }),
  );
  await until('turns', async () => (await door.call('host.view', {})).agents.working > turns / 2);
  await new Promise((resolve) => setTimeout(resolve, random.fraction() * 500));
  const began = performance.now();
  desk.kennel.child.kill('SIGTERM');
  expect(await exitOf(desk.kennel)).toBe(0);
  expect(performance.now() - began).toBeLessThan(promised(10_000));
  await desk.restart();
  for (const { id, text, messageId } of asked) {
    const talk = new Conversation(id);
    const answers = await until(
      `an answer of ${id}`,
      async () => {
        await desk.allow(`${id}.md`);
        const found = (await talk.history(desk.door)).filter((one) => one.threadRootId === messageId);
        return found.some(({ own }) => !own) && found;
      },
      90_000,
    );
    expect(answers, 'I2: one answer').toHaveLength(1);
    expect(answers[0]?.text).toMatch(text === 'work 20' ? /was 20 steps/ : new RegExp(`${id}\\.md`));
    if (text !== 'work 20') expect(await desk.questions(`${id}.md`)).toHaveLength(1);
  }
  const files = ids.filter((id) => existsSync(desk.workspace(`${id}.md`).replace('guide', id)));
  expect(files).toHaveLength(turns / 4);
  await desk.holds();
});

const rounds = proof ? 100 : 2;
it(`${rounds * 20} tool calls leak no file descriptor, thread or listener (F27)`, {
  timeout: 60_000 + rounds * 20_000,
}, async () => {
  await desk.start();
  const work = async (): Promise<void> => {
    const asked = (await desk.say('work 20')) ?? '';
    await until('an answer', async () => (await desk.answers(asked)).length === 1, 60_000);
    await desk.idle();
  };
  const { pid } = desk.kennel.child;
  const held = (what: 'fd' | 'task'): number => readdirSync(`/proc/${pid}/${what}`).length;
  await work();
  const before = [held('fd'), held('task')] as const;
  for (let n = 1; n < rounds; n += 1) await work();
  await until('the same as before', () => held('fd') <= before[0] + 2 && held('task') <= before[1]);
  expect(desk.kennel.output()).not.toMatch(/MaxListeners|Warning/);
  await desk.holds();
});
