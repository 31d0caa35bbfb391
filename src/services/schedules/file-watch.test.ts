import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import type { Clock } from '../../core/ports.ts';
import {
  type FileTriggerState,
  firstSight,
  lookAtFiles,
  newFileState,
} from '../../core/tasks/file-trigger.ts';
import { englishText } from '../../language/host-message.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { FileWatch, type FileWatchTarget } from './file-watch.ts';

let folder: string;
let inbox: string;
const watches: FileWatch[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-watch-'));
  inbox = path.join(folder, 'inbox');
  mkdirSync(inbox);
});
afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits run twenty times as fast; rest times in the tests are a real 30 ms and more. */
const clock: Clock = (() => {
  const real = createSystemClock();
  return {
    now: () => real.now(),
    monotonic: () => real.monotonic() * 20,
    after: (ms, run, options) => real.after(ms / 20, run, options),
  };
})();

/** A watch with stored state; `started` lists the files it started, by name. */
function watched(target: Partial<FileWatchTarget> = {}, from: FileTriggerState = newFileState, time = clock) {
  let state = from;
  const started: string[] = [];
  const problems: string[] = [];
  const watch = new FileWatch({
    clock: time,
    log: createRecordingLog(),
    target: { path: inbox, glob: null, restMs: 1_000, ...target },
    state: {
      seen: () => state.seen,
      first: (files) => {
        state = firstSight(state, files);
      },
      change: (files, gone) => {
        const look = lookAtFiles(state, files, gone, time.now());
        ({ state } = look);
        started.push(...look.starts.map((start) => path.relative(folder, start.path)));
      },
    },
    onProblem: (problem) => problems.push(englishText(problem)),
  });
  watches.push(watch);
  return { started, problems, watch, state: () => state };
}

const until = async (what: string, look: () => boolean): Promise<void> => {
  for (let n = 0; n < 1_000; n += 1) {
    if (look()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain for ${what}`);
};
const begun = (one: { state(): FileTriggerState }) =>
  until('the first look', () => one.state().seen !== null);
const put = (name: string, text: string) => writeFileSync(path.join(inbox, name), text);
/** Long enough for several sweeps after any rest time. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 500));

describe('File watch', () => {
  it('starts once a file has stopped changing, once per content', async () => {
    put('old.txt', 'there before');
    const seen = watched();
    await begun(seen);
    put('a.txt', 'one');
    await until('a start', () => seen.started.length === 1);
    put('a.txt', 'one');
    utimesSync(path.join(inbox, 'a.txt'), 5, 5);
    await quiet();
    expect(seen.started).toEqual(['inbox/a.txt']);
    put('a.txt', 'two');
    await until('the second', () => seen.started.length === 2);
  });
  it('starts once for a file written in pieces, and once for one renamed into place', async () => {
    const seen = watched({ restMs: 3_000 });
    await begun(seen);
    for (let n = 0; n < 10; n += 1) {
      put('slow.txt', 'x'.repeat(n + 1));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await until('a start', () => seen.started.length === 1);
    put('.new', 'y');
    renameSync(path.join(inbox, '.new'), path.join(inbox, 'slow.txt'));
    await until('the second', () => seen.started.length === 2);
    await quiet();
    expect(seen.started).toEqual(['inbox/slow.txt', 'inbox/slow.txt']);
  });
  it('does not start on a half-written file when other files trigger a check', async () => {
    const seen = watched({ restMs: 40_000 });
    await begun(seen);
    put('slow.txt', 'half');
    for (let n = 0; n < 10; n += 1) {
      put(`other-${n}.txt`, 'x');
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    put('slow.txt', 'all of it');
    await until('all of them', () => seen.started.length >= 11);
    await quiet();
    expect(seen.started.filter((name) => name === 'inbox/slow.txt')).toHaveLength(1);
  });
  it('detects files in a folder that is created later, removed and created again', async () => {
    rmSync(inbox, { recursive: true });
    const seen = watched();
    await begun(seen);
    expect(seen.problems.at(-1)).toContain('does not exist yet');
    mkdirSync(path.join(inbox, 'deep'), { recursive: true });
    put('deep/a.txt', 'one');
    await until('a start', () => seen.started.length === 1);
    expect(seen.problems.at(-1)).toBe('');
    rmSync(inbox, { recursive: true });
    await until('it to be gone', () => Object.keys(seen.state().seen ?? {}).length === 0);
    mkdirSync(path.join(inbox, 'deep'), { recursive: true });
    put('deep/a.txt', 'one');
    await until('a start of the new one', () => seen.started.length === 2);
  });
  it('matches only files of the glob, and follows no links', async () => {
    const seen = watched({ glob: '**/*.csv' });
    await begun(seen);
    const outside = mkdtempSync(path.join(folder, 'outside-'));
    writeFileSync(path.join(outside, 'b.csv'), 'x');
    symlinkSync(outside, path.join(inbox, 'link'));
    symlinkSync(path.join(outside, 'b.csv'), path.join(inbox, 'c.csv'));
    mkdirSync(path.join(inbox, 'node_modules'));
    put('node_modules/m.csv', 'x');
    put('a.txt', 'x');
    put('a.csv', 'x');
    mkdirSync(path.join(inbox, 'deep'));
    put('deep/a.csv', 'x');
    await until('the starts', () => seen.started.length === 2);
    await quiet();
    expect([...seen.started].sort()).toEqual(['inbox/a.csv', 'inbox/deep/a.csv']);
  });
  it('starts after a restart for files that changed in the meantime, and only for those', async () => {
    put('a.txt', 'one');
    put('b.txt', 'one');
    const before = watched();
    await begun(before);
    before.watch.stop();
    put('a.txt', 'two');
    put('c.txt', 'new');
    const after = watched({}, before.state());
    await until('the starts', () => after.started.length === 2);
    await quiet();
    expect([...after.started].sort()).toEqual(['inbox/a.txt', 'inbox/c.txt']);
  });
  it('can watch a single file, existing or not', async () => {
    const file = path.join(inbox, 'plan.md');
    const seen = watched({ path: file });
    await begun(seen);
    put('other.md', 'x');
    put('plan.md', 'one');
    await until('a start', () => seen.started.length === 1);
    expect(seen.started).toEqual(['inbox/plan.md']);
  });
  it('starts for a file while another one beside it is written continuously', async () => {
    const seen = watched({ glob: '*.csv' }, undefined, createSystemClock());
    await begun(seen);
    let writes = 0;
    const writing = setInterval(() => put('busy.log', String(writes++)), 1);
    try {
      put('a.csv', 'one');
      await until('a start', () => seen.started.length === 1);
      expect(writes).toBeGreaterThan(20);
    } finally {
      clearInterval(writing);
    }
  });
});
