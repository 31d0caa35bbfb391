import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';

const kills = proof ? 25 : 3;

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.remove());

const look = async (task: number) => desk.door.call('tasks.get', { task });
const ended = (task: number) =>
  until(
    `the end of task ${task}`,
    async () => {
      const found = await look(task);
      return (found.task.status === 'done' || found.task.status === 'error') && found;
    },
    60_000,
  );

it('F1, F3 A host killed repeatedly during a task repeats no step and no model answer', async () => {
  const random = createSeededRandom(seed);
  await desk.start();
  const goal = 'work 20';
  const added = await desk.door.call('tasks.add', { goal, agent: 'guide', budget: { steps: 500 }, key: 'k' });
  const { id } = added.task;
  for (let kill = 0; kill < kills; kill += 1) {
    const { steps } = (await look(id)).task;
    await until('a further step', async () => {
      const { task } = await look(id);
      return task.steps > steps || task.status === 'done';
    });
    await sleep(random.fraction() * 60);
    await desk.restart();
  }
  const { task, result } = await ended(id);
  expect(task, `seed ${seed}`).toMatchObject({ status: 'done', failure: null });
  expect(result).toContain('That was 20 steps');
  const { steps } = await desk.door.call('tasks.steps', { task: id, limit: 500 });
  const good = steps.filter(({ endedAt, error }) => endedAt !== null && error === null);
  // Twenty answers with a call and the final one; each call and each answer once.
  expect(good.filter(({ kind }) => kind === 'decision')).toHaveLength(21);
  expect(good.filter(({ action }) => action === 'list_dir')).toHaveLength(20);
  expect(good.filter(({ action }) => action === 'finish')).toHaveLength(1);
  expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
  const again = await desk.door.call('tasks.add', { goal, agent: 'guide', key: 'k' });
  expect(again).toMatchObject({ isNew: false, task: { id } });
});

it('F1, F25 A chat task that waits across kills asks once, writes once and reports its end once', async () => {
  await desk.start();
  const said = (await desk.say('/task write note1.md')) ?? '';
  await until('the question', async () => (await desk.questions('note1.md')).length > 0);
  await desk.restart();
  await until('the task to wait', async () => (await look(1)).task.status === 'waiting');
  expect((await desk.questions('note1.md')).map(({ state }) => state)).toEqual(['waiting']);
  await until('the answer to be taken', () => desk.allow('note1.md'));
  await desk.restart();
  const { task } = await ended(1);
  expect(task).toMatchObject({ status: 'done', via: 'chat' });
  await until('its end in the chat', async () => (await desk.answers(said)).length === 2);
  await desk.restart();
  expect(await desk.questions('note1.md')).toHaveLength(1);
  expect(existsSync(desk.workspace('note1.md'))).toBe(true);
  expect(readFileSync(desk.workspace('note1.md'), 'utf8').match(/^# note/gm)).toHaveLength(1);
  expect((await desk.answers(said)).map(({ text }) => text.slice(0, 7))).toEqual(['Task 1:', 'Task 1 ']);
  expect((await desk.door.call('tasks.list', {})).tasks).toHaveLength(1);
  await desk.holds();
});
