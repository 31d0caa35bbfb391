import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScheduleStartsView, SchedulesView } from '../../src/contract/schedule-methods.ts';
import { englishText } from '../../src/language/host-message.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';
import { follow, newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
const minute = 60_000;
const hour = 60 * minute;
/** A full hour, so that due times can be counted. */
const dawn = Math.floor(Date.now() / hour) * hour;
const clock = createJumpingClock(100, dawn + 10 * minute);
let kennel: TestHost;

const task = (goal: string): ScheduleStartsView => ({
  kind: 'task',
  goal,
  agent: 'guide',
  project: null,
  priority: 0,
  room: null,
  budget: { steps: 10, tokens: null, usd: null },
});
const made = async (text: string): Promise<string[]> => {
  const { tasks } = await kennel.call('tasks.list', { text, limit: 500 });
  return tasks.map(({ goal }) => goal);
};
const schedule = async (name: string) => {
  const { schedules } = await kennel.call('schedules.list', {});
  const found = schedules.find((each) => each.name === name);
  if (!found) throw new Error(`no schedule ${name}`);
  return found;
};
/** Long enough for two polls of the clock, which come every 300 ms. */
const looks = () => new Promise((resolve) => setTimeout(resolve, 700));
const again = async (): Promise<void> => {
  await kennel.stop();
  kennel = await startHost(folder.home, { clock });
};

beforeAll(async () => {
  // Creates the demo on the real clock, because it has deadlines of its own.
  kennel = await startHost(folder.home);
  await kennel.call('setup.tryDemo', {});
  await again();
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  folder.remove();
});

describe('Schedules', () => {
  it('run once when due, after clock jumps and restarts (F8, F23)', async () => {
    const seen = follow<SchedulesView>(kennel.host, 'schedules');
    const when = { kind: 'cron', expression: '0 * * * *', timeZone: 'UTC' } as const;
    const added = await kennel.call('schedules.add', { name: 'hourly', when, starts: task('Hourly sweep') });
    expect(added).toMatchObject({ next: dawn + hour, enabled: true, problem: '', missed: [] });
    await until('the topic', () => seen.state().schedules[added.id]);
    clock.set(dawn + hour + 5_000);
    await until('the first', async () => (await made('Hourly')).length === 1);
    for (const at of [dawn + 50 * minute, dawn + hour + 10_000, dawn + 5 * minute, dawn + hour + minute]) {
      clock.set(at);
      await looks();
    }
    await again();
    await looks();
    expect(await made('Hourly')).toEqual(['Hourly sweep']);
    expect(await schedule('hourly')).toMatchObject({ next: dawn + 2 * hour, missedCount: 0 });
    expect((await schedule('hourly')).lastRun).not.toBeNull();
  }, 60_000);

  it('list missed times, run one of them on request, and dismiss the rest (F23)', async () => {
    clock.set(dawn + 5 * hour + 20 * minute);
    await until('the missed', async () => (await schedule('hourly')).missedCount === 4);
    expect(await made('Hourly')).toHaveLength(1);
    const { id, missed } = await schedule('hourly');
    expect(missed).toEqual([5, 4, 3, 2].map((n) => dawn + n * hour));
    const run = { id, missed: dawn + 4 * hour };
    expect((await kennel.call('schedules.runNow', run)).missed).not.toContain(dawn + 4 * hour);
    expect(await kennel.tryCall('schedules.runNow', run)).toMatchObject({ error: { code: 'conflict' } });
    expect(await made('Hourly')).toHaveLength(2);
    expect((await kennel.call('schedules.putAway', { id: 'hourly' })).missedCount).toBe(0);
  }, 60_000);

  it('catch up once if set to, also for times while no host ran (F23)', async () => {
    const when = { kind: 'once', at: dawn + 6 * hour } as const;
    const starts = task('Late once');
    await kennel.call('schedules.add', { name: 'late', when, starts, catchUp: 'latest' });
    await kennel.stop();
    clock.set(dawn + 9 * hour + 30 * minute);
    kennel = await startHost(folder.home, { clock });
    await until('the late one', async () => (await made('Late once')).length === 1);
    await again();
    await looks();
    expect(await made('Late once')).toHaveLength(1);
    expect(await schedule('late')).toMatchObject({ next: null, missedCount: 0 });
  }, 60_000);

  it('start nothing while paused, and count nothing as missed', async () => {
    const { id } = await schedule('hourly');
    await kennel.call('schedules.putAway', { id });
    const before = (await made('Hourly')).length;
    expect(await kennel.call('schedules.set', { id, enabled: false })).toMatchObject({ next: null });
    clock.set(dawn + 20 * hour + 30 * minute);
    await looks();
    expect(await kennel.call('schedules.set', { id, enabled: true })).toMatchObject({ missedCount: 0 });
    await until('the next', async () => (await schedule('hourly')).next === dawn + 21 * hour);
    expect(await made('Hourly')).toHaveLength(before);
  }, 60_000);

  it('reject invalid input with a readable message', async () => {
    const bad = async (more: object) => {
      const input = { name: 'x', when: { kind: 'once', at: 1 }, starts: task('x'), ...more } as never;
      const said = await kennel.tryCall('schedules.add', input);
      return said.ok ? 'taken' : `${said.error.code}: ${said.error.message}`;
    };
    const cron = (expression: string, timeZone = 'UTC') => ({ when: { kind: 'cron', expression, timeZone } });
    expect(await bad(cron('61 * * * *'))).toContain('no cron expression');
    expect(await bad(cron('0 0 30 2 *'))).toContain('never due');
    expect(await bad(cron('* * * * *', 'Mars/Olympus'))).toContain('no time zone');
    expect(await bad({ name: 'hourly' })).toContain('conflict');
    expect(await bad({ starts: { ...task('x'), agent: 'nobody' } })).toContain("no agent 'nobody'");
    const when = { kind: 'file', path: 'here', glob: null, restMs: 500 };
    expect(await bad({ when })).toContain('whole path');
    expect(await kennel.tryCall('schedules.remove', { id: 'nothing' })).toMatchObject({
      error: { code: 'not_found' },
    });
    await kennel.call('schedules.add', {
      name: 'weekly',
      starts: task('x'),
      when: { kind: 'once', at: clock.now() + minute },
    });
    for (const method of [
      'schedules.remove',
      'schedules.list',
      'schedules.runNow',
      'schedules.putAway',
    ] as const)
      expect(await kennel.tryCall(method, { id: 'wekly' })).toMatchObject({
        error: { code: 'not_found', hint: 'Did you mean "weekly"?' },
      });
    expect(await kennel.call('schedules.list', { id: 'weekly' })).toMatchObject({
      schedules: [{ name: 'weekly' }],
    });
    await kennel.call('schedules.remove', { id: 'weekly' });
  });

  it('list a workflow that cannot start as missed, with the reason', async () => {
    const starts = { kind: 'workflow', file: path.join(folder.home, 'none.puppy'), args: {} } as const;
    const when = { kind: 'once', at: clock.now() + minute } as const;
    await kennel.call('schedules.add', { name: 'flow', when, starts });
    clock.jump(minute + 1_000);
    const said = await until('the reason', async () => {
      const found = await schedule('flow');
      return found.problem !== '' && found;
    });
    expect(said).toMatchObject({ missedCount: 1, missed: [when.at] });
    expect(englishText(said.problem)).toContain('none.puppy did not start');
  });
});

describe('Scheduled workflows', () => {
  it('start once when due, after clock jumps and restarts (F8, F23)', async () => {
    mkdirSync(path.join(folder.home, 'workflows'), { recursive: true });
    const file = path.join(folder.home, 'workflows', 'greet.puppy');
    writeFileSync(file, 'name: greet\nargs: {who: {}}\nsteps:\n  - {id: a, run: "echo hello"}\n');
    const starts = { kind: 'workflow', file, args: { who: 'ada' } } as const;
    const at = clock.now() + minute;
    await kennel.call('schedules.add', { name: 'greet', when: { kind: 'once', at }, starts });
    const runs = async () => (await kennel.call('runs.list', { text: 'greet' })).runs;
    clock.set(at + 1_000);
    await until('the run', async () => (await runs()).some(({ status }) => status === 'ok'));
    clock.set(at - 30_000);
    await looks();
    clock.set(at + 2_000);
    await again();
    await looks();
    expect(await runs()).toHaveLength(1);
    expect(await schedule('greet')).toMatchObject({ problem: '', missedCount: 0, next: null });
  }, 60_000);

  it('do not start files that an agent can write, whether named at creation or later (T9)', async () => {
    const outer = path.join(folder.home, 'workflows', 'outer.puppy');
    const inner = path.join(folder.home, 'agents', 'guide', 'workspace', 'inner.puppy');
    writeFileSync(inner, 'steps:\n  - {id: b, run: "true"}\n');
    const callsInner = `steps:\n  - {id: a, workflow: ${JSON.stringify(inner)}}\n`;
    const starts = { kind: 'workflow', file: outer, args: {} } as const;
    const add = (name: string) => {
      const when = { kind: 'once', at: clock.now() + minute } as const;
      return kennel.host.call({ kind: 'owner-cli' }, 'schedules.add', { name, when, starts });
    };
    writeFileSync(outer, callsInner);
    expect(await add('outer')).toMatchObject({ ok: false, error: { code: 'forbidden', where: outer } });
    writeFileSync(outer, 'steps:\n  - {id: a, run: "true"}\n');
    expect((await add('outer')).ok).toBe(true);
    writeFileSync(outer, callsInner);
    clock.set(clock.now() + minute + 1_000);
    await until('the refusal', async () =>
      englishText((await schedule('outer')).problem).includes(`can change ${inner}`),
    );
    expect(await schedule('outer')).toMatchObject({ missedCount: 1 });
    expect((await kennel.call('runs.list', { text: 'outer' })).runs).toEqual([]);
  });
});

describe('Schedules on files', () => {
  const inbox = path.join(folder.home, '..', `${path.basename(folder.home)}-inbox`);
  const put = (name: string, text: string): void => {
    writeFileSync(path.join(inbox, `.${name}`), text);
    renameSync(path.join(inbox, `.${name}`), path.join(inbox, name));
  };

  it('start one task per file content, also across a restart', async () => {
    const when = { kind: 'file', path: inbox, glob: '*.csv', restMs: 1_000 } as const;
    await kennel.call('schedules.add', { name: 'inbox', when, starts: task('Peruse {{path}} now') });
    await until('the problem', async () =>
      englishText((await schedule('inbox')).problem).includes('does not exist yet'),
    );
    mkdirSync(inbox);
    put('a.csv', 'one');
    await until('a task', async () => (await made('Peruse')).length === 1);
    expect(await made('Peruse')).toEqual([`Peruse ${path.join(inbox, 'a.csv')} now`]);
    await kennel.stop();
    put('a.csv', 'one');
    put('b.csv', 'two');
    kennel = await startHost(folder.home, { clock });
    await until('the second', async () => (await made('Peruse')).length === 2);
    await looks();
    expect((await made('Peruse'))[0]).toContain('b.csv');
    expect(await schedule('inbox')).toMatchObject({ problem: '', next: null });
  }, 60_000);

  it('are held when triggered too often, report it, and continue once enabled', async () => {
    let writes = 0;
    await until('the brake', async () => {
      writes += 1;
      put('a.csv', `own ${writes}`);
      return englishText((await schedule('inbox')).problem).includes('is held');
    });
    const { problems } = await kennel.call('host.view', {});
    expect(problems.some(({ message }) => message.includes('inbox: It started'))).toBe(true);
    const before = (await made('Peruse')).length;
    put('c.csv', 'while held');
    await looks();
    expect(await made('Peruse')).toHaveLength(before);
    // A file counts as new after the first look, which the problem of the missing folder shows.
    rmSync(inbox, { recursive: true });
    await kennel.call('schedules.set', { id: 'inbox', enabled: true });
    await until('the first look', async () =>
      englishText((await schedule('inbox')).problem).includes('does not exist yet'),
    );
    mkdirSync(inbox);
    put('d.csv', 'after');
    await until('the next', async () => (await made('Peruse')).length === before + 1);
  }, 180_000);
});

it('are removed with the demo, and leave no store behind', async () => {
  const seen = follow<SchedulesView>(kennel.host, 'schedules');
  await until('the schedules', () => Object.keys(seen.state().schedules).length > 2);
  await kennel.call('setup.removeDemo', {});
  expect(seen.state().schedules).toEqual({});
  expect(await kennel.call('schedules.list', {})).toEqual({ schedules: [] });
  await looks();
  expect(existsSync(path.join(folder.home, 'tasks.db'))).toBe(false);
}, 60_000);
