/**
 * The rule of the archive, one for tasks and workflow runs: only finished work is archived, nothing is deleted,
 * and work that starts again leaves the archive.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';

interface ArchivedWork {
  /** Number or id, for the error. */
  readonly id: string;
  readonly isFinished: boolean;
  /** ms since the epoch; `null` outside the archive. */
  readonly archivedAt: number | null;
}

/** The new `archivedAt`; archiving twice keeps the first time. `conflict` for unfinished work. */
export function archiveTime(work: ArchivedWork, archived: boolean, now: number): Result<number | null> {
  if (!archived) return ok(null);
  if (!work.isFinished) return err(fail('conflict', 'storage.archiveFinished', { id: work.id }));
  return ok(work.archivedAt ?? now);
}

const dayMs = 86_400_000;

/** The time before which work must have ended to be archived as old. */
export const archivedBefore = (days: number, now: number): number => now - days * dayMs;
