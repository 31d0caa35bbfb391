/**
 * Ownership of a data folder: an exclusive SQLite lock that the process holds until it exits and that ends
 * with it, however it exits (F17). `host.json` beside it only tells a second starter the name of the holder;
 * it decides nothing.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { withHint } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { say } from '../../language/say.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { type Database, openDatabase } from './binding.ts';

const holderSchema = z.object({
  pid: z.number().int(),
  /** ms since the epoch. */
  startedAt: z.number(),
  socket: z.string().nullable(),
});
export type HostHolder = z.infer<typeof holderSchema>;

export interface HostLock {
  readonly home: string;
  /** Publishes the address that this host listens on; without it no client finds the host. */
  publish(socket: string): Result<void>;
  release(): void;
}

// POSIX drops all locks of a process on a file as soon as the process closes any descriptor of it: only
// SQLite may open `host.lock` in this process.
const lockFile = 'host.lock';
const holderFile = 'host.json';

/**
 * The holder as it described itself, or `null` if the file is missing or unreadable. Does not tell if the
 * holder is alive.
 */
export function readHolder(home: string): HostHolder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(join(home, holderFile), 'utf8')));
  } catch {
    return null;
  }
}

/** Keeps each held database: one out of reach would be collected and closed, which ends its lock. */
const heldDatabases = new Set<Database>();

/** The busy timeout lets one of several simultaneous starters win while the others give up. */
function lock(home: string): Database {
  const db = openDatabase(join(home, lockFile), { busyMs: 250 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    heldDatabases.add(db);
    return db;
  } catch (error) {
    unlock(db);
    throw error;
  }
}

/** Releases the lock explicitly: `libsql` keeps a closed file open for a while. */
function unlock(db: Database): void {
  heldDatabases.delete(db);
  try {
    db.exec('ROLLBACK');
  } catch {
    // No transaction was open.
  }
  try {
    db.pragma('locking_mode = NORMAL');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch {
    // Another process holds the lock, so this one has nothing to release.
  }
  db.close();
}

/**
 * `startedAt` in ms since the epoch. Fails with `held`, naming the holder, while another process owns the
 * folder.
 */
export function acquireHostLock(home: string, startedAt: number): Result<HostLock> {
  let db: Database;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    db = lock(home);
    chmodSync(join(home, lockFile), 0o600);
  } catch (error) {
    return err(refusal(home, error));
  }
  const tell = (socket: string | null): void => {
    const holder: HostHolder = { pid: process.pid, startedAt, socket };
    // The rename is atomic, so a reader never sees half of the file. No fsync: the file is meaningless after
    // a power loss.
    const next = join(home, `.${holderFile}.next`);
    writeFileSync(next, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
    renameSync(next, join(home, holderFile));
  };
  let held = true;
  try {
    tell(null);
  } catch (error) {
    unlock(db);
    return err(refusal(home, error));
  }
  return ok({
    home,
    publish(socket) {
      try {
        tell(socket);
        return ok(undefined);
      } catch (error) {
        return err(refusal(home, error));
      }
    },
    release: () => {
      if (!held) return;
      held = false;
      forget(home);
      unlock(db);
    },
  });
}

/** A stale `host.json` does no harm: the lock decides. */
function forget(home: string): void {
  try {
    rmSync(join(home, holderFile), { force: true });
  } catch {
    // The disk failed; the lock must be released anyway.
  }
}

function refusal(home: string, error: unknown) {
  if (error instanceof StoreError && error.code === 'locked') {
    const holder = readHolder(home);
    const who = holder ? `process ${holder.pid}` : 'another process';
    return fail('held', 'storage.dataFolderInUse', { who, home }, { help: 'storage.runStatusOrStop' });
  }
  if (error instanceof StoreError) {
    return withHint(error.toAppError(), say('storage.checkDataFolder'));
  }
  const code = systemErrorCode(error, 'unknown');
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fail('disk_full', 'storage.hostDiskFull', {}, { where: home });
  }
  return fail(
    'io_error',
    'storage.dataFolderNotWritable',
    { code },
    { help: 'storage.checkPermissionsOrHome', where: home },
  );
}
