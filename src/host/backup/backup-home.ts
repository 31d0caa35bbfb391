import { ok, type Result } from '../../contract/result.ts';
import { makeBackup } from '../../services/bundle/backup.ts';
import { acquireHostLock } from '../../services/db/host-lock.ts';

/**
 * Backs up a data folder that no host has locked, without starting one; also works if a host cannot start.
 * `now` is in ms since the epoch.
 */
export async function backupHome(
  home: string,
  target: string,
  version: string,
  now: number,
): Promise<Result<{ readonly files: number; readonly bytes: number }>> {
  const lock = acquireHostLock(home, now);
  if (!lock.ok) return lock;
  try {
    const made = await makeBackup({ home, target, version, now });
    return made.ok ? ok({ files: made.value.files, bytes: made.value.bytes }) : made;
  } finally {
    lock.value.release();
  }
}
