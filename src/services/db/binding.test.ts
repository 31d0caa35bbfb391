import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Native from 'better-sqlite3-multiple-ciphers';
import StandIn from 'libsql';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { createSqlite, type NativeConstructor, openDatabase, sqliteCapabilities } from './binding.ts';

let folder: string;
eachTestInFolder('kennel-binding-', (made) => {
  folder = made;
});

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const bindings = [
  ['better-sqlite3-multiple-ciphers', createSqlite(Native as unknown as NativeConstructor, 10)],
  ['libsql', createSqlite(StandIn as unknown as NativeConstructor, 9)],
] as const;

describe.each(bindings)('SQLite binding %s', (_name, sqlite) => {
  it('returns plain rows for positional and named parameters', () => {
    const db = sqlite.open(path.join(folder, 'a.db'));
    db.exec('CREATE TABLE t (a TEXT, b INTEGER, c BLOB)');
    const insert = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
    expect(insert.run(['x', 7, new Uint8Array([1, 2])]).changes).toBe(1);
    insert.run([null, 2 ** 41, null]);
    expect(db.prepare('SELECT a, b FROM t WHERE b = :b').get({ b: 7 })).toEqual({ a: 'x', b: 7 });
    expect(db.prepare('SELECT a FROM t WHERE b = 9').get()).toBeUndefined();
    expect(db.prepare('SELECT a, b FROM t ORDER BY b').all()).toEqual([
      { a: 'x', b: 7 },
      { a: null, b: 2 ** 41 },
    ]);
    expect(Array.from(db.prepare('SELECT c FROM t WHERE b = 7').get()!.c as Uint8Array)).toEqual([1, 2]);
    expect(db.prepare('SELECT c FROM t WHERE c = ?').all([new Uint8Array([1, 2])])).toHaveLength(1);
    db.close();
  });

  it('commits a transaction whole or not at all', () => {
    const db = sqlite.open(path.join(folder, 'b.db'));
    db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)');
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    expect(db.transaction(() => insert.run([1]).changes)).toBe(1);
    expect(() =>
      db.transaction(() => {
        insert.run([2]);
        throw new Error('half way');
      }),
    ).toThrow('half way');
    expect(db.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 1 });
    db.transaction(() => insert.run([3]));
    expect(db.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 2 });
    db.close();
  });

  it('reads a pragma as one value', () => {
    const db = sqlite.open(path.join(folder, 'c.db'));
    expect(db.pragma('journal_mode = WAL')).toBe('wal');
    db.pragma('user_version = 7');
    expect(db.pragma('user_version')).toBe(7);
    db.close();
  });

  it('throws a constraint violation as the original error', () => {
    const db = sqlite.open(path.join(folder, 'd.db'));
    db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)');
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    expect(() => insert.run([1])).toThrow(/UNIQUE/);
    expect(() => insert.run([1])).not.toThrow(StoreError);
    db.close();
  });

  it('throws a StoreError if the folder is missing', () => {
    expect(() => {
      const db = sqlite.open(path.join(folder, 'none', 'e.db'));
      db.exec('CREATE TABLE t (a)');
    }).toThrow(StoreError);
  });
});

describe('Product SQLite binding', () => {
  it('encrypts the file and its WAL, and refuses another key (T18, I5)', () => {
    const file = path.join(folder, 'secret.db');
    const db = openDatabase(file, { key: key(1) });
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (a TEXT)');
    db.prepare('INSERT INTO t VALUES (?)').run(['canary-in-the-coal-mine'.repeat(200)]);
    for (const name of ['secret.db', 'secret.db-wal']) {
      expect(readFileSync(path.join(folder, name)).includes('canary-in')).toBe(false);
    }
    db.close();
    expect(readFileSync(file).subarray(0, 15).toString('latin1')).not.toBe('SQLite format 3');

    const wrong = openDatabase(file, { key: key(2) });
    expect(() => wrong.exec('SELECT * FROM t')).toThrow(expect.objectContaining({ code: 'corrupt' }));
    wrong.close();
    const again = openDatabase(file, { key: key(1) });
    expect(String(again.prepare('SELECT a FROM t').get()?.a)).toContain('canary');
    again.close();
  });

  it('reports that it supports encryption and that the stand-in does not', () => {
    expect(sqliteCapabilities.encryption).toBe(true);
    expect(bindings[1][1].encryption).toBe(false);
  });

  it('refuses a runtime version on which it would crash', () => {
    const old = createSqlite(Native as unknown as NativeConstructor, 9);
    expect(() => old.open(path.join(folder, 'f.db'))).toThrow(/Node 22[.]14/);
  });
});

it('returns freed memory to the system on Linux', async () => {
  const child = path.join(import.meta.dirname, '../../../test/children/release-memory.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [child]);
  const { before, after, kept } = JSON.parse(stdout) as { before: number; after: number; kept: number };
  expect(kept).toBe(800);
  expect(before - after).toBeGreaterThan(
    process.platform === 'linux' ? 50_000_000 : Number.NEGATIVE_INFINITY,
  );
});
