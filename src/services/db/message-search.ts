/**
 * Full-text search over an account's messages, newest arrivals first. Receiving a message does no indexing
 * work: a search first indexes what arrived since the last one, in slices, so that a long history blocks
 * nothing else. The index itself records what it covers, so the two never disagree, even after a crash or a
 * salvage.
 */
import { messageText } from '../../core/agents/message-text.ts';
import { searchQuery, searchText } from '../../core/lib/search-words.ts';
import type { MessageSearch, SearchConditions } from '../../core/puffo/account-store.ts';
import { attachmentsType } from '../../core/puffo/message-files.ts';
import { messageColumns, readStoredMessage, requiredName } from './account-rows.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import { findRef, packId } from './packed-values.ts';
import { contentOf, numberOf } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';

/** Messages per slice: a few ms of work. */
const slice = 500;

/**
 * A room as one index term. Two rooms may share a term, so the query also compares the room id of the row.
 */
const roomWord = (roomId: string): string => roomId.replace(/[^\p{L}\p{N}]/gu, '') || 'none';

const highest = ({ sql }: StoreHandle, text: string): number => {
  const row = sql(text).get();
  return row ? numberOf(row, 'n') : 0;
};
const lastMessage = 'SELECT coalesce(max(rowid), 0) AS n FROM messages';
const lastIndexed = 'SELECT coalesce(max(id), 0) AS n FROM search_docsize';

const indexedColumns = 'messages.rowid AS n, content_type, content, content_json, room_id';

function indexedValues(handle: StoreHandle, row: SqlRow): SqlValue[] {
  const { text, attachments } = messageText({
    contentType: requiredName(handle, row, 'content_type'),
    content: contentOf(row),
  });
  const all = searchText([text, ...attachments].join('\n'));
  return [numberOf(row, 'n'), all, roomWord(requiredName(handle, row, 'room_id'))];
}

function indexSlice(handle: StoreHandle): void {
  const { sql } = handle;
  const rows = sql(`SELECT ${indexedColumns} FROM messages WHERE rowid > ? ORDER BY rowid LIMIT ?`).all([
    highest(handle, lastIndexed),
    slice,
  ]);
  const insert = sql('INSERT INTO search (rowid, text, room) VALUES (?, ?, ?)');
  for (const row of rows) insert.run(indexedValues(handle, row));
}

/** Call it while the row still has the content that was indexed: the index stores none, so it must be told. */
export function removeFromIndex(handle: StoreHandle, envelopeId: string): void {
  const { sql } = handle;
  const row = sql(`SELECT ${indexedColumns} FROM messages JOIN search_docsize d ON d.id = messages.rowid
    WHERE envelope_id = ?`).get([packId(envelopeId)]);
  if (row)
    sql(`INSERT INTO search (search, rowid, text, room) VALUES ('delete', ?, ?, ?)`).run(
      indexedValues(handle, row),
    );
}

const conditions = (order: string): string => `(:room IS NULL OR m.room_id = :room)
  AND (:senders IS NULL OR m.sender_slug IN (SELECT value FROM json_each(:senders)))
  AND m.sent_at < :sentBefore AND m.sent_at >= :sentFrom AND (:fileType IS NULL OR m.content_type = :fileType)
  AND NOT EXISTS (SELECT 1 FROM annotations n WHERE n.envelope_id = m.envelope_id AND n.deleted_at IS NOT NULL)
  AND ${order} < :before ORDER BY ${order} DESC LIMIT :limit`;

// CROSS JOIN puts the index first, because its rows come in the wanted order.
const wordsSql = `SELECT ${messageColumns} FROM search CROSS JOIN messages m ON m.rowid = search.rowid
  WHERE search MATCH :query AND ${conditions('search.rowid')}`;
const filtersSql = `SELECT ${messageColumns} FROM messages m WHERE ${conditions('m.rowid')}`;

/** A name that no message has selects none: `none` is not a reference. */
function paramsOf(
  handle: StoreHandle,
  roomId: string | undefined,
  { senderSlugs, sentBefore, sentFrom, hasFile }: SearchConditions,
): Record<string, SqlValue> {
  const refs = senderSlugs?.map((slug) => findRef(handle, slug)).filter((ref) => ref !== null);
  return {
    // Only a room with a stored message has a number.
    room: roomId === undefined ? null : (findRef(handle, roomId) ?? 'none'),
    senders: refs === undefined ? null : JSON.stringify(refs),
    sentBefore: sentBefore ?? Number.MAX_SAFE_INTEGER,
    sentFrom: sentFrom ?? Number.MIN_SAFE_INTEGER,
    fileType: hasFile === true ? (findRef(handle, attachmentsType) ?? 'none') : null,
  };
}

const isFiltered = ({ senderSlugs, sentBefore, sentFrom, hasFile }: SearchConditions): boolean =>
  senderSlugs !== undefined || sentBefore !== undefined || sentFrom !== undefined || hasFile === true;

const inRoom = (roomId: string | undefined): string =>
  roomId === undefined ? '' : ` AND room : "${roomWord(roomId)}"`;

const behind = (handle: StoreHandle): number => highest(handle, lastMessage) - highest(handle, lastIndexed);

function rowOf({ sql }: StoreHandle, envelopeId: string): number | null {
  const row = sql('SELECT rowid AS n FROM messages WHERE envelope_id = ?').get([packId(envelopeId)]);
  return row ? numberOf(row, 'n') : null;
}

export function createMessageSearch(file: StoreFile): MessageSearch {
  return {
    catchUp() {
      const missing = file.use(behind);
      if (missing > 0) file.write(indexSlice);
      return missing > slice;
    },
    find: ({ words, roomId, before, limit, ...filters }) =>
      file.use((handle) => {
        // A file that just replaced a damaged one has no index yet.
        if (behind(handle) > 0) return null;
        const query = searchQuery(words);
        const from = before === undefined ? Number.MAX_SAFE_INTEGER : rowOf(handle, before);
        if (from === null || (query === null && !isFiltered(filters) && roomId === undefined))
          return { messages: [], hasMore: false };
        const params = { before: from, limit: limit + 1, ...paramsOf(handle, roomId, filters) };
        const rows =
          query === null
            ? handle.sql(filtersSql).all(params)
            : handle.sql(wordsSql).all({ ...params, query: `text : (${query})${inRoom(roomId)}` });
        return {
          messages: rows.slice(0, limit).map(readStoredMessage(handle)),
          hasMore: rows.length > limit,
        };
      }),
  };
}
