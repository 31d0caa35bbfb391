import { existsSync } from 'node:fs';
import { ok, type Result } from '../../contract/result.ts';
import { fileTimestamp } from '../../core/lib/file-timestamp.ts';
import { lookAtBackup, type Restored, restoreBackup } from '../../services/bundle/backup.ts';
import { acquireHostLock } from '../../services/db/host-lock.ts';

export { lookAtBackup };

export interface RestoredHome extends Restored {
  /** Path of the previous folder, or `null` if there was none. */
  readonly aside: string | null;
}

/**
 * Replaces a data folder that no host has locked with a backup; `now` is in ms since the epoch. Holds the
 * lock to the end, except on Windows, which cannot rename a folder that contains an open file.
 */
export async function restoreHome(
  from: string,
  home: string,
  now: number,
  onProgress: (files: number, of: number) => void = () => undefined,
): Promise<Result<RestoredHome>> {
  const wasThere = existsSync(home);
  const lock = wasThere ? acquireHostLock(home, now) : ok(null);
  if (!lock.ok) return lock;
  const aside = `${home}.before-${fileTimestamp(now)}`;
  try {
    const beforeSwap = (): void => {
      if (process.platform === 'win32') lock.value?.release();
    };
    const restored = await restoreBackup({ from, home, aside, beforeSwap, onProgress });
    return restored.ok ? ok({ ...restored.value, aside: wasThere ? aside : null }) : restored;
  } finally {
    lock.value?.release();
  }
}
