/**
 * Migrates a database to the newest schema. Each step is one transaction together with its version number. A
 * step that works in slices is several: a killed migration continues after the last committed slice (F1). An
 * older file is copied aside first, and a newer file is refused and left unchanged (F24).
 */
import { copyFileSync } from 'node:fs';
import { StoreError } from '../../core/lib/store-error.ts';
import { say } from '../../language/say.ts';
import type { Database } from './binding.ts';

/** SQL, or a slice of work that returns `true` when nothing is left; each slice is committed. */
export type MigrationStep = string | ((db: Database) => boolean);

/** KiB of page cache during a migration, which visits rows in the order of other tables. */
const migrationCacheKib = 65_536;

/** Step `n` (from 0) takes schema version `n` to `n + 1`. */
export function migrate(db: Database, steps: readonly MigrationStep[]): void {
  const found = Number(db.pragma('user_version'));
  if (found > steps.length) {
    throw new StoreError(
      'unsupported',
      say('storage.databaseTooNew', { found, steps: steps.length, path: db.path }),
    );
  }
  if (found === steps.length) return;
  if (found > 0) {
    db.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(db.path, `${db.path}.schema-${found}`);
  }
  const cache = Number(db.pragma('cache_size'));
  const enforced = Number(db.pragma('foreign_keys'));
  db.pragma(`cache_size = -${migrationCacheKib}`);
  // A step may replace a table that other tables refer to.
  db.pragma('foreign_keys = OFF');
  for (const [version, step] of steps.entries()) if (version >= found) runStep(db, version, step);
  db.pragma(`foreign_keys = ${enforced}`);
  db.pragma(`cache_size = ${cache}`);
}

function runStep(db: Database, version: number, step: MigrationStep): void {
  const slice = (): boolean => {
    // Another process may have run this step meanwhile.
    if (Number(db.pragma('user_version')) > version) return true;
    if (typeof step === 'string') db.exec(step);
    else if (!step(db)) return false;
    db.pragma(`user_version = ${version + 1}`);
    return true;
  };
  while (!db.transaction(slice));
}
