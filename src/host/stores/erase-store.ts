import { ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';

/** Deletes a store with its side files and its key; stops at the first file that cannot be deleted. */
export function eraseStore(disk: Pick<DiskPort, 'remove'>, path: string): Result<void> {
  for (const suffix of ['', '-wal', '-shm', '.key']) {
    const gone = disk.remove(path + suffix);
    if (!gone.ok) return gone;
  }
  return ok(undefined);
}
