import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { needs, onLinux } from '../fakes/programs.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { damage, harms, putAside } from './damage.ts';
import { Desk } from './desk.ts';
import { Conversation, checkAtRest, seen, undisturbed, until } from './invariants.ts';
import { doorOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';
import { notRoot, type SmallDisk, smallDisk } from './places.ts';

// Records of approvals, tool actions and spending: host.db, the audit log, usage.db.

const random = createSeededRandom(seed);

/** A home with a standing approval, a completed call and a waiting call. */
let before: Desk;
/**
 * Pristine copy of `before`. Tests restore it to the path of `before`, where the target of the waiting call
 * is.
 */
let kept: Desk;
beforeAll(async () => {
  before = await Desk.open();
  await before.start();
  await before.say('write given.md');
  await until('a standing yes', () => before.allow('given.md', 'exact'));
  await before.idle();
  await before.say('write waiting.md');
  await until('a question', async () => (await before.questions('waiting.md')).length > 0);
  await before.end('SIGTERM');
  kept = before.copy();
  await before.remove();
});
afterAll(async () => {
  await before.remove();
  await kept.remove();
});

let desk: Desk | null = null;
afterEach(async () => {
  await desk?.remove();
  desk = null;
});

function copy(): Desk {
  desk = kept.copy(before.home);
  return desk;
}

/** Requests a write of this file and approves it if asked; returns whether it was written. */
async function tryWrite(at: Desk, file: string): Promise<boolean> {
  const messageId = (await at.say(`write ${file}`)) ?? '';
  await until(
    `an answer about ${file}`,
    async () => {
      await at.allow(file);
      return (await at.answers(messageId)).length === 1;
    },
    40_000,
  );
  return existsSync(at.workspace(file));
}

describe.skipIf(!onLinux)('Failing disk', () => {
  beforeAll(() => needs('strace'));
  const failing = (home: string, call: string, file: string, when: string): readonly string[] => [
    'strace',
    '-D',
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${call}`,
    '-P',
    path.join(home, file),
    '-e',
    `inject=${call}:error=EIO:when=${when}`,
  ];

  it.each([
    ['the audit log', 'fdatasync', 'audit/audit.jsonl'],
    ['the answers', 'fsync', 'host.db-wal'],
    ['what was used', 'fsync', 'usage.db-wal'],
  ])(
    'temporary fault in %s: no unrecorded action is done, and the host recovers afterwards (F5)',
    {
      timeout: 120_000,
    },
    async (_what, call, file) => {
      const at = copy();
      await at.start({ wrap: failing(at.home, call, file, '1..3') });
      await until('a yes to what waited', () => at.allow('waiting.md'));
      const written: string[] = [];
      for (let n = 0; n < 12 && written.length < 2; n += 1)
        if (await tryWrite(at, `note${n}.md`)) written.push(`note${n}.md`);
      expect(written, 'it works again without a restart').toHaveLength(2);
      const { lines } = await at.door.call('audit.list', { limit: 200 });
      const logged = lines.filter(({ kind, outcome }) => kind === 'call' && outcome === 'allow');
      for (const name of [...written, 'waiting.md']) {
        if (!existsSync(at.workspace(name))) continue;
        const digests = (await at.questions(name)).map(({ digest }) => digest);
        expect(
          logged.some(({ digest }) => digests.includes(digest)),
          name,
        ).toBe(true);
      }
      await seen('no problem', async () => (await at.door.call('host.view', {})).problems.length === 0);
      await at.holds();
    },
  );

  it('permanent fault in the audit log: approvals do nothing, the fault is reported, a restart heals it (F5)', {
    timeout: 120_000,
  }, async () => {
    const at = copy();
    await at.start({ wrap: failing(at.home, 'fdatasync', 'audit/audit.jsonl', '1+') });
    await until('a yes to what waited', () => at.allow('waiting.md'));
    expect(await tryWrite(at, 'note1.md')).toBe(false);
    const told = await seen('the problem', async () => {
      const { problems } = await at.door.call('host.view', {});
      return problems.find(({ id }) => id === 'audit-write');
    });
    expect(told.message).toMatch(/audit log could not be written/);
    await at.restart('SIGTERM');
    for (const file of ['note1.md', 'waiting.md']) expect(existsSync(at.workspace(file))).toBe(false);
    expect(await tryWrite(at, 'note2.md')).toBe(true);
    expect(await at.door.call('audit.verify', {})).toMatchObject({ ok: true });
  });
});

describe.skipIf(notRoot || !onLinux)('Full disk', () => {
  beforeAll(() => needs('unshare', 'nsenter'));
  let disk: SmallDisk | null = null;
  let kennel: KennelProcess | null = null;
  afterEach(async () => {
    if (kennel) await kill(kennel);
    await disk?.remove();
  });

  it('rejects approvals and does nothing; once space is free, one approval suffices (F4)', {
    timeout: 120_000,
  }, async () => {
    disk = await smallDisk(6_000);
    kept.copy(disk.outside);
    mkdirSync(before.home);
    disk.run(`mount --bind ${disk.inside} ${before.home}`);
    kennel = startKennel(before.home, ['--demo', '--no-web'], { wrap: disk.wrap });
    const at = new Desk(disk.outside);
    at.take(kennel, await doorOf(disk.outside, kennel));
    const waiting = () => at.door.call('approvals.list', { state: 'waiting' });
    const [question] = (await waiting()).approvals;
    if (!question) throw new Error('nothing waits');
    const free = disk.fill();
    const { id, digest } = question;
    const answer = { type: 'allow', scope: 'exact' } as const;
    const decide = () => at.door.tryCall('approvals.decide', { id, digest, answer, surface: 'window' });
    expect(await decide()).toMatchObject({ ok: false, error: { code: 'disk_full' } });
    expect(existsSync(at.workspace('waiting.md'))).toBe(false);
    expect((await waiting()).approvals).toMatchObject([{ id }]);
    expect((await at.door.call('grants.list', {})).grants).toHaveLength(1);
    await seen('the full disk', async () =>
      /disk is full/i.test(JSON.stringify((await at.door.call('host.view', {})).problems)),
    );
    free();
    await until('a yes', async () => (await decide()).ok);
    await until('the file', () => existsSync(at.workspace('waiting.md')));
    expect((await at.door.call('grants.list', {})).grants).toHaveLength(2);
    await seen('no problem', async () => (await at.door.call('host.view', {})).problems.length === 0);
    await at.idle();
    expect(await at.questions('waiting.md')).toHaveLength(1);
    expect(await at.door.call('audit.verify', {})).toMatchObject({ ok: true, problem: '' });
    await kill(kennel, 'SIGTERM');
    await checkAtRest(disk.copy());
  });
});

describe(`Damaged record (seed ${seed})`, () => {
  const every = ['host.db', 'usage.db', 'audit/audit.jsonl'].flatMap((file) =>
    harms.map((harm) => [file, harm] as const),
  );
  const cases = proof
    ? Array.from({ length: 25 }, () => every).flat()
    : ['host.db', 'usage.db', 'audit/audit.jsonl'].map(
        (file) => [file, harms[Math.floor(random.fraction() * harms.length)] ?? 'bit'] as const,
      );

  it.each(cases)(
    '%s, %s: is quarantined and reported; nothing runs without approval, the rest works (F19)',
    {
      timeout: 120_000,
    },
    async (file, harm) => {
      const at = copy();
      damage(path.join(at.home, file), harm, random);
      await at.start();
      await undisturbed(at.door);
      await undisturbed(at.door, 'guide');
      const others = new Conversation('checker');
      await others.say(at.door);
      await others.holds(at.door);
      expect(existsSync(at.workspace('waiting.md')), 'nothing without a yes').toBe(false);
      const { grants } = await at.door.call('grants.list', {});
      expect(grants.length, 'no answer that was never given').toBeLessThanOrEqual(1);
      await until('the question, or its like', () => at.allow('waiting.md'));
      await until('the file', () => existsSync(at.workspace('waiting.md')));
      expect(await tryWrite(at, 'after.md')).toBe(true);
      const { problems } = await at.door.call('host.view', {});
      const aside = putAside(at.home).filter((name) => !/-(wal|shm)$|checkpoints/.test(name));
      const verdict = await at.door.call('audit.verify', {});
      if (aside.length > 0) expect(JSON.stringify(problems)).toMatch(/put aside/);
      else if (file.startsWith('audit')) expect(verdict.ok, 'the damage is named').toBe(false);
      if (!file.startsWith('audit')) expect(verdict).toMatchObject({ ok: true });
      await at.end('SIGTERM');
    },
  );
});
