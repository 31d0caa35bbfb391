import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { pickSome, proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { TaskLife } from './task-life.ts';

const { fraction } = createSeededRandom(seed);
const sampled = 3;

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(() => desk.remove());

/** A cancelled task has done an arbitrary part of its steps. */
const comparable = ({ tasks }: Awaited<ReturnType<TaskLife['live']>>) =>
  Object.entries(tasks).map(([name, { status, failure, done }]) => ({
    name,
    status,
    failure,
    done: name === 'cancelled' ? [] : done,
  }));

it(`A host killed at a commit of tasks.db repeats no step, paid request or start (F1, F3, F23, seed ${seed})`, async () => {
  const life = new TaskLife(desk);
  await life.begin();
  const whole = await life.live(null);
  expect(whole.commits).toBeGreaterThan(40);
  const every = Array.from({ length: whole.commits }, (_, n) => [`${n + 1}:before`, `${n + 1}:after`]).flat();
  const points = proof ? every : pickSome(every, sampled, fraction);
  let deaths = 0;
  for (const point of points) {
    const killed = await life.live(point);
    expect({ point, ends: comparable(killed) }).toEqual({ point, ends: comparable(whole) });
    // Only the answer in flight is requested again; for a cancelled task, its answer is lost.
    const { again } = killed;
    expect({ point, again: Math.abs(again) <= (killed.died ? 1 : 0) }).toEqual({ point, again: true });
    deaths += killed.died ? 1 : 0;
    if (proof) console.log(`${point}: ${killed.died ? 'died' : 'lived'}, ${again} asked again`);
  }
  await desk.idle();
  await desk.holds();
  if (proof) console.log(`${points.length} points, ${deaths} deaths, seed ${seed}`);
}, 14_400_000);
