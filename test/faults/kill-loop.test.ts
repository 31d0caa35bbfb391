import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';

const kills = proof ? 200 : 4;
const random = createSeededRandom(seed);

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(() => desk.remove());

it(`F1: ${kills} SIGKILLs in turns with tools: each turn writes, asks and answers once (seed ${seed})`, {
  timeout: 90_000 + kills * 15_000,
}, async () => {
  await desk.start();
  for (let round = 0; round < kills; round += 1) {
    const file = `note${round}.md`;
    const messageId = await desk.say(`write ${file}`);
    if (messageId === null) throw new Error('the host went away by itself');
    // Random moment: before any approval request, while it waits, just after the approval, or later.
    const stage = Math.floor(random.fraction() * 3);
    if (stage > 0) await until('a question', async () => (await desk.questions(file)).length > 0);
    if (stage > 1) expect(await desk.allow(file)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, random.fraction() * (stage === 1 ? 60 : 250)));
    await desk.spent();
    await desk.restart();
    await desk.writtenOnce(file, messageId, `in round ${round}, killed at stage ${stage}`);
  }
  await desk.holds();
});
