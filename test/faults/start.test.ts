import { cpSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/services/db/binding.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { damage, type Harm, harms, putAside } from './damage.ts';
import { Conversation, checkAtRest, keyFinder, seen, undisturbed } from './invariants.ts';
import { doorOf, ended, type KennelProcess, kill, startKennel } from './kennel-process.ts';
import { demoFolder, newFolder, removeFolder } from './places.ts';

const random = createSeededRandom(seed);

const running: KennelProcess[] = [];
const folders: string[] = [];
let demo = '';

/** A demo with a history. */
beforeAll(async () => {
  demo = await demoFolder();
  const kennel = startKennel(demo);
  const door = await doorOf(demo, kennel);
  const talk = new Conversation();
  for (let n = 0; n < 8; n += 1) await talk.say(door, 500);
  await talk.holds(door);
  await kill(kennel, 'SIGTERM');
});
afterAll(() => removeFolder(demo));
afterEach(async () => {
  for (const kennel of running.splice(0)) await kill(kennel);
  for (const folder of folders.splice(0)) removeFolder(folder);
});

function start(home: string, ...args: readonly string[]): KennelProcess {
  const kennel = startKennel(home, [...args, '--no-web']);
  running.push(kennel);
  return kennel;
}

describe('Several hosts for one data folder', () => {
  const rounds = proof ? 1000 : 4;
  it(`${rounds} races of three hosts leave one running; after SIGKILL the next host starts (F17)`, {
    timeout: 60_000 + rounds * 10_000,
  }, async () => {
    const home = newFolder();
    folders.push(home);
    for (let round = 0; round < rounds; round += 1) {
      const three = [1, 2, 3].map(() => start(home, '--no-demo'));
      const outcomes = await Promise.all(
        three.map((kennel) =>
          doorOf(home, kennel).then(
            (door) => ({ kennel, door }),
            () => null,
          ),
        ),
      );
      const owners = outcomes.flatMap((outcome) => outcome ?? []);
      expect(owners, `round ${round}`).toHaveLength(1);
      const [owner] = owners;
      for (const loser of three.filter((kennel) => kennel !== owner?.kennel)) {
        expect(loser.child.exitCode).toBe(1);
        expect(loser.output()).toMatch(/in use by (process \d+|another process)/);
      }
      expect(await owner?.door.call('host.view', {})).toMatchObject({ pid: owner?.kennel.child.pid });
      owner?.door.close();
      for (const kennel of running.splice(0)) await kill(kennel);
    }
  });
});

describe(`Damaged store (seed ${seed})`, () => {
  const stores = ['agents/guide/messages.db', 'operator/messages.db', 'registry/embedded.db'];
  const every = stores.flatMap((store) => harms.map((harm): [string, Harm] => [store, harm]));
  const cases = proof
    ? Array.from({ length: 25 }, () => every).flat()
    : every.filter(() => random.fraction() < 0.6);

  it.each(cases)(
    '%s, %s: is quarantined with a date and reported; the other stores work (F19)',
    async (store, harm) => {
      const home = newFolder();
      folders.push(home);
      cpSync(demo, home, { recursive: true });
      damage(path.join(home, store), harm, random);
      const kennel = start(home, '--demo');
      const door = await doorOf(home, kennel);
      await undisturbed(door);
      await undisturbed(door, 'guide');
      const talk = new Conversation();
      await talk.say(door);
      await talk.holds(door);
      const aside = putAside(home).filter((name) => !/-(wal|shm)$/.test(name));
      if (aside.length > 0) {
        expect(aside[0]).toContain(store);
        const { problems } = await door.call('host.view', {});
        expect(problems.map(({ message }) => message).join()).toMatch(/damaged .*put aside/);
      }
      expect(aside.length).toBeLessThanOrEqual(1);
      await kill(kennel, 'SIGTERM');
      const unread = aside.length === 0 ? { harmed: path.join(home, store) } : {};
      await checkAtRest(home, { damaged: putAside(home).length, ...unread });
    },
  );

  it('of a newer Kennel version is reported and left unchanged; the other stores work (F19, F24)', async () => {
    const home = newFolder();
    folders.push(home);
    cpSync(demo, home, { recursive: true });
    const file = path.join(home, 'agents/guide/messages.db');
    const key = (await keyFinder(home))(file);
    const db = openDatabase(file, key ? { key } : {});
    db.exec('PRAGMA user_version = 99');
    db.close();
    const kennel = start(home, '--demo');
    const door = await doorOf(home, kennel);
    await undisturbed(door);
    const guide = await seen('what is wrong', async () => {
      const { agents } = await door.call('agents.list', {});
      return agents.find(({ id, error }) => id === 'guide' && error !== null);
    });
    expect(guide.error?.message).toMatch(/newer Kennel/);
    await kill(kennel, 'SIGTERM');
    expect(putAside(home)).toEqual([]);
    const still = openDatabase(file, key ? { key } : {});
    expect(still.pragma('user_version')).toBe(99);
    still.close();
  });

  it('of the relay is reported and left unchanged; the host keeps running (F19)', async () => {
    const home = newFolder();
    folders.push(home);
    cpSync(demo, home, { recursive: true });
    const file = path.join(home, 'relay/relay.db');
    truncateSync(file, 5000);
    const kennel = start(home, '--demo');
    const door = await doorOf(home, kennel);
    const told = await seen('the damage', async () => {
      const { problems } = await door.call('host.view', {});
      return problems.find(({ id }) => id === 'relay');
    });
    expect(told.message).toMatch(/damaged/);
    expect(statSync(file).size).toBe(5000);
    const history = await new Conversation().history(door);
    expect(history.length, 'what was read before can be read').toBeGreaterThan(8);
    expect(ended(kennel)).toBe(false);
  });

  it('without its write-ahead log after a kill opens, and the agent still works (F19)', async () => {
    const home = newFolder();
    folders.push(home);
    cpSync(demo, home, { recursive: true });
    const first = start(home, '--demo');
    const door = await doorOf(home, first);
    await undisturbed(door, 'guide');
    await new Conversation().say(door);
    await kill(first);
    for (const suffix of ['-wal', '-shm'])
      rmSync(path.join(home, `agents/guide/messages.db${suffix}`), { force: true });
    const second = start(home, '--demo');
    const again = await doorOf(home, second);
    await undisturbed(again, 'guide');
    const talk = new Conversation();
    await talk.say(again);
    await talk.holds(again);
    await kill(second, 'SIGTERM');
    await checkAtRest(home, { damaged: putAside(home).length });
    expect(existsSync(path.join(home, 'agents/guide/messages.db'))).toBe(true);
  });
});
