/**
 * The only file that imports the SQLite binding. It promises a small synchronous database that behaves the
 * same over `better-sqlite3-multiple-ciphers` and over `libsql`, which replaces it in the build for the older
 * Electron test runtime; `sqliteCapabilities` states what `libsql` cannot do.
 */
import nodeModule from 'node:module';
import SqliteBinding from 'better-sqlite3-multiple-ciphers';
import { StoreError } from '../../core/lib/store-error.ts';
import { say } from '../../language/say.ts';
import { prebuiltBinding, sqlitePackage } from './prebuilt-binding.ts';
import { toStoreError } from './sqlite-errors.ts';

export type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;
/** By position or by name, never as separate arguments: `libsql` crashes on those. */
export type SqlParams = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(params?: SqlParams): { readonly changes: number };
  get(params?: SqlParams): SqlRow | undefined;
  all(params?: SqlParams): SqlRow[];
}

export interface Database {
  readonly path: string;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** Runs `work` in one `BEGIN IMMEDIATE` … `COMMIT`; rolls back if `work` throws. Not nestable. */
  transaction<T>(work: () => T): T;
  /** The first column of the first row, e.g. `pragma('user_version')`. */
  pragma(source: string): SqlValue;
  close(): void;
}

export interface OpenOptions {
  /** 32 raw bytes: the whole file, its WAL and its indexes are encrypted (ChaCha20-Poly1305 per page). */
  readonly key?: Uint8Array;
  /** ms that a statement waits for another process's lock; 5,000 when absent. */
  readonly busyMs?: number;
}

/** The members of either package that Kennel uses. */
export interface NativeStatement {
  /** True if the statement returns rows. */
  readonly reader: boolean;
  run(params: unknown): { changes: number };
  get(params: unknown): unknown;
  all(params: unknown): unknown[];
}
export interface NativeDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): NativeStatement;
  close(): unknown;
  key?(key: Buffer): number;
  loadExtension?(path: string, entryPoint: string): unknown;
}
interface NativeOptions {
  readonly timeout: number;
  /** Path of the native addon; if absent, the package looks for it. */
  readonly nativeBinding?: string;
}
export type NativeConstructor = new (path: string, options?: NativeOptions) => NativeDatabase;
type Opener = (path: string, busyMs: number) => NativeDatabase;

export interface Sqlite {
  /**
   * False only in the test runtime: files are then not encrypted, and every view of the vault state must say
   * so.
   */
  readonly encryption: boolean;
  open(path: string, options?: OpenOptions): Database;
  releaseFreedMemory(): void;
}

const rawKeyPrefix = Buffer.from('raw:', 'latin1');
const keyBytes = 32;
const neededNodeApi = 10;

type ToRow = (row: unknown) => SqlRow;

const asRow: ToRow = (row) => row as SqlRow;

/** `libsql` adds a field to some rows and returns some blobs as `ArrayBuffer`. */
const fromLibsql: ToRow = (row) => {
  const entries = Object.entries(row as Record<string, SqlValue | ArrayBuffer>);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      name === '_metadata' ? [] : [[name, value instanceof ArrayBuffer ? Buffer.from(value) : value]],
    ),
  );
};

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, path) ?? error;
  }
}

function wrapStatement(path: string, native: NativeStatement, rowOf: ToRow): Statement {
  return {
    run: (params = []) => attempt(path, () => ({ changes: native.run(params).changes })),
    get: (params = []) =>
      attempt(path, () => {
        const row = native.get(params);
        return row === undefined || row === null ? undefined : rowOf(row);
      }),
    all: (params = []) => attempt(path, () => native.all(params).map(rowOf)),
  };
}

function wrapDatabase(path: string, native: NativeDatabase): Database {
  const rowOf = native.key ? asRow : fromLibsql;
  const exec = (sql: string): void => void attempt(path, () => native.exec(sql));
  const prepare = (sql: string): Statement =>
    wrapStatement(
      path,
      attempt(path, () => native.prepare(sql)),
      rowOf,
    );
  return {
    path,
    exec,
    prepare,
    transaction: (work) => {
      exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        exec('COMMIT');
        return result;
      } catch (error) {
        rollBack(native);
        throw error;
      }
    },
    pragma: (source) =>
      attempt(path, () => {
        const statement = native.prepare(`PRAGMA ${source}`);
        if (!statement.reader) statement.run([]);
        const row = statement.reader ? statement.get([]) : undefined;
        return row ? (Object.values(rowOf(row))[0] ?? null) : null;
      }),
    close: () => void attempt(path, () => native.close()),
  };
}

/** Both packages report a missing folder, and other faults, with errors that have no code. */
function connect(open: Opener, path: string, busyMs: number): NativeDatabase {
  try {
    return open(path, busyMs);
  } catch (error) {
    throw (
      toStoreError(error, path) ??
      new StoreError('io_error', say('storage.databaseOpenFailed', { path }), {
        cause: error,
      })
    );
  }
}

/** SQLite rolls back by itself after some errors (full disk, I/O); nothing is left to undo then. */
function rollBack(native: NativeDatabase): void {
  try {
    native.exec('ROLLBACK');
  } catch {
    // Only the first error names the cause.
  }
}

function unlock(native: NativeDatabase, key: Uint8Array): void {
  if (key.length !== keyBytes) throw new Error('a database key has 32 bytes');
  native.exec("PRAGMA cipher = 'chacha20'");
  // `raw:` stops SQLite from deriving a key with 64,007 rounds of PBKDF2: this key is already random.
  native.key?.(Buffer.concat([rawKeyPrefix, key]));
}

/**
 * Opens the package with the path of its native addon. If that path is not certain, the package loads from
 * its own folder and looks for the addon, because a bundle that contains its code has another folder.
 */
function withMachineCode(Native: NativeConstructor): Opener {
  const nativeBinding = prebuiltBinding();
  if (nativeBinding !== null) return (path, timeout) => new Native(path, { timeout, nativeBinding });
  const Installed = nodeModule.createRequire(import.meta.url)(sqlitePackage) as NativeConstructor;
  return (path, timeout) => new Installed(path, { timeout });
}

/** Works over either package; exported so that one test suite runs over both. */
export function createSqlite(Native: NativeConstructor, nodeApi: number): Sqlite {
  const encryption = typeof Native.prototype.key === 'function';
  let connectTo: Opener | null = null;
  const opener = (): Opener => {
    connectTo ??= encryption ? withMachineCode(Native) : (file, timeout) => new Native(file, { timeout });
    return connectTo;
  };
  return {
    encryption,
    open: (path, options = {}) => {
      // The native addon loads with the first database, and crashes the process if Node-API is too old.
      if (encryption && nodeApi < neededNodeApi) {
        throw new StoreError('io_error', say('storage.nodeTooOld', { neededNodeApi, nodeApi }));
      }
      const native = connect(opener(), path, options.busyMs ?? 5_000);
      try {
        if (options.key && encryption) attempt(path, () => unlock(native, options.key as Uint8Array));
        return wrapDatabase(path, native);
      } catch (error) {
        native.close();
        throw error;
      }
    },
    releaseFreedMemory: () => {
      if (encryption && nodeApi >= neededNodeApi) trimHeap(connect(opener(), ':memory:', 0));
    },
  };
}

/** The loader reports that memory was released as an error, and a C library without this function as another. */
function trimHeap(native: NativeDatabase): void {
  try {
    native.loadExtension?.('libc.so.6', 'malloc_trim');
  } catch {
    // Both are fine.
  } finally {
    native.close();
  }
}

const sqlite = createSqlite(
  SqliteBinding as unknown as NativeConstructor,
  Number(process.versions.napi ?? '0'),
);

export const sqliteCapabilities: { readonly encryption: boolean } = { encryption: sqlite.encryption };

/** Throws `StoreError` if the file cannot be opened; a wrong key shows at the first read, as `corrupt`. */
export const openDatabase = (path: string, options?: OpenOptions): Database => sqlite.open(path, options);

/**
 * Returns memory to the system that was freed between blocks in use: glibc keeps it. Takes some ms; does nothing
 * on systems other than Linux. See docs/adr/0057-freed-memory-goes-back.md.
 */
export function releaseFreedMemory(): void {
  if (process.platform === 'linux') sqlite.releaseFreedMemory();
}
