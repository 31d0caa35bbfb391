import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { pictureOf } from '../fakes/undo-folders.ts';
import { createUndoRig, type UndoRig } from '../fakes/undo-rig.ts';

const program = fileURLToPath(new URL('./undo-life.ts', import.meta.url));
const rigs: UndoRig[] = [];
afterEach(() => {
  for (const rig of rigs.splice(0)) rig.close();
});

/** An empty folder that outlives the processes that use it. */
function place(): UndoRig {
  const rig = createUndoRig();
  rig.store.release();
  rigs.push(rig);
  return rig;
}

function live(base: string, life: 'call' | 'revert' | 'snapshot' | 'restore', killAt: number) {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program, base, life, `${killAt}`], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (signal === null && !stdout.startsWith('alive')) throw new Error(stderr);
  return { killed: signal === 'SIGKILL', steps: Number(stdout.split(' ')[2]) };
}

const contents = (rig: UndoRig): readonly (string | null)[] =>
  ['a', 'b', 'c/d'].map((name) => (existsSync(rig.at(name)) ? readFileSync(rig.at(name), 'utf8') : null));

const before = ['before', 'before', null];
const all = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('F1: a process killed', () => {
  it('before or after any write of a call leaves every change covered by a whole restore point', async () => {
    const { steps } = live(place().base, 'call', 0);
    expect(steps).toBeGreaterThan(10);
    for (const killAt of all(steps)) {
      const rig = place();
      expect(live(rig.base, 'call', killAt).killed).toBe(true);
      await rig.points.recover();
      expect(rig.store.open()).toEqual([]);
      const points = rig.ofTurn();
      expect(points.every(({ changes }) => changes.length > 0)).toBe(true);
      // The interrupted call waits for a decision.
      if (points.length > 0) expect((await rig.revert(points, 'restore')).ok).toBe(true);
      expect(contents(rig)).toEqual(before);
    }
  }, 300_000);

  it('at any step of a revert has brought back each file or not touched it, and the next start finishes it', async () => {
    const whole = place();
    live(whole.base, 'call', 0);
    const { steps } = live(whole.base, 'revert', 0);
    expect(steps).toBeGreaterThan(8);
    for (const killAt of all(steps)) {
      const rig = place();
      live(rig.base, 'call', 0);
      expect(live(rig.base, 'revert', killAt).killed).toBe(true);
      const half = contents(rig);
      expect(half.every((content, index) => content === before[index] || content === 'agent')).toBe(true);
      await rig.points.recover();
      const points = rig.ofTurn();
      const undone = points.every(({ undoneBy }) => undoneBy !== null);
      expect(contents(rig)).toEqual(undone ? before : ['agent', 'agent', 'agent']);
    }
  }, 300_000);

  it('at any step of a snapshot leaves it whole or not there', async () => {
    const { steps } = live(place().base, 'snapshot', 0);
    expect(steps).toBeGreaterThan(2);
    for (const killAt of all(steps)) {
      const rig = place();
      expect(live(rig.base, 'snapshot', killAt).killed).toBe(true);
      await rig.points.recover();
      const [snapshot] = rig.store.kept({ agentId: 'guide', limit: 10 });
      const files = snapshot ? rig.store.filesOf(snapshot.id) : null;
      expect(files === null).toBe(snapshot === undefined);
      const states = [...(files?.values() ?? [])];
      const hashes = states.flatMap((state) => (state.kind === 'file' ? state.hash : []));
      expect(hashes).toHaveLength(snapshot ? 3 : 0);
      expect(hashes.every((hash) => rig.store.read(hash) !== null)).toBe(true);
    }
  }, 300_000);

  it('at any step of a restore leaves the old or the new state once the next start has finished it', async () => {
    const whole = place();
    live(whole.base, 'snapshot', 0);
    const restored = pictureOf(whole.root);
    const { steps } = live(whole.base, 'restore', 0);
    expect(steps).toBeGreaterThan(8);
    expect(pictureOf(whole.root)).toBe(restored);
    const seen = new Set<string>();
    for (const killAt of all(steps)) {
      const rig = place();
      live(rig.base, 'snapshot', 0);
      expect(live(rig.base, 'restore', killAt).killed).toBe(true);
      await rig.points.recover();
      const now = pictureOf(rig.root);
      seen.add(now);
      const reverts = rig.store.list({ agentId: 'guide', limit: 10 });
      expect(now === restored).toBe(reverts.length > 0);
    }
    // The state before the restore, and the one after it.
    expect(seen.size).toBe(2);
  }, 300_000);
});
