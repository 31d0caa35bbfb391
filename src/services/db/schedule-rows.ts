/**
 * The schedules of `tasks.db`. It promises that a schedule advances in the same transaction that creates its
 * task (F1).
 */

import { scheduleRowSchema } from '../../core/tasks/schedule-row.ts';
import type { AddedTask, NewTask, ScheduleStore } from '../../core/tasks/task-ports.ts';
import { numberOf } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';
import { parsed } from './task-rows.ts';

export const dueSchedulesSql = 'SELECT body FROM schedules WHERE next <= ? ORDER BY next';

export function scheduleRows(
  file: StoreFile,
  addTask: (handle: StoreHandle, task: NewTask) => AddedTask,
): ScheduleStore {
  const many = (text: string, params: readonly (string | number)[]) =>
    file.use(({ sql }) =>
      sql(text)
        .all(params)
        .map((row) => parsed(scheduleRowSchema, row)),
    );
  return {
    all: () => many('SELECT body FROM schedules ORDER BY id', []),
    row: (id) => many('SELECT body FROM schedules WHERE id = ?', [id])[0] ?? null,
    due: (now) => many(dueSchedulesSql, [now]),
    next: () =>
      file.use(({ sql }) => {
        const row = sql('SELECT next FROM schedules WHERE next IS NOT NULL ORDER BY next LIMIT 1').get([]);
        return row ? numberOf(row, 'next') : null;
      }),
    keep: (row, task) =>
      file.write((handle) => {
        const values = [row.id, row.state.next, JSON.stringify(row)];
        handle.sql('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?)').run(values);
        return task && addTask(handle, { task, steps: [] });
      }),
    remove: (id) => file.write(({ sql }) => sql('DELETE FROM schedules WHERE id = ?').run([id]).changes > 0),
  };
}
