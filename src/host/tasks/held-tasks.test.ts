import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addSample, leaseOf, openSampleTasks } from '../../../test/fakes/task-samples.ts';
import { createVirtualClock, type VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { createHeldTasks } from './held-tasks.ts';
import { createUntilTaken } from './retry-write.ts';

let folder: string;
let store: TaskStore;
let freed: number[];
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-held-'));
  store = openSampleTasks(join(folder, 'tasks.db'));
  store.setConcurrency('a', 9);
  freed = [];
  clock = createVirtualClock();
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

const heldTasks = (change = store.change) =>
  createHeldTasks({
    store: { list: store.list, change },
    untilTaken: createUntilTaken(clock),
    now: () => 5,
    freed: (id) => void freed.push(id),
  });
function hold(run: string, over: () => boolean, held = heldTasks()) {
  const { id } = addSample(store, { agent: 'a' });
  const claim = store.claim({ lease: leaseOf('me'), now: 5 })?.claim ?? 0;
  const isHeld = held.hold(id, { owner: 'me', claim }, { run, name: 'ship', over });
  return { id, isHeld, held };
}
const statusOf = (id: number) => store.task(id)?.status;

it('A waiting task becomes pending only when its own run ends', () => {
  const ends = { r1: false };
  const { id, isHeld, held } = hold('r1', () => ends.r1);
  expect([isHeld, statusOf(id)]).toEqual([true, 'waiting']);
  held.changed('r2', () => true);
  held.changed('r1', () => ends.r1);
  expect([statusOf(id), freed]).toEqual(['waiting', []]);
  ends.r1 = true;
  held.changed('r1', () => ends.r1);
  expect([statusOf(id), freed]).toEqual(['pending', [id]]);
});

it('A run that ends while its task starts to wait releases the task', () => {
  const { id } = hold('r1', () => true);
  expect([statusOf(id), freed]).toEqual(['pending', [id]]);
});

it('At restart a task with an ended run becomes pending, and a paused one on resume', () => {
  const first = hold('r1', () => false);
  const second = hold('r2', () => false);
  const third = hold('r3', () => false);
  store.change(second.id, { type: 'pause' }, 5);
  const after = heldTasks();
  after.lookAgain((run) => run !== 'r3');
  expect([first.id, second.id, third.id].map(statusOf)).toEqual(['pending', 'paused', 'waiting']);
  store.change(second.id, { type: 'resume' }, 6);
  expect(statusOf(second.id)).toBe('pending');
  expect(freed).toEqual([first.id, second.id]);
});

it('A release that meets a full disk is retried', async () => {
  const disk = { full: false };
  const { id, held } = hold(
    'r1',
    () => false,
    heldTasks((...change) => {
      if (disk.full) throw new StoreError('disk_full', 'The disk is full.');
      return store.change(...change);
    }),
  );
  disk.full = true;
  held.changed('r1', () => true);
  expect([statusOf(id), freed]).toEqual(['waiting', []]);
  disk.full = false;
  await clock.runAll();
  expect([statusOf(id), freed]).toEqual(['pending', [id]]);
});

it('A worker with an expired claim cannot put a task on hold', () => {
  const { id } = addSample(store, { agent: 'a' });
  const held = heldTasks();
  expect(held.hold(id, { owner: 'me', claim: 7 }, { run: 'r1', name: '', over: () => false })).toBe(false);
  expect(statusOf(id)).toBe('pending');
});
