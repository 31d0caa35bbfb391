/**
 * A restore point of a folder against `git add --all` of an equal folder: the first one, and one after a few
 * edits. Both are durable when they return, so git syncs its objects, which it does not by default. Rounds
 * alternate.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { openRestoreStore } from '../../src/services/db/restore-store.ts';
import { createSnapshots } from '../../src/services/tools/snapshots/snapshots.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { median, report, temporaryHome } from '../lib/measure.ts';

const rounds = 7;
const files = 2_000;
const edits = 20;

interface Times {
  readonly first: number[];
  readonly later: number[];
}

const text = (seed: string): string => `${seed}\n${'A line of a source file, as long as most.\n'.repeat(90)}`;
const write = (root: string, from: number, to: number, seed: string): void => {
  for (let n = from; n < to; n += 1) {
    const folder = path.join(root, `folder-${n % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `file-${n}.ts`), text(`${seed} ${n}`));
  }
};

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Times `keep` on a new folder, then after edits. */
async function measure(root: string, keep: () => unknown, times: Times): Promise<void> {
  write(root, 0, files, 'first');
  times.first.push(await timed(keep));
  write(root, 0, edits, 'edited');
  times.later.push(await timed(keep));
}

const ours: Times = { first: [], later: [] };
const theirs: Times = { first: [], later: [] };
for (let round = 0; round < rounds; round += 1) {
  const home = temporaryHome();
  const [kept, added] = [path.join(home, 'kept'), path.join(home, 'added')];
  for (const folder of [kept, added]) mkdirSync(folder);
  const store = openRestoreStore({
    path: path.join(home, 'restore.db'),
    key: new Uint8Array(32).fill(1),
    clock: createSystemClock(),
    log: createRecordingLog(),
  });
  const snapshots = createSnapshots();
  const git = (...args: readonly string[]): void => {
    const settings = ['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=batch'];
    execFileSync('git', [...settings, ...args], { cwd: added, stdio: 'ignore' });
  };
  git('init');
  const take = async (): Promise<void> => {
    const taken = await snapshots.take([kept], 'tree', store);
    if (!taken.ok) throw new Error(taken.error.message);
  };
  const turns = [() => measure(kept, take, ours), () => measure(added, () => git('add', '--all'), theirs)];
  for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  store.release();
  rmSync(home, { recursive: true, force: true });
}

const row = (name: string, kind: keyof Times) => {
  const [figure, floor] = [median(ours[kind]), median(theirs[kind])];
  const figures = { restorePointMs: figure, gitAddMs: floor, files, edits };
  return { name, ratio: figure / floor, goal: 1, better: 'lower', figures } as const;
};
report([
  row('first restore point of 2,000 files / git add', 'first'),
  row('restore point after 20 edits / git add', 'later'),
]);
