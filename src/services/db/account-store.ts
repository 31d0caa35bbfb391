/**
 * The store of one account: received messages, the work they caused and the outbox. It promises that every
 * method is durable when it returns, that a message is accepted once under whatever id it arrives, and that a
 * turn is completed once.
 */
import { dmSlug } from '../../contract/room-id.ts';
import type { AcceptRow, AccountStore, TurnOutcome, WorkStatus } from '../../core/puffo/account-store.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import {
  idOf,
  insertMessageSql,
  insertOutboxSql,
  messageColumns,
  messageParams,
  outboxOf,
  outboxParams,
  ownMessage,
  priorityFromRow,
  readStoredMessage,
  requiredName,
  roomFromRow,
  roomParams,
  upsertRoomSql,
} from './account-rows.ts';
import { accountSchema } from './account-schema.ts';
import { createAgentWork, endTurn } from './agent-work.ts';
import { createAnnotations, shownSql } from './annotations.ts';
import { createMessageQueries } from './message-queries.ts';
import { createMessageSearch } from './message-search.ts';
import { createOutboxFiles } from './outbox-files.ts';
import { repairSalvaged } from './pack-messages.ts';
import { findRef, idColumn, packId, packNonce, refOf } from './packed-values.ts';
import { numberOf, oneOf, textOf } from './row-fields.ts';
import { createStoreFile, type StoreFile, type StoreFileOptions, type StoreHandle } from './store-file.ts';
import { createTranscriptStore } from './transcript-store.ts';
import { createTurnRecords } from './turn-records.ts';

export interface AccountStoreOptions extends StoreFileOptions {
  /** The account's own slug: messages of this sender are never unread. */
  readonly slug: string;
  readonly key: Uint8Array;
}

const workStates: readonly WorkStatus[] = ['open', 'done', 'failed', 'silent'];

function insertMessage(handle: StoreHandle, row: AcceptRow, ownSlug: string): boolean {
  const { sql } = handle;
  const { message, decision } = row;
  if (sql(insertMessageSql).run(messageParams(handle, row)).changes === 0) return false;
  sql(upsertRoomSql).run(roomParams(message, message.senderSlug !== ownSlug));
  if (message.channelId !== null && message.spaceId !== null) {
    sql(`INSERT INTO channel_space_map (channel_id, space_id, learned_at) VALUES (?, ?, ?)
      ON CONFLICT (channel_id) DO UPDATE SET space_id = excluded.space_id, learned_at = excluded.learned_at
      WHERE space_id <> excluded.space_id`).run([message.channelId, message.spaceId, message.receivedAt]);
  }
  if (decision.react) {
    sql(`INSERT OR IGNORE INTO work (envelope_id, root_id, priority, status) VALUES (?, ?, ?, 'open')`).run([
      packId(message.envelopeId),
      packId(message.threadRootId ?? message.envelopeId),
      decision.priority,
    ]);
  }
  return true;
}

/** ms; a clock that was set back further than this is trusted. */
const sameMomentMs = 1_000;

/** Messages sort by time and then by a random id, so no two own messages may share a millisecond (I3). */
function afterTheLast({ sql }: StoreHandle, draft: OutboxDraft): OutboxDraft {
  const last = sql('SELECT created_at FROM outbox ORDER BY rowid DESC LIMIT 1').get();
  const earliest = last ? numberOf(last, 'created_at') + 1 : 0;
  const early = earliest - draft.createdAt;
  return early > 0 && early <= sameMomentMs ? { ...draft, createdAt: earliest } : draft;
}

function insertDraft(handle: StoreHandle, given: OutboxDraft, senderSlug: string): void {
  const { sql } = handle;
  const draft = afterTheLast(handle, given);
  if (sql(insertOutboxSql).run(outboxParams(draft)).changes === 0) return;
  const message = ownMessage(draft, senderSlug);
  insertMessage(handle, { message, decision: { react: false, reason: 'own', priority: 5 } }, senderSlug);
}

/**
 * Closes the rows that are still open. Returns false if the batch had rows and all were already closed (I2).
 */
function closeWork({ sql }: StoreHandle, outcome: TurnOutcome): boolean {
  let closed = 0;
  for (const id of outcome.envelopeIds) {
    closed += sql(
      `UPDATE work SET status = ?, detail = ?, turn_id = ?, settled_at = ? WHERE envelope_id = ? AND status = 'open'`,
    ).run([outcome.status, outcome.detail, outcome.turnId, outcome.at, packId(id)]).changes;
  }
  return closed > 0 || outcome.envelopeIds.length === 0;
}

function completeTurn(handle: StoreHandle, outcome: TurnOutcome, ownSlug: string): void {
  const fresh = closeWork(handle, outcome);
  endTurn(handle, outcome, fresh);
  if (!fresh) return;
  for (const reply of outcome.replies) insertDraft(handle, reply, ownSlug);
}

const placeOf = `(SELECT sent_at, envelope_id FROM messages WHERE envelope_id = :from AND room_id = :room)`;
/** Selects by the channel index, or by the direct message index. */
const ofRoom = (roomId: string): string =>
  `SELECT ${messageColumns} FROM messages
   WHERE room_id = :room AND channel_id ${dmSlug(roomId) === null ? '= :room' : 'IS NULL'} AND ${shownSql}`;
const newestSql = 'ORDER BY sent_at DESC, messages.envelope_id DESC LIMIT :limit';
const earlierSql = `AND (sent_at, envelope_id) < ${placeOf} ORDER BY sent_at DESC, messages.envelope_id DESC LIMIT :limit`;
const laterSql = `AND (sent_at, envelope_id) > ${placeOf} ORDER BY sent_at, messages.envelope_id LIMIT :limit`;

type Reading = Pick<
  AccountStore,
  'known' | 'message' | 'decision' | 'history' | 'thread' | 'rooms' | 'messageCount'
>;

function createReading(file: StoreFile): Reading {
  return {
    known: (ids) =>
      file.use(({ sql }) => {
        const find = sql('SELECT 1 FROM messages WHERE envelope_id = ?');
        return new Set(ids.filter((id) => find.get([packId(id)]) !== undefined));
      }),
    message: (id) =>
      file.use((handle) => {
        const row = handle
          .sql(`SELECT ${messageColumns} FROM messages WHERE envelope_id = ?`)
          .get([packId(id)]);
        return row ? readStoredMessage(handle)(row) : null;
      }),
    decision: (id) =>
      file.use((handle) => {
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
          detail: textOf(row, 'detail'),
        };
      }),
    history: ({ roomId, before, after, limit }) =>
      file.use((handle) => {
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
      }),
    thread: (rootId, limit) =>
      file.use((handle) => {
        const rows = handle
          .sql(`SELECT ${messageColumns} FROM messages
            WHERE (envelope_id = :root OR thread_root_id = :root) AND ${shownSql} ${newestSql}`)
          .all({ root: packId(rootId), limit });
        return rows.reverse().map(readStoredMessage(handle));
      }),
    rooms: () =>
      file.use(({ sql }) =>
        sql('SELECT * FROM rooms ORDER BY last_message_at DESC, room_id').all().map(roomFromRow),
      ),
    // Rows are never deleted (a deleted message loses its content) and ignored inserts use no rowid, so the highest rowid is the count.
    messageCount: () =>
      file.use(({ sql }) => {
        const row = sql('SELECT coalesce(max(rowid), 0) AS n FROM messages').get();
        return row ? numberOf(row, 'n') : 0;
      }),
  };
}

type Turns = Pick<AccountStore, 'accept' | 'markRead' | 'openWork' | 'completeTurn' | 'reopen' | 'askAgain'>;

function createTurns(file: StoreFile, ownSlug: string): Turns {
  return {
    accept: (rows) => {
      if (rows.length === 0) return [];
      return file.write((handle): StoredMessage[] =>
        rows.filter((row) => insertMessage(handle, row, ownSlug)).map(({ message }) => message),
      );
    },
    markRead: (roomId) =>
      file.use(({ sql }) => {
        sql('UPDATE rooms SET unread = 0 WHERE room_id = ? AND unread > 0').run([roomId]);
      }),
    openWork: () =>
      file.use((handle) =>
        handle
          .sql(`SELECT ${idColumn('root_id')}, work.priority, ${messageColumns} FROM work JOIN messages USING (envelope_id)
          WHERE status = 'open' ORDER BY sent_at, messages.envelope_id`)
          .all()
          .map((row) => ({
            message: readStoredMessage(handle)(row),
            priority: priorityFromRow(row),
            rootId: idOf(row, 'root_id'),
          })),
      ),
    completeTurn: (outcome) => file.write((handle) => completeTurn(handle, outcome, ownSlug)),
    reopen: (id, reason) =>
      file.write((handle) => {
        const { sql } = handle;
        sql('UPDATE messages SET react = 1, reason = ? WHERE envelope_id = ? AND react = 0').run([
          refOf(handle, reason),
          packId(id),
        ]);
        sql(`INSERT OR IGNORE INTO work (envelope_id, root_id, priority, status)
          SELECT envelope_id, coalesce(thread_root_id, envelope_id), coalesce(priority, 3), 'open'
          FROM messages WHERE envelope_id = ? AND react = 1`).run([packId(id)]);
      }),
    askAgain: (id) =>
      file.write(({ sql }) => {
        const ended = sql(`SELECT 1 FROM work WHERE envelope_id = ? AND status <> 'open'`).get([packId(id)]);
        sql(`UPDATE work SET status = 'open', detail = '', turn_id = NULL, settled_at = NULL
          WHERE envelope_id = ? AND status <> 'open'`).run([packId(id)]);
        return ended !== undefined;
      }),
  };
}

type Outgoing = Pick<
  AccountStore,
  'enqueue' | 'outbox' | 'openOutbox' | 'outboxSealed' | 'outboxSettled' | 'outboxAttempted'
>;

function createOutgoing(file: StoreFile): Outgoing {
  return {
    enqueue: (draft, senderSlug) => file.write((handle) => insertDraft(handle, draft, senderSlug)),
    outbox: (id) =>
      file.use(({ sql }) => {
        const row = sql('SELECT * FROM outbox WHERE envelope_id = ?').get([id]);
        return row ? outboxOf(row) : null;
      }),
    openOutbox: () =>
      file.use(({ sql }) =>
        sql(`SELECT * FROM outbox WHERE state IN ('queued', 'sealed') ORDER BY rowid`).all().map(outboxOf),
      ),
    outboxSealed: (id, sealed, contentKey, nonce, sentAt) =>
      file.write(({ sql }) => {
        sql(`UPDATE outbox SET state = 'sealed', sealed = ?, content_key = ?
          WHERE envelope_id = ? AND state IN ('queued', 'sealed')`).run([sealed, contentKey, id]);
        sql(`UPDATE messages SET nonce = coalesce(?, nonce), sent_at = coalesce(?, sent_at)
          WHERE envelope_id = ?`).run([
          nonce === undefined ? null : packNonce(nonce),
          sentAt ?? null,
          packId(id),
        ]);
      }),
    outboxSettled: (id, state, error) =>
      file.use(({ sql }) => {
        // The envelope of a sent message is never needed again; the content stays.
        const sent = state === 'sent' ? ', sealed = NULL, content_key = NULL' : '';
        sql(`UPDATE outbox SET state = ?, error = ?${sent} WHERE envelope_id = ?`).run([state, error, id]);
      }),
    outboxAttempted: (id, error) =>
      file.use(({ sql }) => {
        sql('UPDATE outbox SET attempts = attempts + 1, error = ? WHERE envelope_id = ?').run([error, id]);
      }),
  };
}

type Notes = Pick<AccountStore, 'countRefused' | 'refused' | 'getValue' | 'setValue'>;

function createNotes(file: StoreFile): Notes {
  return {
    countRefused: (reason) =>
      file.use(({ sql }) => {
        sql(`INSERT INTO refused (reason, count) VALUES (?, 1)
          ON CONFLICT (reason) DO UPDATE SET count = count + 1`).run([reason]);
      }),
    refused: () =>
      file.use(({ sql }) =>
        Object.fromEntries(
          sql('SELECT reason, count FROM refused')
            .all()
            .map((row) => [textOf(row, 'reason'), numberOf(row, 'count')]),
        ),
      ),
    getValue: (key) =>
      file.use(({ sql }) => {
        const row = sql('SELECT value FROM kv WHERE key = ?').get([key]);
        return row ? textOf(row, 'value') : null;
      }),
    setValue: (key, value) =>
      file.use(({ sql }) => {
        sql(`INSERT INTO kv (key, value) VALUES (?, ?)
          ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`).run([
          key,
          value,
        ]);
      }),
  };
}

export function openAccountStore(options: AccountStoreOptions): AccountStore {
  const file = createStoreFile(options, accountSchema, repairSalvaged);
  return {
    ...createReading(file),
    ...createTurns(file, options.slug),
    ...createOutgoing(file),
    ...createNotes(file),
    ...createAgentWork(file),
    transcripts: createTranscriptStore(file),
    turns: createTurnRecords(file),
    queries: createMessageQueries(file),
    search: createMessageSearch(file),
    annotations: createAnnotations(file),
    outboxFiles: createOutboxFiles(file),
    release: () => file.release(),
  };
}
