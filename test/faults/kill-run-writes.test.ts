import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { pickSome, proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { RunLife } from './run-life.ts';
import { startTasker } from './tasker.ts';

const { fraction } = createSeededRandom(seed);
const sampled = 1;

/** Databases of the runs, of their tasks, and of their approvals. */
describe.each(['workflows.db', 'tasks.db', 'host.db'])('Host killed at a commit of %s', (database) => {
  it(`runs each step once, asks each question once and starts no run or task twice (F1, F23, seed ${seed})`, async () => {
    const desk = await Desk.open('correct horse');
    const tasker = await startTasker();
    try {
      const life = new RunLife(desk, database, tasker);
      await life.begin();
      const whole = await life.live(null);
      expect(whole.commits).toBeGreaterThan(10);
      const every = Array.from({ length: whole.commits }, (_, n) => [
        `${n + 1}:before`,
        `${n + 1}:after`,
      ]).flat();
      const points = proof ? every : pickSome(every, sampled, fraction);
      let deaths = 0;
      for (const point of points) {
        const killed = await life.live(point);
        expect({ point, runs: killed.runs }).toEqual({ point, runs: whole.runs });
        deaths += killed.died ? 1 : 0;
        if (proof) console.log(`${database} ${point}: ${killed.died ? 'died' : 'lived'}`);
      }
      await desk.holds();
      if (proof) console.log(`${database}: ${points.length} points, ${deaths} deaths, seed ${seed}`);
    } finally {
      await desk.remove();
      await tasker.close();
    }
  }, 14_400_000);
});
