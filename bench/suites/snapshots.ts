/**
 * A snapshot of a workspace of 20,000 files against `git add --all` and `git write-tree` of an equal folder: the
 * first one, and one of a tree that both know and that did not change. Git syncs its objects, because a snapshot is
 * durable when it returns. Rounds alternate.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createRestorePoints } from '../../src/core/undo/restore-points.ts';
import { createWorkspaceSnapshots } from '../../src/core/undo/workspace-snapshots.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { openRestoreStore } from '../../src/services/db/restore-store.ts';
import { createSnapshots } from '../../src/services/tools/snapshots/snapshots.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { loadNote, median, report, temporaryHome } from '../lib/measure.ts';

const files = 20_000;
const rounds = 7;

function fill(root: string): void {
  for (let n = 0; n < files; n += 1) {
    const folder = path.join(root, `folder-${n % 200}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `file-${n}.ts`), `${n}\n${'A line of a source file.\n'.repeat(40)}`);
  }
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const home = temporaryHome();
const [kept, added] = [path.join(home, 'kept'), path.join(home, 'added')];
for (const folder of [kept, added]) fill(folder);
const clock = createSystemClock();
const log = createRecordingLog();
const key = new Uint8Array(32).fill(1);
const store = openRestoreStore({ path: path.join(home, 'restore.db'), key, clock, log });
const snapshots = createSnapshots();
let made = 0;
const newId = (): string => {
  made += 1;
  return `snap_${made}`;
};
const points = createRestorePoints({ snapshots, clock, newId, log }, store);
const workspace = createWorkspaceSnapshots({ snapshots, store, points, clock, newId });
const take = async (): Promise<void> => {
  const taken = await workspace.take({ agentId: 'bench', root: kept, reason: 'turn' });
  if (!taken.ok) throw new Error(taken.error.message);
  if (taken.value.files !== files) throw new Error(`${taken.value.files} files`);
};
const git = (...args: readonly string[]): void => {
  const settings = ['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=batch'];
  execFileSync('git', [...settings, ...args], { cwd: added, stdio: 'ignore' });
};
const add = (): void => {
  git('add', '--all');
  git('write-tree');
};
git('init');
const first = { ours: await timed(take), theirs: await timed(add) };
// Both look again at files that changed right before they were read.
await take();
add();
const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  ours.push(await timed(take));
  theirs.push(await timed(add));
}
store.release();
rmSync(home, { recursive: true, force: true });

const row = (name: string, snapshotMs: number, gitMs: number) =>
  ({
    name,
    ratio: snapshotMs / gitMs,
    goal: 1.5,
    better: 'lower',
    figures: { snapshotMs, gitMs, files },
    note: loadNote(),
  }) as const;
report([
  row('first snapshot of 20,000 files / git add', first.ours, first.theirs),
  row('snapshot of 20,000 unchanged files / git add', median(ours), median(theirs)),
]);
