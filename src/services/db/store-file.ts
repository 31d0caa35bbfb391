/**
 * One encrypted database file that is opened on demand and closed when idle. It promises that a disk fault
 * costs at most the call that met it: after an I/O error the handle is dropped and the file is checked before
 * it is trusted again (F5). A damaged file is quarantined under a dated name and a fresh one is filled with
 * the readable rows (F19). It reports a fault, probes until the fault ends, and reports that too (F4).
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Log, Timer } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { type Database, openDatabase, type Statement } from './binding.ts';
import { type MigrationStep, migrate } from './migrate.ts';
import type { ClosableFile, OpenFiles } from './open-files.ts';
import { finishSalvage, quarantineDatabase, resumeQuarantine, unsalvaged } from './quarantine.ts';
import { salvage } from './salvage.ts';
import { createStoreHealth, type StoreHealth } from './store-health.ts';
import { switchToWal } from './switch-to-wal.ts';

export interface StoreFileOptions {
  readonly path: string;
  /** 32 bytes, or `null` for a plain file, which is allowed only for stores without message text. */
  readonly key: Uint8Array | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Idle ms before the file is closed; 30,000 when absent. */
  readonly idleMs?: number;
  /** Shared by the stores of a host; limits how many are open at once. */
  readonly openFiles?: OpenFiles;
  /** Called after a damaged file was moved aside to `movedTo`. */
  readonly onQuarantine?: (movedTo: string, reason: string) => void;
  /** Called if the disk is full or fails, and with `null` once writes succeed again. */
  readonly onFault?: (fault: AppError | null) => void;
}

export interface StoreHandle {
  readonly db: Database;
  /** Prepares each statement once per opening. */
  sql(text: string): Statement;
  /** Names by reference, as read so far (see packed-values.ts); emptied if a transaction fails. */
  readonly names: Map<string, string>;
}

export interface StoreFile {
  use<T>(work: (handle: StoreHandle) => T): T;
  /** Like `use`, inside one durable transaction. */
  write<T>(work: (handle: StoreHandle) => T): T;
  /**
   * Like `write`, without a disk sync of its own. It survives the end of the program, and the next `write`
   * syncs it, too. A power loss before that undoes it.
   */
  writeUnsynced<T>(work: (handle: StoreHandle) => T): T;
  release(): void;
  readonly isOpen: boolean;
}

const defaultIdleMs = 30_000;

const isCorrupt = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'corrupt';

/**
 * SQLite gives its WAL and index the mode of the main file, so the main file must exist with the right mode
 * first.
 */
function claimFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

const claim = (path: string): void => asStoreFault(path, () => claimFile(path));

function asStoreFault<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = systemErrorCode(error);
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new StoreError(
      full ? 'disk_full' : 'io_error',
      full ? say('storage.storeDiskFull', { path }) : say('storage.storeOpenFailed', { path, code }),
      { cause: error },
    );
  }
}

function openChecked(
  options: StoreFileOptions,
  steps: readonly MigrationStep[],
  verify: boolean,
): StoreHandle {
  claim(options.path);
  const db = openDatabase(options.path, options.key ? { key: options.key } : {});
  try {
    switchToWal(db);
    db.pragma('synchronous = FULL');
    db.pragma('temp_store = MEMORY');
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -1024');
    const verdict = verify ? db.pragma('integrity_check') : 'ok';
    if (verdict !== 'ok')
      throw new StoreError('corrupt', say('storage.integrityCheckFailed', { path: options.path }));
    migrate(db, steps);
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
  return toHandle(db);
}

export function toHandle(db: Database): StoreHandle {
  const statements = new Map<string, Statement>();
  const sql = (text: string): Statement => {
    const known = statements.get(text);
    if (known) return known;
    const statement = db.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  return { db, sql, names: new Map() };
}

/**
 * The cipher reports a failed read as damage, so a file is quarantined only if a second check also finds
 * damage.
 */
function openOrReplace(
  options: StoreFileOptions,
  steps: readonly MigrationStep[],
  verify: boolean,
  quarantine: (reason: string) => void,
): StoreHandle {
  try {
    return openChecked(options, steps, verify);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
  }
  try {
    return openChecked(options, steps, true);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    quarantine(error.message);
  }
  return openChecked(options, steps, false);
}

/** A handle that is being dropped may fail to close; its fault was reported before. */
function closeQuietly(db: Database): void {
  try {
    db.close();
  } catch {
    // The descriptor is closed either way.
  }
}

/** `afterSalvage` removes what holds only for a complete store; a power loss may make it run twice. */
export function createStoreFile(
  options: StoreFileOptions,
  steps: readonly MigrationStep[],
  afterSalvage: (handle: StoreHandle) => void = () => undefined,
): StoreFile {
  return new SqliteFile(options, steps, afterSalvage);
}

/**
 * The single handle of a file: opened on demand; closed when idle, when too many files are open, or on a
 * fault. A class, because a host keeps one for each agent, and closures would take a KiB each time.
 */
class SqliteFile implements StoreFile, ClosableFile {
  readonly #options: StoreFileOptions;
  readonly #steps: readonly MigrationStep[];
  readonly #afterSalvage: (handle: StoreHandle) => void;
  #handle: StoreHandle | null = null;
  /** Calls in progress. */
  #depth = 0;
  /** One timer per opening, re-armed if the file was used meanwhile, so a busy store creates no timer churn. */
  #idle: Timer | null = null;
  #lastUse = 0;
  #verifyNext = false;
  /** Created with the first fault. */
  #health: StoreHealth | null = null;

  constructor(
    options: StoreFileOptions,
    steps: readonly MigrationStep[],
    afterSalvage: (handle: StoreHandle) => void,
  ) {
    this.#options = options;
    this.#steps = steps;
    this.#afterSalvage = afterSalvage;
  }

  get isOpen(): boolean {
    return this.#handle !== null;
  }

  get busy(): boolean {
    return this.#depth > 0;
  }

  use<T>(work: (handle: StoreHandle) => T): T {
    try {
      return this.#run(work);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!this.#settle(error)) throw error;
      return this.#again(work);
    }
  }

  write<T>(work: (handle: StoreHandle) => T): T {
    const value = this.use((current) => transact(current, work));
    this.#health?.wrote();
    return value;
  }

  writeUnsynced<T>(work: (handle: StoreHandle) => T): T {
    const value = this.use((current) => {
      current.db.exec('PRAGMA synchronous = NORMAL');
      try {
        return transact(current, work);
      } finally {
        current.db.exec('PRAGMA synchronous = FULL');
      }
    });
    this.#health?.wrote();
    return value;
  }

  release(): void {
    this.#health?.stop();
    this.close();
  }

  close(): void {
    this.#idle?.cancel();
    this.#idle = null;
    if (this.#handle) closeQuietly(this.#handle.db);
    this.#handle = null;
    this.#options.openFiles?.closed(this);
  }

  #run<T>(work: (handle: StoreHandle) => T): T {
    this.#depth += 1;
    try {
      return work(this.#opened());
    } finally {
      this.#depth -= 1;
    }
  }

  /** Runs on a checked file: damage found here is no transient read error, so a fresh file replaces it. */
  #again<T>(work: (handle: StoreHandle) => T): T {
    try {
      return this.#run(work);
    } catch (error) {
      if (!isCorrupt(error) || !this.isOpen) throw error;
      this.#quarantine(error.message);
      return this.#run(work);
    }
  }

  #opened(): StoreHandle {
    const { clock, openFiles } = this.#options;
    const handle = this.#handle ?? this.#open();
    if (!this.#handle) {
      this.#handle = handle;
      this.#arm(this.#options.idleMs ?? defaultIdleMs);
    }
    this.#lastUse = clock.monotonic();
    openFiles?.used(this);
    return handle;
  }

  #arm(waitMs: number): void {
    const { clock, idleMs = defaultIdleMs } = this.#options;
    const look = (): void => {
      const idle = clock.monotonic() - this.#lastUse;
      if (idle >= idleMs) this.close();
      else this.#arm(idleMs - idle);
    };
    this.#idle = clock.after(waitMs, look, { unref: true });
  }

  #open(): StoreHandle {
    const { path, key, log } = this.#options;
    asStoreFault(path, () => resumeQuarantine(path));
    const handle = openOrReplace(this.#options, this.#steps, this.#verifyNext, (reason) =>
      this.#quarantine(reason),
    );
    this.#verifyNext = false;
    const from = unsalvaged(path);
    if (from === null) return handle;
    try {
      log.info('store_salvaged', { path, rows: salvage(from, key, handle.db) });
      this.#afterSalvage(handle);
      // No caller gets the handle before this: a power loss until here loses no write, and the next open
      // restarts the salvage.
      asStoreFault(path, () => finishSalvage(path));
    } catch (error) {
      closeQuietly(handle.db);
      throw error;
    }
    return handle;
  }

  #quarantine(reason: string): void {
    const { path, clock, log, onQuarantine } = this.#options;
    this.close();
    const movedTo = asStoreFault(path, () => quarantineDatabase(path, clock.now()));
    log.error('store_quarantined', { path, movedTo, reason });
    onQuarantine?.(movedTo, reason);
  }

  /** True if the work may be retried, on a file that is checked first. */
  #settle(error: StoreError): boolean {
    const { path, log } = this.#options;
    if (error.code === 'corrupt' && this.isOpen) {
      this.#verifyNext = true;
      this.close();
      return true;
    }
    this.#health ??= this.#createHealth();
    this.#health.failed(error);
    if (error.code !== 'io_error') return false;
    // After a failed write or fsync the content of the file is uncertain: never reuse the same descriptor.
    this.#verifyNext = true;
    this.close();
    log.warn('store_io_error', { path, message: error.message });
    return false;
  }

  #createHealth(): StoreHealth {
    const { clock, onFault } = this.#options;
    return createStoreHealth({
      clock,
      // A write that changes nothing, just to see if it succeeds.
      probe: () => this.write(({ db }) => db.exec(`PRAGMA user_version = ${this.#steps.length}`)),
      onFault: (fault) => onFault?.(fault),
    });
  }
}

function transact<T>(current: StoreHandle, work: (handle: StoreHandle) => T): T {
  try {
    return current.db.transaction(() => work(current));
  } catch (error) {
    current.names.clear();
    throw error;
  }
}
