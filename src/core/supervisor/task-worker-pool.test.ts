import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { addSample, leaseOf, must, openSampleTasks } from '../../../test/fakes/task-samples.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { StoreError } from '../lib/store-error.ts';
import type { TaskStore } from '../tasks/task-ports.ts';
import { TaskLeases } from './task-leases.ts';
import { createTaskWorkerPool, type TaskRun } from './task-worker-pool.ts';

let folder: string;
let store: TaskStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-tasks-'));
  store = openSampleTasks(path.join(folder, 'tasks.db'));
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs end when `end` is called; `runs` lists the started ones. */
function crewOf(workers = 2, run?: (run: TaskRun) => Promise<void>) {
  const clock = createVirtualClock();
  const runs: TaskRun[] = [];
  const ends = new Map<number, () => void>();
  const many = { workers };
  const disk = { isFull: false };
  const change: TaskStore['change'] = (...change) => {
    if (disk.isFull) throw new StoreError('disk_full', 'The disk is full.');
    return store.change(...change);
  };
  const log = createRecordingLog();
  const leases = new TaskLeases({
    store: { ...store, change },
    clock,
    log,
    me: { owner: 'me', pid: 1, bootId: 'b', alive: () => true },
    onRecovered: () => undefined,
  });
  const crew = createTaskWorkerPool({
    leases,
    clock,
    log,
    workers: () => many.workers,
    async run(one) {
      runs.push(one);
      if (run) return run(one);
      await new Promise<void>((resolve) => {
        ends.set(one.task.id, resolve);
        one.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      if (one.signal.aborted) return;
      store.change(one.task.id, { type: 'finished', by: one.claim, result: 'ok' }, clock.now());
    },
    onAssigned: () => undefined,
  });
  const end = async (id: number): Promise<void> => {
    ends.get(id)?.();
    await settle();
  };
  return { clock, crew, runs, end, many, disk, ids: () => runs.map(({ task }) => task.id) };
}

describe('Task worker pool', () => {
  it('runs as many tasks as workers, fair between agents, and takes the next when one ends', async () => {
    for (const agent of ['a', 'a', 'b', 'b']) addSample(store, { agent });
    for (const agent of ['a', 'b']) store.setConcurrency(agent, 1);
    const { crew, ids, end } = crewOf();
    crew.wake();
    await settle();
    expect(ids()).toEqual([1, 3]);
    expect(crew.busy()).toMatchObject([
      { worker: 0, task: 1, runner: 'a' },
      { worker: 1, task: 3, runner: 'b' },
    ]);
    await end(3);
    expect(ids()).toEqual([1, 3, 4]);
    await end(1);
    await end(2);
    await end(4);
    expect(store.counts()).toMatchObject({ done: 4, running: 0 });
    expect(crew.busy()).toEqual([]);
  });

  it('follows the current worker setting, including zero', async () => {
    addSample(store, { agent: 'a' });
    const { crew, ids, many } = crewOf(0);
    crew.wake();
    expect([ids(), crew.take(1)]).toEqual([[], false]);
    many.workers = 1;
    crew.wake();
    await settle();
    expect(ids()).toEqual([1]);
  });

  it('F8, F23 starts delayed tasks when due, also after the clock is set forward', async () => {
    const { clock, crew, ids } = crewOf();
    addSample(store, { agent: 'a', dueAt: clock.now() + 5_000 });
    addSample(store, { agent: 'b', dueAt: clock.now() + 86_400_000 });
    crew.wake();
    await clock.advance(4_900);
    expect(ids()).toEqual([]);
    await clock.advance(200);
    expect(ids()).toEqual([1]);
    clock.jump(86_400_000);
    await clock.advance(60_000);
    expect(ids()).toEqual([1, 2]);
  });

  it('starts a task before it is due on request', async () => {
    const { clock, crew, ids } = crewOf();
    addSample(store, { agent: 'a', dueAt: clock.now() + 86_400_000 });
    expect(crew.take(1)).toBe(true);
    await settle();
    expect(ids()).toEqual([1]);
  });

  it('F1 takes over a task of another host after its heartbeats have stopped for a whole lease', async () => {
    addSample(store, { agent: 'a' });
    store.claim({ lease: { ...leaseOf('another'), bootId: 'b' }, now: 1 });
    const { clock, crew, ids } = crewOf();
    crew.wake();
    await clock.advance(45_000);
    expect(ids()).toEqual([]);
    await clock.advance(30_000);
    expect(ids()).toEqual([1]);
  });

  it('aborts a task that another worker took over', async () => {
    addSample(store, { agent: 'a' });
    const { clock, crew, runs } = crewOf();
    crew.wake();
    await settle();
    must(store.change(1, { type: 'recovered', claim: 1 }, 2));
    store.setConcurrency('a', 0);
    await clock.advance(15_000);
    expect(runs[0]?.signal.aborted).toBe(true);
    expect(crew.busy()).toEqual([]);
  });

  it('keeps the claim of a task that another worker took before the last one had ended', async () => {
    addSample(store, { agent: 'a' });
    const approvalId = 'ap_1';
    const { clock, crew, runs } = crewOf(2, async ({ task, claim: by, signal }) => {
      if (by.claim > 1) return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      must(store.change(task.id, { type: 'approval-asked', by, approvalId }, clock.now()));
      must(store.change(task.id, { type: 'approval-answered', approvalId }, clock.now()));
      crew.wake();
    });
    crew.wake();
    await settle();
    expect(crew.busy()).toMatchObject([{ worker: 1, task: 1 }]);
    await clock.advance(15_000);
    expect(store.held()).toMatchObject([{ claim: 2, lease: { beat: 1 } }]);
    must(store.change(1, { type: 'recovered', claim: 2 }, 2));
    store.setConcurrency('a', 0);
    await clock.advance(15_000);
    expect(runs[1]?.signal.aborted).toBe(true);
    expect(crew.busy()).toEqual([]);
  });

  it('returns a task to the queue after a worker error, with a delay', async () => {
    addSample(store, { agent: 'a' });
    const { clock, crew, ids } = crewOf(1, async () => {
      throw new Error('a fault');
    });
    crew.wake();
    await clock.advance(9_000);
    expect(ids()).toEqual([1]);
    await clock.advance(2_000);
    expect(ids()).toEqual([1, 1]);
  });

  it('fails a task that throws on every try', async () => {
    addSample(store, { agent: 'a' });
    const { clock, crew, ids } = crewOf(1, async () => {
      throw new Error('a fault');
    });
    crew.wake();
    await clock.advance(120_000);
    expect(ids()).toHaveLength(5);
    expect(store.task(1)).toMatchObject({ status: 'error', failure: { kind: 'crashed' } });
  });

  it('returns a task as soon as the disk has room, if the disk was full when the work ended (F4)', async () => {
    for (const agent of ['a', 'a']) addSample(store, { agent });
    const { clock, crew, ids, disk } = crewOf(1, async ({ task }) => {
      if (task.claim > 1) return new Promise(() => undefined);
      disk.isFull = true;
      throw new StoreError('disk_full', 'The disk is full.');
    });
    crew.wake();
    await clock.advance(120_000);
    expect(ids()).toEqual([1]);
    disk.isFull = false;
    await clock.advance(15_000);
    expect(ids()).toEqual([1, 1]);
    expect(store.task(1)).toMatchObject({ status: 'running', crashes: 1 });
  });

  it('releases all claims on stop, and waits for a running step', async () => {
    for (const agent of ['a', 'b']) addSample(store, { agent });
    const { clock, crew, runs, end } = crewOf();
    crew.wake();
    await settle();
    const stopped = crew.stop(2_000);
    expect(runs.every(({ leaving }) => leaving.aborted)).toBe(true);
    await end(1);
    expect(store.task(1)?.status).toBe('done');
    expect(runs[1]?.signal.aborted).toBe(false);
    await clock.advance(2_000);
    await stopped;
    expect(store.task(2)).toMatchObject({ status: 'pending', lease: null });
    expect(store.held()).toEqual([]);
    addSample(store, { agent: 'a' });
    crew.wake();
    await settle();
    expect(runs).toHaveLength(2);
  });

  it('sets no timer without work', () => {
    const { clock, crew } = crewOf();
    crew.wake();
    expect(clock.pending()).toBe(0);
  });
});
