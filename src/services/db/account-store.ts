/**
 * The store of one account: received messages, the work they caused and the outbox. It promises that every
 * method is durable when it returns, that a message is accepted once under whatever id it arrives, and that a
 * turn is completed once.
 */
import type { AcceptRow, AccountStore, TurnOutcome } from '../../core/puffo/account-store.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import type { HostText } from '../../language/host-message.ts';
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
  roomParams,
  upsertRoomSql,
} from './account-rows.ts';
import { accountSchema } from './account-schema.ts';
import { AgentWork, endTurn } from './agent-work.ts';
import { createAnnotations } from './annotations.ts';
import { createDmConversations, noteInConversation, placeInConversation } from './dm-conversations.ts';
import { createMessageQueries } from './message-queries.ts';
import { createMessageSearch } from './message-search.ts';
import { createOutboxFiles } from './outbox-files.ts';
import { repairSalvaged } from './pack-messages.ts';
import { idColumn, packId, packNonce, refOf } from './packed-values.ts';
import { numberOf, textOf } from './row-fields.ts';
import { createStoreFile, type StoreFileOptions, type StoreHandle } from './store-file.ts';
import { packText } from './text-column.ts';
import { createTranscriptStore } from './transcript-store.ts';
import { createTurnRecords } from './turn-records.ts';

export interface AccountStoreOptions extends StoreFileOptions {
  /** The account's own slug: messages of this sender are never unread. */
  readonly slug: string;
  readonly key: Uint8Array;
}

function insertMessage(handle: StoreHandle, row: AcceptRow, ownSlug: string): boolean {
  const { sql } = handle;
  const { message, decision } = row;
  if (sql(insertMessageSql).run(messageParams(handle, row)).changes === 0) return false;
  sql(upsertRoomSql).run(roomParams(message, message.senderSlug !== ownSlug));
  noteInConversation(handle, message);
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
  const status = outcome.status === 'stopped' ? 'silent' : outcome.status;
  const detail = packText(outcome.detail);
  let closed = 0;
  for (const id of outcome.envelopeIds) {
    closed += sql(
      `UPDATE work SET status = ?, detail = ?, turn_id = ?, settled_at = ? WHERE envelope_id = ? AND status = 'open'`,
    ).run([status, detail, outcome.turnId, outcome.at, packId(id)]).changes;
  }
  return closed > 0 || outcome.envelopeIds.length === 0;
}

function completeTurn(handle: StoreHandle, outcome: TurnOutcome, ownSlug: string): void {
  const fresh = closeWork(handle, outcome);
  endTurn(handle, outcome, fresh);
  if (!fresh) return;
  for (const reply of outcome.replies) insertDraft(handle, reply, ownSlug);
}

export function openAccountStore(options: AccountStoreOptions): AccountStore {
  return new SqliteAccountStore(options);
}

/** A class, because a host keeps one for each agent, and closures would take 4 KiB each time. */
class SqliteAccountStore extends AgentWork implements AccountStore {
  readonly #slug: string;

  constructor(options: AccountStoreOptions) {
    super(createStoreFile(options, accountSchema, repairSalvaged));
    this.#slug = options.slug;
  }

  get transcripts() {
    return createTranscriptStore(this.file);
  }

  get turns() {
    return createTurnRecords(this.file);
  }

  get queries() {
    return createMessageQueries(this.file);
  }

  get search() {
    return createMessageSearch(this.file);
  }

  get annotations() {
    return createAnnotations(this.file);
  }

  get conversations() {
    return createDmConversations(this.file);
  }

  get outboxFiles() {
    return createOutboxFiles(this.file);
  }

  accept(rows: readonly AcceptRow[]) {
    if (rows.length === 0) return [];
    return this.file.write((handle): StoredMessage[] =>
      rows.flatMap((row) => {
        const message = placeInConversation(handle, row.message, this.#slug);
        return insertMessage(handle, { ...row, message }, this.#slug) ? [message] : [];
      }),
    );
  }

  markRead(roomId: string): void {
    this.file.use(({ sql }) => {
      sql('UPDATE rooms SET unread = 0 WHERE room_id = ? AND unread > 0').run([roomId]);
    });
  }

  openWork() {
    return this.file.use((handle) =>
      handle
        .sql(`SELECT ${idColumn('root_id')}, work.priority, ${messageColumns} FROM work JOIN messages USING (envelope_id)
        WHERE status = 'open' ORDER BY sent_at, messages.envelope_id`)
        .all()
        .map((row) => ({
          message: readStoredMessage(handle)(row),
          priority: priorityFromRow(row),
          rootId: idOf(row, 'root_id'),
        })),
    );
  }

  completeTurn(outcome: TurnOutcome): void {
    this.file.write((handle) => completeTurn(handle, outcome, this.#slug));
  }

  reopen(id: string, reason: string): void {
    this.file.write((handle) => {
      const { sql } = handle;
      sql('UPDATE messages SET react = 1, reason = ? WHERE envelope_id = ? AND react = 0').run([
        refOf(handle, reason),
        packId(id),
      ]);
      sql(`INSERT OR IGNORE INTO work (envelope_id, root_id, priority, status)
        SELECT envelope_id, coalesce(thread_root_id, envelope_id), coalesce(priority, 3), 'open'
        FROM messages WHERE envelope_id = ? AND react = 1`).run([packId(id)]);
    });
  }

  askAgain(id: string) {
    return this.file.write(({ sql }) => {
      const ended = sql(`SELECT 1 FROM work WHERE envelope_id = ? AND status <> 'open'`).get([packId(id)]);
      sql(`UPDATE work SET status = 'open', detail = '', turn_id = NULL, settled_at = NULL
        WHERE envelope_id = ? AND status <> 'open'`).run([packId(id)]);
      return ended !== undefined;
    });
  }

  enqueue(draft: OutboxDraft, senderSlug: string): void {
    this.file.write((handle) => insertDraft(handle, draft, senderSlug));
  }

  outbox(id: string) {
    return this.file.use(({ sql }) => {
      const row = sql('SELECT * FROM outbox WHERE envelope_id = ?').get([id]);
      return row ? outboxOf(row) : null;
    });
  }

  openOutbox() {
    return this.file.use(({ sql }) =>
      sql(`SELECT * FROM outbox WHERE state IN ('queued', 'sealed') ORDER BY rowid`).all().map(outboxOf),
    );
  }

  outboxSealed(id: string, sealed: string, contentKey: string, nonce?: string, sentAt?: number): void {
    this.file.write(({ sql }) => {
      sql(`UPDATE outbox SET state = 'sealed', sealed = ?, content_key = ?
        WHERE envelope_id = ? AND state IN ('queued', 'sealed')`).run([sealed, contentKey, id]);
      sql(`UPDATE messages SET nonce = coalesce(?, nonce), sent_at = coalesce(?, sent_at)
        WHERE envelope_id = ?`).run([
        nonce === undefined ? null : packNonce(nonce),
        sentAt ?? null,
        packId(id),
      ]);
    });
  }

  outboxSettled(id: string, state: 'sent' | 'failed', error: HostText | null): void {
    this.file.use(({ sql }) => {
      // The envelope of a sent message is never needed again; the content stays.
      const sent = state === 'sent' ? ', sealed = NULL, content_key = NULL' : '';
      sql(`UPDATE outbox SET state = ?, error = ?${sent} WHERE envelope_id = ?`).run([
        state,
        error === null ? null : packText(error),
        id,
      ]);
    });
  }

  outboxAttempted(id: string, error: HostText): void {
    this.file.use(({ sql }) => {
      sql('UPDATE outbox SET attempts = attempts + 1, error = ? WHERE envelope_id = ?').run([
        packText(error),
        id,
      ]);
    });
  }

  countRefused(reason: string): void {
    this.file.use(({ sql }) => {
      sql(`INSERT INTO refused (reason, count) VALUES (?, 1)
        ON CONFLICT (reason) DO UPDATE SET count = count + 1`).run([reason]);
    });
  }

  refused() {
    return this.file.use(({ sql }) =>
      Object.fromEntries(
        sql('SELECT reason, count FROM refused')
          .all()
          .map((row) => [textOf(row, 'reason'), numberOf(row, 'count')]),
      ),
    );
  }

  getValue(key: string) {
    return this.file.use(({ sql }) => {
      const row = sql('SELECT value FROM kv WHERE key = ?').get([key]);
      return row ? textOf(row, 'value') : null;
    });
  }

  setValue(key: string, value: string): void {
    this.file.use(({ sql }) => {
      sql(`INSERT INTO kv (key, value) VALUES (?, ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`).run([
        key,
        value,
      ]);
    });
  }

  release(): void {
    this.file.release();
  }
}
