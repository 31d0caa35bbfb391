/**
 * Says `ready`, waits for a byte, then works on the given task store until no task is left to claim, two
 * steps per task. Prints each commit: `took TASK CLAIM`, `ended TASK STEP`, `done TASK`. Arguments: path,
 * name of the owner.
 */
import { readSync, writeSync } from 'node:fs';
import type { Task } from '../../src/core/tasks/task.ts';
import { leaseOf, must, openSampleTasks, sampleStep } from '../fakes/task-samples.ts';

const [path = '', owner = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const store = openSampleTasks(path);

function work({ id, claim }: Task): void {
  const by = { owner, claim };
  say(`took ${id} ${claim}`);
  for (const n of [1, 2]) {
    const { step } = must(store.startStep(id, by, sampleStep({ callId: `${id}-${n}` }), 210));
    if (step.endedAt !== null) continue;
    must(store.endStep(id, by, n, { result: `${owner} ${n}`, error: null }, 211));
    say(`ended ${id} ${n}`);
  }
  must(store.change(id, { type: 'finished', by, result: owner }, 212));
  say(`done ${id}`);
}

say('ready');
// Blocks until the test sends the start byte.
readSync(0, Buffer.alloc(1));
for (;;) {
  const task = store.claim({ lease: { ...leaseOf(owner), pid: process.pid }, now: 200 });
  if (!task) break;
  work(task);
  // Leaves the file to the other processes for a moment.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
store.release();
