import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { addSample, must, openSampleTasks, taskKey } from '../../../test/fakes/task-samples.ts';
import { proof, seed } from '../../../test/fakes/test-run.ts';
import { openDatabase } from './binding.ts';

const script = path.resolve(import.meta.dirname, '../../../test/children/task-worker.ts');
const kills = proof ? 200 : 4;

let folder: string;
const children = new Set<ChildProcess>();
const file = (): string => path.join(folder, 'tasks.db');
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-workers-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  rmSync(folder, { recursive: true, force: true });
});

interface Worker {
  readonly lines: string[];
  /** Resolves with the exit code, or `null` if killed. */
  readonly ended: Promise<number | null>;
  readonly ready: Promise<void>;
  begin(): void;
  killAfter(lines: number): void;
}

function start(owner: string): Worker {
  const child = spawn(process.execPath, [script, file(), owner], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  const lines: string[] = [];
  let rest = '';
  let fatal = Number.POSITIVE_INFINITY;
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const parts = (rest + piece).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (lines.length > 0) isReady();
    if (lines.length >= fatal) child.kill('SIGKILL');
  });
  return {
    lines,
    ended: new Promise((resolve) => child.on('close', (code) => resolve(code))),
    ready,
    begin: () => child.stdin.write('.'),
    killAfter(count) {
      fatal = count;
    },
  };
}

const fill = (count: number) => {
  const store = openSampleTasks(file());
  store.setConcurrency('a', 1_000);
  for (let n = 0; n < count; n += 1) addSample(store, { agent: 'a' });
  store.release();
};
const of = (word: string, workers: readonly Worker[]) =>
  workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith(`${word} `)));

describe('Worker processes on one task store', () => {
  it('never claim the same task', async () => {
    fill(120);
    const workers = ['one', 'two'].map(start);
    await Promise.all(workers.map(({ ready }) => ready));
    for (const { begin } of workers) begin();
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    const took = of('took', workers);
    expect(took).toHaveLength(120);
    expect(new Set(took).size).toBe(120);
    expect(of('done', workers)).toHaveLength(120);
    for (const worker of workers) expect(of('took', [worker]).length).toBeGreaterThan(0);
  });
  it(`neither lose nor repeat a finished task when killed (F1, seed ${seed})`, async () => {
    const { fraction } = createSeededRandom(seed);
    fill(kills * 4);
    const workers: Worker[] = [];
    for (let n = 0; n <= kills; n += 1) {
      const worker = start(`w${n}`);
      workers.push(worker);
      if (n < kills) worker.killAfter(1 + Math.floor(fraction() * 14));
      worker.begin();
      await worker.ended;
      const store = openSampleTasks(file());
      for (const { task, claim } of store.held()) must(store.change(task, { type: 'recovered', claim }, 300));
      store.release();
    }
    const ended = of('ended', workers);
    expect(new Set(ended).size).toBe(ended.length);
    const store = openSampleTasks(file());
    expect(store.counts()).toMatchObject({ done: kills * 4, running: 0, pending: 0 });
    for (const [index, worker] of workers.entries()) {
      for (const line of of('ended', [worker])) {
        const [, task = 0, step = 0] = line.split(' ').map(Number);
        expect(store.steps(task, step - 1, 1)[0]?.result).toBe(`w${index} ${step}`);
      }
    }
    store.release();
    const db = openDatabase(file(), { key: taskKey });
    expect(db.pragma('integrity_check')).toBe('ok');
    db.close();
  }, 120_000);
});
