import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';

const rounds = proof ? 50 : 3;
/** Lead time in ms for a host on a busy machine. */
const leadMs = 5_000;
let desk: Desk;
let inbox: string;

beforeAll(async () => {
  desk = await Desk.open();
  inbox = path.join(mkdtempSync(path.join(tmpdir(), 'kennel-inbox-')), 'inbox');
});
afterAll(async () => {
  await desk.remove();
  rmSync(path.dirname(inbox), { recursive: true, force: true });
});

const random = createSeededRandom(seed);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const starts = (goal: string) => ({
  kind: 'task' as const,
  goal,
  agent: 'guide',
  project: null,
  priority: 0,
  room: null,
  budget: { steps: 10, tokens: null, usd: null },
});
const made = async (goal: string): Promise<number> => {
  const { tasks } = await desk.door.call('tasks.list', { limit: 500 });
  return tasks.filter((task) => task.goal === goal).length;
};

it(`A host killed around a file change or due time starts its schedule once, seed ${seed} (F1, F23)`, {
  timeout: 60_000 + rounds * 40_000,
}, async () => {
  const door = await desk.start();
  await door.call('setup.tryDemo', {});
  const when = { kind: 'file', path: inbox, glob: '*.txt', restMs: 100 } as const;
  await door.call('schedules.add', { name: 'inbox', when, starts: starts('Look at {{path}}') });
  // Files that exist at the first scan start nothing; the problem of the missing folder shows that scan.
  await until('the first scan', async () => {
    const { schedules } = await door.call('schedules.list', {});
    return schedules.some(({ problem }) => englishText(problem).includes('does not exist yet'));
  });
  mkdirSync(path.join(inbox, 'new'), { recursive: true });
  for (let round = 0; round < rounds; round += 1) {
    const file = path.join(inbox, `${round}.txt`);
    const at = Date.now() + leadMs;
    const added = await desk.door.call('schedules.add', {
      name: `once ${round}`,
      when: { kind: 'once', at },
      starts: starts(`Due ${round}`),
    });
    // A time that is past when the host accepts it starts nothing: it is listed as missed.
    expect(added.next, 'the host took it in time').toBe(at);
    await pause(at - 250 - Date.now());
    writeFileSync(path.join(inbox, 'new', `${round}`), `content ${round}`);
    renameSync(path.join(inbox, 'new', `${round}`), file);
    await pause(random.fraction() * 500);
    await desk.restart();
    await until(`the file of round ${round}`, async () => (await made(`Look at ${file}`)) > 0);
    await until(`the due time of round ${round}`, async () => (await made(`Due ${round}`)) > 0);
  }
  await desk.restart();
  await pause(1_000);
  for (let round = 0; round < rounds; round += 1) {
    expect([round, await made(`Look at ${path.join(inbox, `${round}.txt`)}`)]).toEqual([round, 1]);
    expect([round, await made(`Due ${round}`)]).toEqual([round, 1]);
  }
});
