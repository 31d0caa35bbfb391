/**
 * Full-text search over an account's messages, newest arrivals first. Receiving a message does no indexing
 * work: a search first indexes what arrived since the last one, in slices, so that a long history blocks
 * nothing else. The index itself records what it covers, so the two never disagree, even after a crash or a
 * salvage.
 */
import { messageText } from '../../core/agents/message-text.ts';
import { searchQuery, searchText } from '../../core/lib/full-text-query.ts';
import type { MessageSearch, SearchConditions } from '../../core/puffo/account-store.ts';
import { attachmentsType } from '../../core/puffo/message-files.ts';
import { messageColumns, readStoredMessage, requiredName } from './account-rows.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import { findRef, packId } from './packed-values.ts';
import { contentOf, numberOf } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';

type Query = Parameters<MessageSearch['find']>[0];
type Found = NonNullable<ReturnType<MessageSearch['find']>>;

/** Messages per slice: a few ms of work. */
const slice = 500;

/** Messages per window of a search with filters, or by room alone: some 10 ms of work. */
const window = 20_000;

/**
 * A room as one index term. Two rooms may share a term, so the query also compares the room id of the row.
 */
const roomWord = (roomId: string): string => roomId.replace(/[^\p{L}\p{N}]/gu, '') || 'none';

const numberIn = ({ sql }: StoreHandle, text: string): number => {
  const row = sql(text).get();
  return row ? numberOf(row, 'n') : 0;
};
const lastMessage = 'SELECT coalesce(max(rowid), 0) AS n FROM messages';
const firstMessage = 'SELECT coalesce(min(rowid), 0) AS n FROM messages';
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
    numberIn(handle, lastIndexed),
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
  AND ${order} < :below AND ${order} >= :from ORDER BY ${order} DESC LIMIT :limit`;

// CROSS JOIN puts the index first, because its rows come in the wanted order.
const wordsSql = `SELECT ${messageColumns} FROM search CROSS JOIN messages m ON m.rowid = search.rowid
  WHERE search MATCH :query AND ${conditions('search.rowid')}`;
const filtersSql = `SELECT ${messageColumns} FROM messages m WHERE ${conditions('m.rowid')}`;

/** `null` if no message can fit: one that exists has references to its room, its sender and its type. */
function paramsOf(
  handle: StoreHandle,
  { roomId, senderSlugs, sentBefore, sentFrom, hasFile }: Query,
): Record<string, SqlValue> | null {
  const senders = senderSlugs?.map((slug) => findRef(handle, slug)).filter((ref) => ref !== null);
  const room = roomId === undefined ? undefined : findRef(handle, roomId);
  const fileType = hasFile === true ? findRef(handle, attachmentsType) : undefined;
  if (senders?.length === 0 || room === null || fileType === null) return null;
  return {
    room: room ?? null,
    senders: senders === undefined ? null : JSON.stringify(senders),
    sentBefore: sentBefore ?? Number.MAX_SAFE_INTEGER,
    sentFrom: sentFrom ?? Number.MIN_SAFE_INTEGER,
    fileType: fileType ?? null,
  };
}

const isFiltered = ({ senderSlugs, sentBefore, sentFrom, hasFile }: SearchConditions): boolean =>
  senderSlugs !== undefined || sentBefore !== undefined || sentFrom !== undefined || hasFile === true;

const inRoom = (roomId: string | undefined): string =>
  roomId === undefined ? '' : ` AND room : "${roomWord(roomId)}"`;

const behind = (handle: StoreHandle): number => numberIn(handle, lastMessage) - numberIn(handle, lastIndexed);

function rowOf({ sql }: StoreHandle, envelopeId: string): number | null {
  const row = sql('SELECT rowid AS n FROM messages WHERE envelope_id = ?').get([packId(envelopeId)]);
  return row ? numberOf(row, 'n') : null;
}

/** Row numbers from one up to, but not including, another; `null` if no message has the id `before`. */
function windowOf(
  handle: StoreHandle,
  { before, below: start }: Pick<Query, 'before' | 'below'>,
  isScan: boolean,
): { readonly from: number; readonly below: number } | null {
  const newest = before === undefined ? numberIn(handle, lastMessage) + 1 : rowOf(handle, before);
  const below = start ?? newest;
  return below === null ? null : { from: isScan ? below - window : 0, below };
}

const nothing = { messages: [], hasMore: false, below: null };

function findIn(handle: StoreHandle, query: Query): Found {
  const { words, roomId, limit } = query;
  const terms = searchQuery(words);
  if (terms === null && roomId === undefined && !isFiltered(query)) return nothing;
  // The index finds words alone at once.
  const bounds = windowOf(handle, query, terms === null || isFiltered(query));
  const params = paramsOf(handle, query);
  if (bounds === null || params === null) return nothing;
  const all = { ...params, ...bounds, limit: limit + 1 };
  const rows =
    terms === null
      ? handle.sql(filtersSql).all(all)
      : handle.sql(wordsSql).all({ ...all, query: `text : (${terms})${inRoom(roomId)}` });
  const hasMore = rows.length > limit;
  return {
    messages: rows.slice(0, limit).map(readStoredMessage(handle)),
    hasMore,
    below: hasMore || bounds.from <= numberIn(handle, firstMessage) ? null : bounds.from,
  };
}

export function createMessageSearch(file: StoreFile): MessageSearch {
  return {
    catchUp() {
      const missing = file.use(behind);
      if (missing > 0) file.write(indexSlice);
      return missing > slice;
    },
    // A file that just replaced a damaged one has no index yet.
    find: (query) => file.use((handle) => (behind(handle) > 0 ? null : findIn(handle, query))),
  };
}
