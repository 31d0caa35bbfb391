import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needs, onLinux } from '../fakes/programs.ts';
import { proof } from '../fakes/test-run.ts';
import { Conversation, checkAtRest, seen, undisturbed } from './invariants.ts';
import {
  doorOf,
  ended,
  exitOf,
  type KennelProcess,
  kill,
  type Launch,
  startKennel,
} from './kennel-process.ts';
import { demoFolder, newFolder, removeFolder } from './places.ts';

let demo = '';
let home = '';
const running: KennelProcess[] = [];

beforeAll(async () => {
  demo = await demoFolder();
});
afterAll(() => removeFolder(demo));
beforeEach(() => {
  home = newFolder();
  cpSync(demo, home, { recursive: true });
});
afterEach(async () => {
  for (const kennel of running.splice(0)) await kill(kennel);
  removeFolder(home);
});

function start(launch: Launch = {}): KennelProcess {
  const kennel = startKennel(home, ['--demo', '--no-web'], launch);
  running.push(kennel);
  return kennel;
}

/** Checks that a clean start in the same folder has all acknowledged messages. */
async function nothingLost(talk: Conversation): Promise<void> {
  const kennel = start();
  const door = await doorOf(home, kennel);
  await talk.say(door);
  await talk.holds(door, 90_000);
  await undisturbed(door);
  await kill(kennel, 'SIGTERM');
  await checkAtRest(home);
}

describe.skipIf(!onLinux)('File descriptor limit', () => {
  beforeAll(() => needs('prlimit'));
  it('reached at run time loses no acknowledged message, and the host recovers once it is raised (F7)', {
    timeout: 120_000,
  }, async () => {
    const kennel = start();
    const door = await doorOf(home, kennel);
    await undisturbed(door, 'guide');
    const talk = new Conversation();
    await talk.say(door);
    await talk.holds(door);
    const pid = String(kennel.child.pid);
    const limit = (count: number): void => void execFileSync('prlimit', ['--pid', pid, `--nofile=${count}:`]);
    limit(readdirSync(`/proc/${pid}/fd`).length);
    for (let n = 0; n < 8; n += 1) await talk.say(door);
    const made = await door.tryCall('agents.create', { id: 'late' });
    if (!made.ok) expect(made.error.message).toMatch(/[a-z]+ [a-z]+.*[.]/);
    expect(await door.call('host.view', {})).toMatchObject({ state: 'ready' });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(ended(kennel)).toBe(false);
    limit(2_000);
    await seen('a message accepted again', async () => (await talk.say(door)) === null);
    await talk.holds(door, 75_000);
    await undisturbed(door);
    await kill(kennel, 'SIGTERM');
    await checkAtRest(home);
  });

  const limits = proof ? [...Array(30).keys()].map((n) => 22 + n * 2) : [24, 34, 44, 56];
  it.each(limits)(
    'of %i from the start: the host works or reports the reason, and loses nothing (F7)',
    {
      timeout: 120_000,
    },
    async (count) => {
      const kennel = start({ wrap: ['sh', '-c', `ulimit -n ${count}; exec "$@"`, 'sh'] });
      const door = await doorOf(home, kennel, 8000).catch(() => null);
      const talk = new Conversation();
      for (let n = 0; door && n < 4; n += 1) await talk.say(door);
      if (ended(kennel)) {
        expect(await exitOf(kennel)).not.toBe(0);
        expect(kennel.output()).toMatch(/[a-z]/);
      }
      await kill(kennel, 'SIGTERM');
      await nothingLost(talk);
    },
  );
});

describe('Memory limit', () => {
  it.each(proof ? [16, 20, 24, 28, 32, 40, 48, 64] : [20, 36])(
    'of %i MB: the host works or exits, and loses nothing (F7)',
    {
      timeout: 120_000,
    },
    async (mb) => {
      const kennel = start({ env: { NODE_OPTIONS: `--max-old-space-size=${mb}` } });
      const door = await doorOf(home, kennel, 10_000).catch(() => null);
      const talk = new Conversation();
      for (let n = 0; door && n < 12 && !ended(kennel); n += 1) await talk.say(door, 100_000);
      await kill(kennel, 'SIGTERM');
      await nothingLost(talk);
    },
  );
});
