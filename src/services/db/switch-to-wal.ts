/**
 * Switches a database to a write-ahead log, also while other processes open or write the same new file (F17).
 * SQLite refuses this one statement at once, without its busy timeout, if another process holds the lock.
 */
import { StoreError } from '../../core/lib/store-error.ts';
import type { Database } from './binding.ts';

/** Each attempt but the first follows a lock that another process held meanwhile. */
const maxAttempts = 20;

export function switchToWal(db: Database): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isTaken = error instanceof StoreError && error.code === 'locked';
      if (!isTaken || attempt === maxAttempts) throw error;
    }
    // A transaction waits for the lock, for the busy timeout at most.
    db.transaction(() => undefined);
  }
}
