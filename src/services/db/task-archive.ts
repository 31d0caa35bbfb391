/** The archive of tasks: it promises that all tasks of one call change, or none. */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { archiveTime } from '../../core/lib/archive.ts';
import { hasTaskEnded, type Task } from '../../core/tasks/task.ts';
import { numberOf } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';
import { readTask, updateTask } from './task-rows.ts';

export function archiveTaskRows(
  handle: StoreHandle,
  ids: readonly number[],
  archived: boolean,
  now: number,
): Result<readonly Task[]> {
  const changes: { readonly old: Task; readonly next: Task }[] = [];
  for (const id of new Set(ids)) {
    const old = readTask(handle, id);
    if (!old) return err(fail('not_found', 'tasks.unknownTask', { id }));
    const work = { id: String(id), isFinished: hasTaskEnded(old), archivedAt: old.archivedAt };
    const archivedAt = archiveTime(work, archived, now);
    if (!archivedAt.ok) return archivedAt;
    changes.push({ old, next: { ...old, archivedAt: archivedAt.value } });
  }
  for (const { old, next } of changes) updateTask(handle, old, next);
  return ok(changes.map(({ next }) => next));
}

export const endedBeforeSql = `SELECT id FROM tasks INDEXED BY tasks_shown
  WHERE archived IS NULL AND status IN ('done', 'error') AND json_extract(body, '$.updatedAt') < ?
  ORDER BY status, id LIMIT 5000`;

/** Finished tasks outside the archive that ended before this time, at most 5,000. */
export const endedBefore = ({ sql }: StoreHandle, before: number): readonly number[] =>
  sql(endedBeforeSql)
    .all([before])
    .map((row) => numberOf(row, 'id'));
