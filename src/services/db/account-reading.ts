/** The queries of an account's store by message, room and thread. */
import { dmSlug } from '../../contract/room-id.ts';
import type { HistoryQuery, WorkStatus } from '../../core/puffo/account-store.ts';
import {
  messageColumns,
  priorityFromRow,
  readStoredMessage,
  requiredName,
  roomFromRow,
} from './account-rows.ts';
import { shownSql } from './annotations.ts';
import { findRef, packId } from './packed-values.ts';
import { numberOf, oneOf } from './row-fields.ts';
import type { StoreFile } from './store-file.ts';
import { unpackText } from './text-column.ts';

const workStates: readonly WorkStatus[] = ['open', 'done', 'failed', 'silent'];

const placeOf = `(SELECT sent_at, envelope_id FROM messages WHERE envelope_id = :from AND room_id = :room)`;
/** Selects by the channel index, or by the direct message index. */
const ofRoom = (roomId: string): string =>
  `SELECT ${messageColumns} FROM messages
   WHERE room_id = :room AND channel_id ${dmSlug(roomId) === null ? '= :room' : 'IS NULL'} AND ${shownSql}`;
const newestSql = 'ORDER BY sent_at DESC, messages.envelope_id DESC LIMIT :limit';
const earlierSql = `AND (sent_at, envelope_id) < ${placeOf} ORDER BY sent_at DESC, messages.envelope_id DESC LIMIT :limit`;
const laterSql = `AND (sent_at, envelope_id) > ${placeOf} ORDER BY sent_at, messages.envelope_id LIMIT :limit`;

export class AccountReading {
  protected readonly file: StoreFile;

  constructor(file: StoreFile) {
    this.file = file;
  }

  known(ids: readonly string[]) {
    return this.file.use(({ sql }) => {
      const find = sql('SELECT 1 FROM messages WHERE envelope_id = ?');
      return new Set(ids.filter((id) => find.get([packId(id)]) !== undefined));
    });
  }

  message(id: string) {
    return this.file.use((handle) => {
      const row = handle
        .sql(`SELECT ${messageColumns} FROM messages WHERE envelope_id = ?`)
        .get([packId(id)]);
      return row ? readStoredMessage(handle)(row) : null;
    });
  }

  decision(id: string) {
    return this.file.use((handle) => {
      const row = handle
        .sql(`SELECT m.react, m.reason, m.priority, w.status, coalesce(w.detail, '') AS detail
        FROM messages m LEFT JOIN work w ON w.envelope_id = m.envelope_id
        WHERE m.envelope_id = ? AND m.reason IS NOT NULL`)
        .get([packId(id)]);
      if (!row) return null;
      return {
        react: numberOf(row, 'react') === 1,
        reason: requiredName(handle, row, 'reason'),
        priority: priorityFromRow(row),
        status: row.status === null ? null : oneOf(row, 'status', workStates),
        detail: unpackText(row, 'detail'),
      };
    });
  }

  history({ roomId, before, after, limit }: HistoryQuery) {
    return this.file.use((handle) => {
      const params = { room: findRef(handle, roomId), limit: limit + 1 };
      const read = (which: string) => handle.sql(`${ofRoom(roomId)} ${which}`);
      const rows =
        after !== undefined
          ? read(laterSql).all({ ...params, from: packId(after) })
          : before !== undefined
            ? read(earlierSql).all({ ...params, from: packId(before) })
            : read(newestSql).all(params);
      const page = rows.slice(0, limit).map(readStoredMessage(handle));
      return { messages: after === undefined ? page.reverse() : page, hasMore: rows.length > limit };
    });
  }

  thread(rootId: string, limit: number) {
    return this.file.use((handle) => {
      const rows = handle
        .sql(`SELECT ${messageColumns} FROM messages
          WHERE (envelope_id = :root OR thread_root_id = :root) AND ${shownSql} ${newestSql}`)
        .all({ root: packId(rootId), limit });
      return rows.reverse().map(readStoredMessage(handle));
    });
  }

  rooms() {
    return this.file.use(({ sql }) =>
      sql('SELECT * FROM rooms ORDER BY last_message_at DESC, room_id').all().map(roomFromRow),
    );
  }

  // Rows are never deleted (a deleted message loses its content) and ignored inserts use no rowid, so the highest rowid is the count.
  messageCount() {
    return this.file.use(({ sql }) => {
      const row = sql('SELECT coalesce(max(rowid), 0) AS n FROM messages').get();
      return row ? numberOf(row, 'n') : 0;
    });
  }
}
