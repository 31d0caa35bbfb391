import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { openDatabase } from './binding.ts';
import { createStoreFile, type StoreFile } from './store-file.ts';

const key = new Uint8Array(32).fill(8);
const steps = ['CREATE TABLE small (a INTEGER); CREATE TABLE large (b TEXT)'];
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-store-'));
  file = path.join(folder, 'x.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function make(change: { steps?: readonly string[] } = {}) {
  const moved: string[] = [];
  const store = createStoreFile(
    {
      path: file,
      key,
      clock: createVirtualClock(),
      log: createRecordingLog(),
      onQuarantine: (to) => moved.push(to),
    },
    change.steps ?? steps,
  );
  return { store, moved };
}

const fill = (store: StoreFile): void =>
  store.write(({ sql }) => {
    sql('INSERT INTO small VALUES (7)').run();
    for (let n = 0; n < 200; n += 1) sql('INSERT INTO large VALUES (?)').run(['x'.repeat(1_000)]);
  });
const small = (store: StoreFile): unknown => store.use(({ sql }) => sql('SELECT a FROM small').get());

/** In a page that nobody reads on the way to the small table. */
function damageLastPage(): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(64, 1), 0, 64, statSync(file).size - 2_000);
  closeSync(descriptor);
}

describe('a store file', () => {
  it('drops its handle after an I/O error and checks the file before it is trusted again (F5)', () => {
    const { store, moved } = make();
    fill(store);
    expect(() =>
      store.use(() => {
        throw new StoreError('io_error', 'the disk failed');
      }),
    ).toThrow('the disk failed');
    expect(store.isOpen).toBe(false);
    damageLastPage();
    expect(small(store)).toEqual({ a: 7 });
    expect(moved).toHaveLength(1);
    store.release();
  });

  it('opens without that check when nothing has failed', () => {
    const { store, moved } = make();
    fill(store);
    store.release();
    damageLastPage();
    expect(small(store)).toEqual({ a: 7 });
    expect(moved).toEqual([]);
    store.release();
  });

  it('puts the file aside when damage shows in the middle of work, and goes on with what can be read of it (F19)', () => {
    const { store, moved } = make();
    fill(store);
    store.release();
    damageLastPage();
    const left = store.use(({ sql }) => sql('SELECT b FROM large').all());
    expect(left.length).toBeGreaterThan(190);
    expect(left.length).toBeLessThan(200);
    expect(moved).toHaveLength(1);
    expect(small(store)).toEqual({ a: 7 });
    store.release();
  });

  it('keeps its handle over a full disk and over bugs', () => {
    const { store, moved } = make();
    fill(store);
    for (const error of [new StoreError('disk_full', 'full'), new TypeError('a bug')]) {
      expect(() =>
        store.write(({ sql }) => {
          sql('DELETE FROM small').run();
          throw error;
        }),
      ).toThrow(error);
    }
    expect(store.isOpen).toBe(true);
    expect(small(store)).toEqual({ a: 7 });
    expect(moved).toEqual([]);
    store.release();
  });

  it('is locked, not damaged, while another process writes', () => {
    const { store } = make();
    fill(store);
    store.release();
    const other = openDatabase(file, { key });
    other.exec('BEGIN IMMEDIATE');
    const waiting = openDatabase(file, { key, busyMs: 10 });
    expect(() => waiting.exec('BEGIN IMMEDIATE')).toThrow(expect.objectContaining({ code: 'locked' }));
    waiting.close();
    other.close();
    expect(small(store)).toEqual({ a: 7 });
    store.release();
  });

  it('migrates step by step after a copy, and not at all when a step fails (F24)', () => {
    const first = make();
    fill(first.store);
    first.store.release();
    copyFileSync(file, `${file}.before`);
    const broken = make({ steps: [...steps, 'ALTER TABLE small ADD COLUMN c TEXT; CREATE TABLE small (x)'] });
    expect(() => small(broken.store)).toThrow(/already exists/);
    broken.store.release();
    const second = make({ steps: [...steps, "ALTER TABLE small ADD COLUMN c TEXT DEFAULT 'new'"] });
    expect(second.store.use(({ sql }) => sql('SELECT a, c FROM small').get())).toEqual({ a: 7, c: 'new' });
    second.store.release();
    expect(readdirSync(folder).sort()).toEqual(['x.db', 'x.db.before', 'x.db.schema-1']);
    const backup = openDatabase(`${file}.schema-1`, { key });
    expect(backup.prepare('SELECT * FROM small').get()).toEqual({ a: 7 });
    backup.close();
    expect(() => small(first.store)).toThrow(expect.objectContaining({ code: 'unsupported' }));
    first.store.release();
  });
});
