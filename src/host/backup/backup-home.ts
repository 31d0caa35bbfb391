import { ok, type Result } from '../../contract/result.ts';
import { makeBackup } from '../../services/bundle/backup.ts';
import { acquireHostLock } from '../../services/db/host-lock.ts';

/** Copies a data folder that no host has, without starting one: also where a host cannot start. `now` in ms since the epoch. */
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
