/**
 * Migrates a database to the newest schema. Each step is one transaction together with its version number; an
 * older file is copied aside first, and a newer file is refused and left unchanged (F24).
 */
import { copyFileSync } from 'node:fs';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Database } from './binding.ts';

/** Step `n` (from 0) takes schema version `n` to `n + 1`. */
export function migrate(db: Database, steps: readonly string[]): void {
  const found = Number(db.pragma('user_version'));
  if (found > steps.length) {
    throw new StoreError(
      'unsupported',
      `This database was written by a newer Kennel (schema ${found}, this one knows ${steps.length}). It was left as it is: update Kennel. (${db.path})`,
    );
  }
  if (found === steps.length) return;
  if (found > 0) {
    db.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(db.path, `${db.path}.schema-${found}`);
  }
  for (const [version, step] of steps.entries()) {
    if (version < found) continue;
    db.transaction(() => {
      // Another process may have run this step meanwhile.
      if (Number(db.pragma('user_version')) > version) return;
      db.exec(step);
      db.pragma(`user_version = ${version + 1}`);
    });
  }
}
