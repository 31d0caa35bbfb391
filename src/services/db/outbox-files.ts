/**
 * The outbox queries for messages with files: replacing queued content, and listing messages that are not
 * sent yet.
 */
import type { OutboxFiles } from '../../core/puffo/account-store.ts';
import { outboxOf } from './account-rows.ts';
import { packId } from './packed-values.ts';
import { contentFields } from './row-fields.ts';
import type { StoreFile } from './store-file.ts';

export function createOutboxFiles(file: StoreFile): OutboxFiles {
  return {
    setContent: (id, given) =>
      file.write(({ sql }) => {
        const { content, content_json: json } = contentFields(given);
        const changed = sql(
          `UPDATE outbox SET content = ?, content_json = ? WHERE envelope_id = ? AND state = 'queued'`,
        ).run([content, json, id]).changes;
        if (changed === 0) return;
        sql('UPDATE messages SET content = ?, content_json = ? WHERE envelope_id = ?').run([
          content,
          json,
          packId(id),
        ]);
      }),
    unsent: (contentType) =>
      file.use(({ sql }) =>
        sql(`SELECT * FROM outbox WHERE state <> 'sent' AND content_type = ? ORDER BY created_at, rowid`)
          .all([contentType])
          .map(outboxOf),
      ),
    retry: (id) =>
      file.write(
        ({ sql }) =>
          sql(`UPDATE outbox SET state = 'queued', sealed = NULL, content_key = NULL, error = NULL
            WHERE envelope_id = ? AND state = 'failed'`).run([id]).changes > 0,
      ),
  };
}
