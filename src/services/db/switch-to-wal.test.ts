import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from './binding.ts';
import { switchToWal } from './switch-to-wal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-wal-'));
  file = path.join(folder, 'x.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const holder = `
import { parentPort, workerData } from 'node:worker_threads';
const { openDatabase } = await import(workerData.binding);
const flag = new Int32Array(workerData.shared);
const db = openDatabase(workerData.file);
db.exec('BEGIN IMMEDIATE');
parentPort.postMessage('locked');
// Until the other thread is about to take the lock. Blocked in SQLite, it cannot say that it waits.
Atomics.wait(flag, 0, 0, 60_000);
Atomics.wait(flag, 0, 1, 300);
db.exec('COMMIT');
db.close();
`;

it('waits for the lock of another connection on a new file (F17)', async () => {
  const shared = new SharedArrayBuffer(4);
  const binding = new URL('./binding.ts', import.meta.url).href;
  const source = new URL(`data:text/javascript,${encodeURIComponent(holder)}`);
  const thread = new Worker(source, { workerData: { shared, file, binding } });
  const ended = new Promise((resolve, reject) => {
    thread.once('exit', resolve);
    thread.once('error', reject);
  });
  await Promise.race([once(thread, 'message'), ended]);
  const db = openDatabase(file);
  const flag = new Int32Array(shared);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
  switchToWal(db);
  expect(db.pragma('journal_mode')).toBe('wal');
  db.close();
  await ended;
});

it('reports a lock that outlasts the busy timeout', () => {
  const other = openDatabase(file);
  other.exec('BEGIN IMMEDIATE');
  const db = openDatabase(file, { busyMs: 10 });
  expect(() => switchToWal(db)).toThrow(expect.objectContaining({ code: 'locked' }));
  other.exec('ROLLBACK');
  switchToWal(db);
  expect(db.pragma('journal_mode')).toBe('wal');
  db.close();
  other.close();
});
