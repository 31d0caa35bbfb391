// One life of a process that changes files under restore points, or reverts them: argv is the folder, `call` or
// `revert`, and the step before which it kills itself; it prints `alive` if it comes to its end.
import { readFileSync, writeFileSync } from 'node:fs';
import type { RestoreStore } from '../../src/core/undo/snapshot-port.ts';
import { createUndoRig } from '../fakes/undo-rig.ts';

const [base = '', life = '', killAt = '0'] = process.argv.slice(2);
let steps = 0;

const step = (): void => {
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
};

/** Counts a step before and after each write of the store. */
const mortal = (store: RestoreStore): RestoreStore => {
  const around =
    <A extends readonly unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      step();
      const result = work(...args);
      step();
      return result;
    };
  const { put, begin, end } = store;
  return Object.assign(store, { put: around(put), begin: around(begin), end: around(end) });
};

const rig = createUndoRig({ base, store: mortal });
const { put } = rig.snapshots;
Object.assign(rig.snapshots, {
  put: async (...args: Parameters<typeof put>) => {
    step();
    const done = await put(...args);
    step();
    return done;
  },
});
await rig.points.recover();
steps = 0;
if (life === 'call') {
  writeFileSync(rig.at('a'), 'before');
  writeFileSync(rig.at('b'), 'before');
  await rig.call('write_file', { path: 'a', content: 'agent' });
  await rig.shell('printf agent > b; mkdir c; printf agent > c/d');
} else await rig.revert(rig.ofTurn());
const now = ['a', 'b'].map((name) => readFileSync(rig.at(name), 'utf8'));
process.stdout.write(`alive ${now.join()} ${steps}\n`);
rig.store.release();
