/** One-shot reminders of agents in the relay's store. */
import type { ReminderRow, ReminderRows } from '../../relay/store-port-agents.ts';
import type { SqlRow } from './binding.ts';
import { int, intOrNull, relayTextOrNull, type Statements, text } from './relay-statements.ts';

function lifecycleOf(value: string): ReminderRow['lifecycle'] {
  return value === 'cancelled' || value === 'delivered' ? value : 'scheduled';
}

const reminderOf = (row: SqlRow): ReminderRow => ({
  ownerSlug: text(row.owner_slug),
  occurrenceId: text(row.occurrence_id),
  revision: int(row.revision),
  reminderId: text(row.reminder_id),
  dueAt: text(row.due_at),
  lifecycle: lifecycleOf(text(row.lifecycle)),
  lifecycleAt: text(row.lifecycle_at),
  payloadFormat: text(row.payload_format),
  payload: text(row.payload),
  claimId: relayTextOrNull(row.claim_id),
  claimUntil: intOrNull(row.claim_until),
  endedAt: intOrNull(row.ended_at),
});

export function reminderRows(sql: Statements): ReminderRows {
  return {
    reminder: (ownerSlug, occurrenceId) => {
      const row = sql.get('SELECT * FROM reminders WHERE owner_slug = ? AND occurrence_id = ?', [
        ownerSlug,
        occurrenceId,
      ]);
      return row && reminderOf(row);
    },
    save: (row) =>
      void sql.run('INSERT OR REPLACE INTO reminders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
        row.ownerSlug,
        row.occurrenceId,
        row.revision,
        row.reminderId,
        row.dueAt,
        row.lifecycle,
        row.lifecycleAt,
        row.payloadFormat,
        row.payload,
        row.claimId,
        row.claimUntil,
        row.endedAt,
      ]),
    list: (ownerSlug, after, limit) =>
      sql
        .all(
          'SELECT * FROM reminders WHERE owner_slug = ? AND occurrence_id > ? ORDER BY occurrence_id LIMIT ?',
          [ownerSlug, after, limit],
        )
        .map(reminderOf),
    count: (ownerSlug) =>
      int(sql.get('SELECT count(*) AS n FROM reminders WHERE owner_slug = ?', [ownerSlug])?.n),
  };
}
