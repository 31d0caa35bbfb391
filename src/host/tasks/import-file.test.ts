import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSampleTasks } from '../../../test/fakes/task-samples.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { NewTask, TaskStore } from '../../core/tasks/task-ports.ts';
import { addImported, readImport } from './import-file.ts';

let folder: string;
let file: string;
let store: TaskStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-import-'));
  file = path.join(folder, 'tasks.json');
  store = openSampleTasks(path.join(folder, 'tasks.db'));
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

const when = '2026-01-15T03:20:25';
const task = (id: number, goal: string) => ({
  id,
  goal,
  status: 'pending',
  created_at: when,
  updated_at: when,
  steps: [],
  memory: {},
});
const textOf = (count: number, goal: string): string => {
  const tasks = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [n + 1, task(n + 1, `${n} ${goal}`)]),
  );
  return JSON.stringify({ tasks, next_id: count + 1 });
};
async function importIt() {
  const read = await readImport(file);
  if (!read.ok) throw new Error(read.error.message);
  return addImported(store, read.value);
}
/** Counts event loop turns during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work();
  over = true;
  return turns;
}

it('An import reads a file above the request limit without blocking the event loop', async () => {
  writeFileSync(file, textOf(450, 'x'.repeat(20_000)));
  const turns = await turnsDuring(async () =>
    expect(await importIt()).toMatchObject({ value: { known: 0, pending: 450, added: { length: 450 } } }),
  );
  expect(turns).toBeGreaterThan(8);
  expect(await importIt()).toMatchObject({ value: { added: [], known: 450, pending: 0 } });
}, 60_000);

it('A repeated import adds the missing tasks after a failure, which reports its progress (F3)', async () => {
  writeFileSync(file, textOf(250, 'x'));
  let pieces = 0;
  const full: Pick<TaskStore, 'addAll'> = {
    addAll(tasks: readonly NewTask[]) {
      pieces += 1;
      if (pieces === 3) throw new StoreError('disk_full', 'The disk is full.');
      return store.addAll(tasks);
    },
  };
  const read = await readImport(file);
  if (!read.ok) throw new Error(read.error.message);
  expect(await addImported(full, read.value)).toMatchObject({
    error: { code: 'disk_full', message: 'The disk is full. 200 of 250 tasks had come in by then.' },
  });
  expect(await importIt()).toMatchObject({ value: { known: 200, added: { length: 50 } } });
});

it('An invalid import file is refused and left unchanged, and no task is added (F3)', async () => {
  const whole = textOf(2, 'x');
  const bad = Buffer.concat([
    Buffer.from(whole.slice(0, -9)),
    Buffer.from([0xff]),
    Buffer.from(whole.slice(-9)),
  ]);
  for (const bytes of [Buffer.from(whole.slice(0, -1)), bad, Buffer.alloc(0)]) {
    writeFileSync(file, bytes);
    expect(await readImport(file)).toMatchObject({ error: { code: 'corrupt' } });
    expect(readFileSync(file)).toEqual(bytes);
  }
  truncateSync(file, 64 * 1024 * 1024 + 1);
  expect(await readImport(file)).toMatchObject({ error: { code: 'too_large', where: file } });
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const place of [pipe, folder, path.join(folder, 'none'), 'tasks.json'])
    expect(await readImport(place), place).toMatchObject({ error: { code: 'not_found' } });
});
