/**
 * The relay's store over SQLite: WAL with fsync at every commit, one file, held by one relay at a time
 * through a lock that the operating system releases with its process. A second process may open it too (to
 * create an invite).
 */
import { chmodSync, closeSync, copyFileSync, existsSync, openSync } from 'node:fs';
import { StoreError } from '../../core/lib/store-error.ts';
import { say } from '../../language/say.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import type { RelayStore } from '../../relay/store-port.ts';
import { type Database, openDatabase } from './binding.ts';
import { relaySchemaSteps } from './relay-schema.ts';
import { createStatements, type Statements, text } from './relay-statements.ts';
import { contactRows, enrolmentRows } from './relay-store-contacts.ts';
import { linkRows } from './relay-store-links.ts';
import { activityRows, blobRows, mailRows, nonceRows, pruneRows } from './relay-store-mail.ts';
import { peopleRows } from './relay-store-people.ts';
import { reminderRows } from './relay-store-reminders.ts';
import { spaceRows } from './relay-store-spaces.ts';
import { switchToWal } from './switch-to-wal.ts';

export interface RelayStoreOptions {
  /** True for the relay itself: fails with `locked` while another relay serves this file. */
  readonly exclusive: boolean;
}

/** Throws `StoreError`: `locked`, `corrupt`, `disk_full`, `io_error`. */
export function openRelayStore(path: string, options: RelayStoreOptions = { exclusive: true }): RelayStore {
  const lock = options.exclusive ? holdLock(`${path}.lock`) : null;
  try {
    makePrivate(path);
    const db = openDatabase(path);
    try {
      prepareFile(db);
    } catch (error) {
      db.close();
      throw error;
    }
    return storeOver(db, () => lock?.close());
  } catch (error) {
    lock?.close();
    throw error;
  }
}

/**
 * SQLite gives journal, WAL and index the mode of the main file, so the main file is created first. An
 * existing file is not opened: closing it again would drop this process's locks on it.
 */
function makePrivate(path: string): void {
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    const code = systemErrorCode(error, 'unknown');
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new StoreError(
      full ? 'disk_full' : 'io_error',
      say('server.relayFolderNotWritable', { code, path }),
      { cause: error },
    );
  }
}

/** Holds an open write transaction on a separate file; it ends with the process, however that exits (F17). */
function holdLock(path: string): Database {
  makePrivate(path);
  const lock = openDatabase(path, { busyMs: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error instanceof StoreError && error.code === 'locked'
      ? new StoreError('locked', say('server.relayFolderInUse'))
      : error;
  }
}

function prepareFile(db: Database): void {
  switchToWal(db);
  db.exec('PRAGMA synchronous = FULL');
  const before = Number(db.pragma('user_version') ?? 0);
  if (before > 0 && before < relaySchemaSteps.length) {
    db.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(db.path, `${db.path}.schema-${before}`);
  }
  // Read and changed under one lock: another process may be writing an invite.
  db.transaction(() => {
    const version = Number(db.pragma('user_version') ?? 0);
    if (version > relaySchemaSteps.length) {
      throw new StoreError('io_error', say('server.dataFolderTooNew'));
    }
    for (const step of relaySchemaSteps.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${relaySchemaSteps.length}`);
  });
}

function savepoints(sql: Statements): RelayStore['attempt'] {
  const undo = (): void => {
    sql.run('ROLLBACK TO attempt');
    sql.run('RELEASE attempt');
  };
  return (run, keep) => {
    sql.run('SAVEPOINT attempt');
    try {
      const value = run();
      if (keep(value)) sql.run('RELEASE attempt');
      else undo();
      return value;
    } catch (error) {
      undo();
      throw error;
    }
  };
}

function storeOver(db: Database, released: () => void): RelayStore {
  const sql = createStatements(db);
  let open = true;
  return {
    people: peopleRows(sql),
    spaces: spaceRows(sql),
    links: linkRows(sql),
    mail: mailRows(sql),
    activity: activityRows(sql),
    blobs: blobRows(sql),
    nonces: nonceRows(sql),
    enrolments: enrolmentRows(sql),
    contacts: contactRows(sql),
    reminders: reminderRows(sql),
    transaction: (run) => {
      try {
        return db.transaction(run);
      } catch (error) {
        sql.forget();
        throw error;
      }
    },
    attempt: savepoints(sql),
    value: (name) => {
      const row = sql.get('SELECT value FROM settings WHERE name = ?', [name]);
      return row && text(row.value);
    },
    setValue: (name, value) => void sql.run('INSERT OR REPLACE INTO settings VALUES (?, ?)', [name, value]),
    prune: (limits) => db.transaction(() => pruneRows(sql, limits)),
    close: () => {
      if (!open) return;
      open = false;
      db.close();
      released();
    },
  };
}
