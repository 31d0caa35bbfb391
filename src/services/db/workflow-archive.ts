/** The archive of runs: it promises that all runs of one call change, or none. Their histories stay as they are. */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { archiveTime } from '../../core/lib/archive.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import { textOf } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';
import { runOf } from './workflow-rows.ts';

export function archiveRuns(
  { sql }: StoreHandle,
  ids: readonly string[],
  archived: boolean,
  now: number,
): Result<void> {
  const changes: { readonly id: string; readonly archivedAt: number | null }[] = [];
  for (const id of ids) {
    const row = sql('SELECT * FROM runs WHERE id = ?').get([id]);
    if (!row) return err(fail('not_found', 'workflows.unknownRunRef', { id }));
    const { status, archivedAt = null } = runOf(row);
    const at = archiveTime({ id, isFinished: isFinished(status), archivedAt }, archived, now);
    if (!at.ok) return at;
    changes.push({ id, archivedAt: at.value });
  }
  for (const { id, archivedAt } of changes)
    sql('UPDATE runs SET archived = ? WHERE id = ?').run([archivedAt, id]);
  return ok(undefined);
}

/** Finished runs outside the archive that ended before this time, at most 5,000. */
export const runsEndedBefore = ({ sql }: StoreHandle, before: number): readonly string[] =>
  sql(
    `SELECT id FROM runs r WHERE archived IS NULL AND status IN ('ok', 'failed', 'cancelled')
       AND (SELECT at FROM events e WHERE e.run = r.number ORDER BY seq DESC LIMIT 1) < ? LIMIT 5000`,
  )
    .all([before])
    .map((row) => textOf(row, 'id'));
