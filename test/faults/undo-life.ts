// One life of a process that changes files under restore points, reverts them, takes a snapshot or restores it: argv
// is the folder, `call`, `revert`, `snapshot` or `restore`, and the step before which it kills itself; it prints
// `alive` if it comes to its end.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ok } from '../../src/contract/result.ts';
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
  const { put, begin, end, keep } = store;
  return Object.assign(store, {
    put: around(put),
    begin: around(begin),
    end: around(end),
    keep: around(keep),
  });
};

const rig = createUndoRig({ base, store: mortal });
const { put, take } = rig.snapshots;
Object.assign(rig.snapshots, {
  // The cache leaves out files that were written just before, so it would make the number of steps depend on time.
  take: (...args: Parameters<typeof take>) => {
    rig.snapshots.forget();
    return take(...args);
  },
  put: async (...args: Parameters<typeof put>) => {
    step();
    const done = await put(...args);
    step();
    return done;
  },
});
await rig.points.recover();
steps = 0;
const audit = async () => ok(undefined);
const agentId = 'guide';

async function takeSnapshot(): Promise<void> {
  mkdirSync(rig.at('folder'), { recursive: true });
  for (const name of ['a', 'b', 'folder/c']) writeFileSync(rig.at(name), 'before');
  await rig.workspace.take({ agentId, root: rig.root, label: 'mine', reason: 'asked' });
}

/** Changes, removes and creates files, then restores the snapshot. */
async function restoreSnapshot(): Promise<void> {
  writeFileSync(rig.at('a'), 'agent');
  rmSync(rig.at('folder'), { recursive: true });
  mkdirSync(rig.at('new'));
  writeFileSync(rig.at('new/file'), 'agent');
  steps = 0;
  const snapshot = rig.workspace.find(agentId, 'mine');
  if (!snapshot.ok) throw new Error(snapshot.error.message);
  const items = await rig.workspace.changesSince(snapshot.value, null);
  if (!items.ok) throw new Error(items.error.message);
  await rig.workspace.restore({ snapshot: snapshot.value, items: items.value, title: 'restore', audit });
}

switch (life) {
  case 'call':
    writeFileSync(rig.at('a'), 'before');
    writeFileSync(rig.at('b'), 'before');
    await rig.call('write_file', { path: 'a', content: 'agent' });
    await rig.shell('printf agent > b; mkdir c; printf agent > c/d');
    break;
  case 'revert':
    await rig.revert(rig.ofTurn());
    break;
  case 'snapshot':
    await takeSnapshot();
    break;
  case 'restore':
    await restoreSnapshot();
    break;
}
const now = ['a', 'b'].map((name) => (existsSync(rig.at(name)) ? readFileSync(rig.at(name), 'utf8') : ''));
process.stdout.write(`alive ${now.join()} ${steps}\n`);
rig.store.release();
