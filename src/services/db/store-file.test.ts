import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
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

interface Change {
  steps?: readonly string[];
  afterSalvage?: Parameters<typeof createStoreFile>[2];
}

function make(change: Change = {}) {
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
    change.afterSalvage,
  );
  return { store, moved };
}

const fill = (store: StoreFile): void =>
  store.write(({ sql }) => {
    sql('INSERT INTO small VALUES (7)').run();
    for (let n = 0; n < 200; n += 1) sql('INSERT INTO large VALUES (?)').run(['x'.repeat(1_000)]);
  });
const small = (store: StoreFile): unknown => store.use(({ sql }) => sql('SELECT a FROM small').get());

/** In a page that no read of the small table touches. */
function damageLastPage(): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(64, 1), 0, 64, statSync(file).size - 2_000);
  closeSync(descriptor);
}

describe('Store file', () => {
  it('syncs each transaction but unsynced ones, and syncs again after an unsynced one failed (F4)', () => {
    const { store } = make();
    const level = () => store.use(({ db }) => db.pragma('synchronous'));
    const [normal, full] = [1, 2];
    const inside: unknown[] = [];
    store.write(({ db }) => inside.push(db.pragma('synchronous')));
    store.writeUnsynced(({ db, sql }) => {
      inside.push(db.pragma('synchronous'));
      sql('INSERT INTO small VALUES (7)').run();
    });
    expect([...inside, level()]).toEqual([full, normal, full]);
    expect(() =>
      store.writeUnsynced(({ sql }) => {
        sql('INSERT INTO small VALUES (8)').run();
        throw new Error('undone');
      }),
    ).toThrow('undone');
    expect([level(), small(store)]).toEqual([full, { a: 7 }]);
    store.release();
  });

  it('drops its handle after an I/O error and checks the file before using it again (F5)', () => {
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

  it('skips that check if nothing has failed', () => {
    const { store, moved } = make();
    fill(store);
    store.release();
    damageLastPage();
    expect(small(store)).toEqual({ a: 7 });
    expect(moved).toEqual([]);
    store.release();
  });

  it('moves a file aside if damage is found during use, and continues with its readable rows (F19)', () => {
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

  it('repeats the salvage at the next open if power was lost before its end (F3, F19)', () => {
    const schema = [
      'CREATE TABLE small (a INTEGER PRIMARY KEY); CREATE TABLE large (b TEXT); CREATE TABLE cursors (c)',
    ];
    const begun = make({ steps: schema });
    fill(begun.store);
    begun.store.write(({ sql }) => sql('INSERT INTO cursors VALUES (200)').run());
    begun.store.release();
    damageLastPage();
    const cut = make({
      steps: schema,
      afterSalvage: () => {
        throw new Error('the power went');
      },
    });
    const count = (store: StoreFile, table: string) =>
      store.use(({ sql }) => sql(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    expect(() => count(cut.store, 'large')).toThrow('the power went');
    expect(cut.moved).toHaveLength(1);
    // Like another process: it knows only the files in the folder.
    const later = make({ steps: schema, afterSalvage: ({ db }) => db.exec('DELETE FROM cursors') });
    expect(count(later.store, 'cursors')).toBe(0);
    expect(count(later.store, 'small'), 'no row twice').toBe(1);
    expect(count(later.store, 'large')).toBeGreaterThan(100);
    later.store.write(({ sql }) => sql('INSERT INTO cursors VALUES (7)').run());
    later.store.release();
    expect(later.moved).toEqual([]);
    const afterwards = make({ steps: schema, afterSalvage: ({ db }) => db.exec('DELETE FROM cursors') });
    expect(count(afterwards.store, 'cursors'), 'what was written since stays').toBe(1);
    afterwards.store.release();
  });

  it('restores the original file if power was lost while it was moved aside (F3)', () => {
    const { store } = make();
    fill(store);
    store.release();
    const aside = `${file}.damaged-2026-11-21T08-46-42-123Z`;
    writeFileSync(`${file}.salvaging`, path.basename(aside));
    writeFileSync(`${aside}-journal`, '');
    const later = make();
    expect(small(later.store)).toEqual({ a: 7 });
    expect(readdirSync(folder).filter((name) => /salvaging|damaged/.test(name))).toEqual([]);
    later.store.release();
    for (const note of ['', '../x.db.damaged-1', 'y.db'])
      expect(() => {
        writeFileSync(`${file}.salvaging`, note);
        small(make().store);
      }).not.toThrow();
  });

  it('keeps its handle after a full disk and after bugs', () => {
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

  it('is reported as locked, not damaged, while another process writes', () => {
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

  it('migrates step by step after a backup copy, and not at all if a step fails (F24)', () => {
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
