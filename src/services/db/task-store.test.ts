import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import {
  addSample,
  leaseOf,
  must,
  openSampleTasks,
  sampleStep,
  taskKey,
} from '../../../test/fakes/task-samples.ts';
import { seed } from '../../../test/fakes/test-run.ts';
import { textError } from '../../contract/errors.ts';
import { err } from '../../contract/result.ts';
import { noneSpent } from '../../core/models/usage.ts';
import { readPersonalAgentTasks } from '../../core/tasks/import-tasks.ts';
import { chooseNext, laneOf } from '../../core/tasks/queue.ts';
import { newTask } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { openDatabase } from './binding.ts';
import { dueSchedulesSql } from './schedule-rows.ts';
import { endedBeforeSql } from './task-archive.ts';
import { headSql, idleSql, willingSql } from './task-lanes.ts';
import { taskSchema } from './task-schema.ts';
import { countCancelledSql, countsSql, fallenDueSql } from './task-store.ts';

let folder: string;
let store: TaskStore;
const file = (): string => path.join(folder, 'tasks.db');
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-tasks-'));
  store = openSampleTasks(file());
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

const take = (from: TaskStore, owner = 'me', now = 200) => from.claim({ lease: leaseOf(owner), now });
const by = (claim: number, owner = 'me') => ({ owner, claim });
const drained = () => {
  const ids: number[] = [];
  for (let task = take(store); task; task = take(store)) {
    ids.push(task.id);
    must(store.change(task.id, { type: 'finished', by: by(task.claim), result: 'ok' }, 300));
  }
  return ids;
};

describe('Archived tasks', () => {
  const listed = (archived?: boolean) =>
    store.list({ limit: 10, ...(archived === undefined ? {} : { archived }) }).map(({ id }) => id);

  it('leave lists and counts, survive a restart, and come back', () => {
    for (const agent of ['a', 'b', 'b']) addSample(store, { agent });
    drained();
    addSample(store, { agent: 'a' });
    expect(must(store.archive([1, 2, 2], true, 500)).map(({ archivedAt }) => archivedAt)).toEqual([500, 500]);
    store.release();
    store = openSampleTasks(file());
    expect([listed(false), listed(true), listed()]).toEqual([
      [4, 3],
      [2, 1],
      [4, 3, 2, 1],
    ]);
    expect(store.counts()).toMatchObject({ done: 1, pending: 1 });
    must(store.archive([1], true, 900));
    expect(store.task(1)).toMatchObject({ archivedAt: 500, result: 'ok' });
    must(store.archive([1, 2], false, 900));
    expect(listed(true)).toEqual([]);
  });
  it('are all changed or none: a task that has not ended stays', () => {
    for (const agent of ['a', 'b']) addSample(store, { agent });
    must(store.change(1, { type: 'cancel' }, 300));
    expect(store.archive([1, 2], true, 500)).toMatchObject({ error: { code: 'conflict' } });
    expect(store.archive([1, 9], true, 500)).toMatchObject({ error: { code: 'not_found' } });
    expect(listed(true)).toEqual([]);
  });
  it('leave the archive when they are retried, and are found by age', () => {
    for (const agent of ['a', 'b']) addSample(store, { agent });
    must(store.change(1, { type: 'cancel' }, 300));
    must(store.change(2, { type: 'cancel' }, 400));
    expect([store.endedBefore(300), store.endedBefore(350), store.endedBefore(401)]).toEqual([
      [],
      [1],
      [1, 2],
    ]);
    must(store.archive([1], true, 500));
    expect([store.endedBefore(401), store.cancelled()]).toEqual([[2], 1]);
    must(store.change(1, { type: 'retry' }, 600));
    expect(store.task(1)).toMatchObject({ status: 'pending', archivedAt: null });
  });
  it('F24: are added to a file of the version before the archive', () => {
    store.release();
    const older = path.join(folder, 'older.db');
    const db = openDatabase(older, { key: taskKey });
    for (const step of taskSchema.slice(0, 3)) db.exec(step);
    const { archivedAt: _, ...body } = newTask({ goal: 'old' }, 5);
    db.prepare("INSERT INTO tasks (status, lane, priority, ready, body) VALUES ('done', '', 0, 0, ?)").run([
      JSON.stringify({ ...body, status: 'done' }),
    ]);
    db.exec('PRAGMA user_version = 3');
    db.close();
    store = openSampleTasks(older);
    expect(store.task(1)).toMatchObject({ goal: 'old', archivedAt: null });
    must(store.archive([1], true, 9));
    expect(listed(true)).toEqual([1]);
  });
});

describe('Task store', () => {
  it('assigns tasks by priority, fairly between agents, and in order of arrival within one agent', () => {
    for (const agent of ['a', 'a', 'a', 'b', 'b']) addSample(store, { agent });
    addSample(store, { agent: 'a', priority: 9 });
    expect(drained()).toEqual([6, 4, 1, 5, 2, 3]);
  });
  it('respects the concurrency of each agent, and assigns a task for any agent to a free one', () => {
    for (const agent of ['a', 'a', null]) addSample(store, { agent });
    expect(take(store)?.id).toBe(1);
    expect(take(store)).toBeNull();
    store.setConcurrency('b', 1);
    expect(take(store)).toMatchObject({ id: 3, runner: 'b', agent: null });
    store.setConcurrency('a', 2);
    expect(take(store)?.id).toBe(2);
    store.setConcurrency('c', 0);
    addSample(store, { agent: 'c' });
    expect(take(store)).toBeNull();
  });
  it('keeps a task with the agent that started it until that agent is removed', () => {
    for (const agent of ['a', 'b']) store.setConcurrency(agent, 1);
    addSample(store);
    const begun = take(store);
    expect(begun).toMatchObject({ agent: null, runner: 'a' });
    must(store.change(1, { type: 'approval-asked', by: by(1), approvalId: 'q' }, 210));
    must(store.change(1, { type: 'approval-answered', approvalId: 'q' }, 220));
    store.setConcurrency('a', 0);
    expect(take(store)).toBeNull();
    expect(store.claim({ lease: leaseOf('me'), now: 230, only: 1 })).toBeNull();
    expect(store.list({ agent: 'a', limit: 9 })).toHaveLength(1);
    expect(store.letGo('b')).toEqual([]);
    expect(store.letGo('a')).toEqual([1]);
    expect(take(store)).toMatchObject({ id: 1, runner: 'b' });
    must(store.change(1, { type: 'finished', by: by(2), result: 'ok' }, 300));
    addSample(store, { agent: 'b' });
    expect(take(store)?.id).toBe(2);
    must(store.change(2, { type: 'released', by: by(1) }, 310));
    expect(store.letGo('b')).toEqual([]);
    expect(store.task(1)?.runner).toBe('b');
  });
  it('returns the existing task for a repeated key', () => {
    const one = addSample(store, { key: 'k' });
    expect(store.add({ task: one, steps: [] })).toEqual({ task: one, isNew: false });
    expect(store.counts().pending).toBe(1);
  });
  it('assigns a task when due, or earlier on demand, and keeps it ready if the clock goes back (F8)', () => {
    store.setConcurrency('a', 9);
    for (const dueAt of [500, 600, 700]) addSample(store, { agent: 'a', dueAt });
    expect(take(store, 'me', 499)).toBeNull();
    expect(store.nextDue()).toBe(500);
    expect(store.claim({ lease: leaseOf('me'), now: 499, only: 3 })?.id).toBe(3);
    expect(take(store, 'me', 650)?.id).toBe(1);
    expect(take(store, 'me', 0)?.id).toBe(2);
  });
  it('reassigns a task after its owner died, and refuses writes by the former owner (F1)', () => {
    addSample(store, { agent: 'a' });
    const first = take(store, 'dead');
    expect(store.held()).toMatchObject([{ task: 1, claim: 1, lease: { owner: 'dead', beat: 0 } }]);
    expect(store.beat(1, by(1, 'dead'))).toBe(true);
    expect(store.held()[0]?.lease.beat).toBe(1);
    must(store.change(1, { type: 'recovered', claim: 1 }, 300));
    expect(store.held()).toEqual([]);
    expect(take(store, 'new')?.claim).toBe(2);
    expect(store.beat(1, by(1, 'dead'))).toBe(false);
    expect(store.startStep(1, by(1, 'dead'), sampleStep(), 301).ok).toBe(false);
    expect(first?.lease?.owner).toBe('dead');
  });
  it('stores each step result once, and waits for a decision on an interrupted step (F1)', () => {
    addSample(store, { agent: 'a' });
    take(store);
    const asked = must(store.startStep(1, by(1), sampleStep({ kind: 'decision' }), 210));
    const end = {
      result: 'look',
      error: null,
      memory: { seen: 1 },
      used: { ...noneSpent, tokens: 3, usd: 0 },
    };
    must(store.endStep(1, by(1), asked.step.number, end, 211));
    expect(store.endStep(1, by(1), 1, { result: 'again', error: null }, 212).ok).toBe(false);
    must(store.startStep(1, by(1), sampleStep({ callId: 'b', replay: 'never' }), 213));
    store.release();
    const lost = must(store.change(1, { type: 'recovered', claim: 1 }, 300));
    expect(lost).toMatchObject({ status: 'waiting', waitingFor: { kind: 'unknown-step', step: 2 } });
    expect(take(store)).toBeNull();
    must(store.settleUnknown(1, 2, 'no', 301));
    expect(take(store)).toMatchObject({
      id: 1,
      steps: 2,
      memory: { seen: 1 },
      used: { ...noneSpent, tokens: 3 },
    });
    expect(store.steps(1, 0, 9).map(({ result }) => result)).toEqual(['look', null]);
    expect(store.steps(1, 1, 9)).toHaveLength(1);
  });
  it('returns the result of a finished call, and repeats an unfinished one under its step number (F1)', () => {
    addSample(store, { agent: 'a', budget: { steps: 2 } });
    take(store);
    const answer = sampleStep({ callId: 'ask', kind: 'decision', action: 'decision' });
    must(store.startStep(1, by(1), answer, 210));
    must(
      store.endStep(
        1,
        by(1),
        1,
        { result: 'look', error: null, used: { ...noneSpent, tokens: 9, usd: 1 } },
        211,
      ),
    );
    must(store.startStep(1, by(1), sampleStep(), 212));
    must(store.change(1, { type: 'recovered', claim: 1 }, 300));
    take(store);
    expect(must(store.startStep(1, by(2), answer, 301)).step).toMatchObject({ number: 1, result: 'look' });
    expect(must(store.startStep(1, by(2), sampleStep(), 302)).step).toMatchObject({
      number: 2,
      startedAt: 212,
    });
    expect(store.startStep(1, by(2), sampleStep({ digest: 'other' }), 303)).toMatchObject({
      error: { code: 'conflict' },
    });
    expect(store.startStep(1, by(1), answer, 303)).toMatchObject({ error: { code: 'conflict' } });
    must(store.endStep(1, by(2), 2, { result: 'sent', error: null }, 304));
    const done = must(store.change(1, { type: 'finished', by: by(2), result: 'ok' }, 305));
    expect(done).toMatchObject({ steps: 2, used: { ...noneSpent, tokens: 9, usd: 1 } });
  });
  it('forks a task with its steps so far, and amends only tasks that are not running', () => {
    addSample(store, { agent: 'a' });
    take(store);
    must(store.startStep(1, by(1), sampleStep(), 210));
    must(store.endStep(1, by(1), 1, { result: 'x', error: null }, 211));
    expect(store.amend(1, { priority: 3 }, 212).ok).toBe(false);
    expect(must(store.fork(1, 1, 220))).toMatchObject({ id: 2, parent: 1, steps: 1 });
    expect(store.steps(2, 0, 9)).toEqual(store.steps(1, 0, 9));
    expect(store.fork(9, 0, 220)).toMatchObject({ error: { code: 'not_found' } });
    addSample(store, { agent: 'a' });
    must(store.amend(3, { priority: 3, budget: { usd: 1 } }, 230));
    expect(store.lanes()[0]).toMatchObject({ head: 3, priority: 3, ready: 2, running: 1 });
    must(store.amend(3, { dueAt: 900 }, 231));
    expect(store.lanes()[0]).toMatchObject({ head: 2, ready: 1 });
  });
  it('lists tasks newest first by state, project and agent, and counts them', () => {
    for (const agent of ['a', 'b', 'a']) addSample(store, { agent, project: agent === 'a' ? 'p' : null });
    must(store.change(1, { type: 'cancel' }, 300));
    const ids = (query: Partial<Parameters<TaskStore['list']>[0]>) =>
      store.list({ limit: 9, ...query }).map(({ id }) => id);
    expect([ids({}), ids({ limit: 1 }), ids({ before: 3 })]).toEqual([[3, 2, 1], [3], [2, 1]]);
    expect([ids({ status: 'pending' }), ids({ project: 'p' }), ids({ agent: 'b' })]).toEqual([
      [3, 2],
      [3, 1],
      [2],
    ]);
    expect(store.counts()).toEqual({ pending: 2, running: 0, waiting: 0, paused: 0, done: 0, error: 1 });
    expect(store.cancelled()).toBe(1);
    expect(store.times(0, { from: 1, to: 9 }).map(({ cancelled }) => cancelled)).toEqual([
      true,
      false,
      false,
    ]);
    must(store.change(1, { type: 'retry' }, 310));
    expect(store.cancelled()).toBe(0);
  });
  it('imports a task only once', () => {
    const text = JSON.stringify({
      tasks: {
        4: {
          id: 4,
          goal: 'Old',
          status: 'done',
          memory: {},
          created_at: '2026-01-15T03:20:25',
          updated_at: '2026-01-15T03:20:25',
          steps: [{ step_id: 1, timestamp: '2026-01-15T03:20:25', action: 'decision', result: 'done' }],
        },
      },
      next_id: 5,
    });
    const reading = readPersonalAgentTasks(text);
    expect(reading.next().done).toBe(false);
    const read = reading.next();
    const tasks = must(read.done === true ? read.value : err(textError('internal', 'There is more.')));
    expect(store.addAll(tasks).map(({ isNew }) => isNew)).toEqual([true]);
    expect(store.addAll(tasks).map(({ isNew }) => isNew)).toEqual([false]);
    expect(store.steps(1, 0, 9)).toMatchObject([{ result: 'done' }]);
  });
  it('is encrypted on disk (T19)', () => {
    addSample(store, { goal: 'a-goal-with-a-name' });
    store.release();
    expect(readFileSync(file()).includes('a-goal-with-a-name')).toBe(false);
  });
});

describe('Task queue', () => {
  it('is read through indexes, without a scan or a sort', () => {
    addSample(store);
    store.release();
    const db = openDatabase(file(), { key: taskKey });
    const questions = {
      lanes_willing: [willingSql],
      lanes_idle: [idleSql],
      tasks_ready: [headSql],
      tasks_due: [fallenDueSql],
      schedules_by_next: [dueSchedulesSql],
      tasks_cancelled: [countCancelledSql],
      tasks_shown: [countsSql, endedBeforeSql],
    };
    for (const [index, statements] of Object.entries(questions)) {
      for (const sql of statements) {
        const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(sql.includes('?') ? [1] : []);
        const text = plan.map(({ detail }) => String(detail)).join('; ');
        expect(text).toMatch(new RegExp(`^(SEARCH|SCAN) \\w+ USING (COVERING )?INDEX ${index}\\b[^;]*$`));
      }
    }
    db.close();
  });
  it('is recounted from the readable rows of a damaged file (F19)', () => {
    for (let n = 0; n < 400; n += 1) addSample(store, { agent: n % 2 ? 'a' : 'b', goal: 'x'.repeat(200) });
    store.setConcurrency('a', 3);
    for (let n = 0; n < 4; n += 1) take(store);
    store.release();
    const bytes = readFileSync(file());
    bytes.fill(7, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8);
    writeFileSync(file(), bytes);
    const again = openSampleTasks(file());
    again.claim({ lease: leaseOf('me'), now: 200 });
    const found = again.list({ limit: 1_000 });
    expect(found.length).toBeGreaterThan(100);
    expect(readdirSync(folder).some((name) => name.includes('damaged'))).toBe(true);
    const lanes = again.lanes();
    const count = (status: string) => found.filter((task) => task.status === status).length;
    expect(lanes.reduce((sum, { ready }) => sum + ready, 0)).toBe(count('pending'));
    expect(lanes.reduce((sum, { running }) => sum + running, 0)).toBe(count('running'));
    expect(again.held()).toHaveLength(count('running'));
    again.release();
  });
  it(`chooses as the reference rule does, for any history (seed ${seed})`, () => {
    const { fraction } = createSeededRandom(seed);
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(fraction() * from.length)];
    for (let n = 0; n < 400; n += 1) {
      const expected = chooseNext(store.lanes());
      const move = pick(['add', 'claim', 'claim', 'end', 'event', 'lane', 'gone']);
      const task = pick(store.list({ limit: 50 }));
      if (move === 'add')
        addSample(store, { agent: pick(['a', 'b', null]) ?? null, priority: pick([0, 0, 5]) ?? 0 });
      if (move === 'lane') store.setConcurrency(pick(['a', 'b', 'c']) ?? 'a', pick([0, 1, 2]) ?? 1);
      if (move === 'claim') {
        const before = new Map(store.list({ limit: 500 }).map((one) => [one.id, laneOf(one)]));
        const got = take(store);
        expect(got && { task: got.id, lane: before.get(got.id), runner: got.runner }).toEqual(expected);
      }
      if (move === 'gone') store.letGo(pick(['a', 'b', 'c']) ?? 'a');
      const held = pick(store.held());
      if (move === 'end' && held) {
        must(store.change(held.task, { type: 'finished', by: by(held.claim), result: 'ok' }, 300));
      }
      const type = pick(['pause', 'resume', 'cancel', 'retry'] as const);
      if (move === 'event' && task && type) store.change(task.id, { type }, 300);
      if (move === 'event' && task?.lease)
        store.change(task.id, { type: 'released', by: by(task.claim) }, 300);
      const counts = store.counts();
      const sum = (of: 'ready' | 'running') => store.lanes().reduce((all, lane) => all + lane[of], 0);
      expect([sum('ready'), sum('running')]).toEqual([counts.pending, counts.running]);
    }
  });
  it('assigns each task to only one of two connections', () => {
    const other = openSampleTasks(file());
    store.setConcurrency('a', 1_000);
    for (let n = 0; n < 40; n += 1) addSample(store, { agent: 'a' });
    const taken = Array.from({ length: 40 }, (_, n) => take(n % 2 === 0 ? store : other, `w${n % 2}`)?.id);
    expect(taken).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    expect(take(other)).toBeNull();
    other.release();
  });
});
