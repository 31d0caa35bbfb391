import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { promised } from '../fakes/patience.ts';
import { needs, onLinux } from '../fakes/programs.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { Conversation, checkAtRest, seen, undisturbed, until } from './invariants.ts';
import { doorOf, ended, exitOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';
import { demoFolder, newFolder, notRoot, removeFolder, type SmallDisk, smallDisk } from './places.ts';

const random = createSeededRandom(seed);
const cannotMount = notRoot || !onLinux;

let demo = '';
const running: KennelProcess[] = [];
const disks: SmallDisk[] = [];
const folders: string[] = [];

beforeAll(async () => {
  demo = await demoFolder();
});
afterAll(() => removeFolder(demo));
afterEach(async () => {
  for (const kennel of running.splice(0)) await kill(kennel);
  for (const disk of disks.splice(0)) await disk.remove();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

function copyOfDemo(): string {
  const home = newFolder();
  folders.push(home);
  cpSync(demo, home, { recursive: true });
  return home;
}

/** Files of a demo at rest, including those that SQLite keeps beside an open database. */
const kennelFiles = (home: string): readonly string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .flatMap((file) => (file.endsWith('.db') ? [file, `${file}-wal`, `${file}-shm`] : [file]));

function start(home: string, wrap: readonly string[] = [], env: Record<string, string> = {}): KennelProcess {
  const kennel = startKennel(home, ['--demo', '--no-web'], { wrap, env });
  running.push(kennel);
  return kennel;
}

/** Disk sizes in KiB: from too small to start to enough for a conversation. */
const sizes = proof
  ? [...Array(16).keys()].map((n) => 256 + n * 256)
  : [900, 2048 + Math.floor(random.fraction() * 1500)];

describe.skipIf(cannotMount)(`Full disk (seed ${seed})`, () => {
  it.each(sizes)(
    'of %i KiB loses no acknowledged message; the host recovers once space is free (F4)',
    async (kib) => {
      const disk = await smallDisk(kib);
      disks.push(disk);
      const kennel = start(disk.inside, disk.wrap);
      const door = await doorOf(disk.outside, kennel).catch(() => null);
      const made = await door?.tryCall('setup.tryDemo', {});
      if (!door || !made?.ok) {
        // Too small to start: the host must report it and leave nothing half-written.
        const said = door ? JSON.stringify([made, await door.tryCall('host.view', {})]) : kennel.output();
        expect(said).toMatch(/disk is full/i);
        if (!door) expect(await exitOf(kennel)).toBe(1);
        await kill(kennel, 'SIGTERM');
        await checkAtRest(disk.copy());
        return;
      }
      const talk = new Conversation();
      // Enough space to start may be too little for an answer.
      const roomy = (await talk.say(door)) === null && (await talk.answers(door, 10_000));
      const free = disk.fill();
      const refused = await seen(
        'a message to be refused',
        async () => (await talk.say(door, 3000)) ?? false,
      );
      expect(refused).toBe('disk_full');
      expect(talk.refused.at(-1)).toMatch(/disk is full/i);
      expect(await door.call('host.view', {})).toMatchObject({ state: 'ready' });
      if (roomy) expect((await talk.history(door)).length).toBeGreaterThan(1);
      free();
      // Journals have grown meanwhile: on a tight disk a person has to free more space than was taken.
      disk.grow(4096);
      await until('room for a message', async () => (await talk.say(door)) === null);
      await talk.holds(door, 75_000);
      await undisturbed(door);
      await kill(kennel, 'SIGTERM');
      await checkAtRest(disk.copy());
    },
  );

  it('before a reply is stored is reported within 10 s and cleared once space is free (F4)', async () => {
    const disk = await smallDisk(6000);
    disks.push(disk);
    cpSync(demo, disk.outside, { recursive: true });
    const kennel = start(disk.inside, disk.wrap);
    const door = await doorOf(disk.outside, kennel);
    const talk = new Conversation();
    await until('the agents', async () =>
      (await door.call('agents.list', {})).agents.every(({ connection }) => connection === 'online'),
    );
    expect(await talk.say(door)).toBeNull();
    const free = disk.fill();
    await seen('the full disk', async () => {
      const view = await door.call('host.view', {});
      const { agents } = await door.call('agents.list', {});
      return /disk is full/i.test(JSON.stringify([view.problems, agents.map(({ error }) => error)]));
    });
    free();
    await talk.holds(door, 75_000);
    await seen('the problem to be gone', async () =>
      (await door.call('host.view', {})).problems.every(({ id }) => !id.includes('store')),
    );
    await kill(kennel, 'SIGTERM');
    await checkAtRest(disk.copy());
  });
});

describe.skipIf(!onLinux)(`Failing disk (seed ${seed})`, () => {
  beforeAll(() => needs('strace'));
  /** Index of the failing call of each kind: sampled, or each of the first ones in a proof run. */
  const rows = (kind: string, last: number, count: number): [string, number][] =>
    [...Array(proof ? last : count).keys()].map((n) => [
      kind,
      proof ? n + 1 : 1 + Math.floor(random.fraction() * last),
    ]);
  const cases = [
    ...rows('fdatasync,fsync', 60, 4),
    ...rows('pwrite64', 150, 2),
    ...rows('pread64', 150, 1),
    ...rows('rename', 20, 1),
  ];

  /**
   * Only calls on Kennel's own files fail, not those of Node's start. strace counts per thread; SQLite runs
   * in the main one.
   */
  const failing = (home: string, kind: string, when: string): readonly string[] => [
    'strace',
    '-D',
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${kind}`,
    ...kennelFiles(home).flatMap((file) => ['-P', file]),
    '-e',
    `inject=${kind}:error=EIO:when=${when}`,
  ];

  it.each(cases)('with EIO from %s, call %i, loses no acknowledged message (F5)', async (kind, when) => {
    const home = copyOfDemo();
    const kennel = start(home, failing(home, kind, `${when}`));
    const talk = new Conversation();
    const door = await doorOf(home, kennel, 30_000).catch(() => null);
    for (let n = 0; door && n < 8; n += 1) await talk.say(door);
    if (door && !ended(kennel)) await talk.holds(door, 75_000);
    else expect(kennel.output()).toMatch(/disk|data folder|written/i);
    await kill(kennel, 'SIGTERM');
    const again = start(home);
    const second = await doorOf(home, again);
    await talk.holds(second, 75_000);
    await undisturbed(second);
    await kill(again, 'SIGTERM');
    await checkAtRest(home);
  });

  it('that stops syncing: new messages are rejected, the fault is reported, earlier messages are kept (F5)', async () => {
    const home = copyOfDemo();
    const talk = new Conversation();
    const kennel = start(home, failing(home, 'fdatasync,fsync', '80+'));
    const door = await doorOf(home, kennel);
    const code = await until('a message to be refused', async () => (await talk.say(door)) ?? false);
    expect(code).toBe('io_error');
    await seen('the failing disk', async () =>
      /disk/i.test(JSON.stringify((await door.call('host.view', {})).problems)),
    );
    await kill(kennel, 'SIGTERM');
    const again = start(home);
    const second = await doorOf(home, again);
    await talk.holds(second, 75_000);
    await kill(again, 'SIGTERM');
    await checkAtRest(home);
  });
});

describe('Data folder that cannot be written', () => {
  const limitMs = promised(2000);

  it.skipIf(cannotMount)('on a read-only disk stops the host with an error within 2 s (F6)', async () => {
    const disk = await smallDisk(4096);
    disks.push(disk);
    cpSync(demo, disk.outside, { recursive: true });
    disk.run(`mount -o remount,ro ${disk.inside}`);
    const began = performance.now();
    const kennel = start(disk.inside, disk.wrap);
    expect(await exitOf(kennel)).toBe(1);
    expect(performance.now() - began).toBeLessThan(limitMs);
    expect(kennel.output()).toMatch(/cannot be written|read-only/);
    expect(kennel.output()).not.toMatch(/ at .*[.]js:/);
    disk.run(`mount -o remount,rw ${disk.inside}`);
    const again = start(disk.inside, disk.wrap);
    const talk = new Conversation();
    const door = await doorOf(disk.outside, again);
    await talk.say(door);
    await talk.holds(door);
  });

  it.skipIf(notRoot || !onLinux)('of another user stops the host with an error within 2 s (F6)', async () => {
    const home = copyOfDemo();
    chmodSync(home, 0o700);
    const before = readFileSync(path.join(home, 'demo.json'), 'utf8');
    const began = performance.now();
    const kennel = start(home, ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'], {
      HOME: '/',
    });
    expect(await exitOf(kennel)).toBe(1);
    expect(performance.now() - began).toBeLessThan(limitMs);
    expect(kennel.output()).toMatch(/owner|permission/i);
    expect(kennel.output()).not.toMatch(/ at .*[.]js:/);
    expect(readFileSync(path.join(home, 'demo.json'), 'utf8')).toBe(before);
  });
});
