/**
 * `host.db`, encrypted: approvals, their answers and the recorded tool calls. It promises that a decision,
 * its receipt and the grant it creates are stored together or not at all.
 */
import type { ApprovalQuery, ApprovalRow, ConsentStore } from '../../core/approvals/approval-ports.ts';
import { type ContactRow, type ContactStore, contactDecisions } from '../../core/puffo/contact-store.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import {
  approvalFromRow,
  approvalParams,
  callOf,
  callParams,
  grantOf,
  grantParams,
  receiptOf,
  recordCallSql,
  saveApprovalSql,
  saveGrantSql,
} from './host-rows.ts';
import { hostSchema } from './host-schema.ts';
import { numberOf, oneOf, textOf } from './row-fields.ts';
import { createStoreFile, type StoreFile, type StoreFileOptions, type StoreHandle } from './store-file.ts';

/** The last line of the audit log that is known to be written. */
export interface KnownAuditEnd {
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
}

export interface HostStore extends ConsentStore, ContactStore {
  /** The approvals requested during this turn, oldest first. */
  ofTurn(agentId: string, turnId: string): readonly ApprovalRow[];
  /** `null` if no end was stored yet. */
  auditEnd(): KnownAuditEnd | null;
  keepAuditEnd(end: KnownAuditEnd): void;
  /** Closes the file; the next call opens it again. */
  release(): void;
}

export type HostStoreOptions = StoreFileOptions & { readonly key: Uint8Array };

/** Maximum number of recorded calls. */
const maxCalls = 50_000;

const states: Readonly<Record<ApprovalQuery['state'], string>> = {
  waiting: "state = 'waiting'",
  decided: "state <> 'waiting'",
  all: '1',
};

function listApprovals({ sql }: StoreHandle, query: ApprovalQuery): readonly SqlRow[] {
  const before = query.before
    ? sql('SELECT created_at, id FROM approvals WHERE id = ?').get([query.before])
    : undefined;
  return sql(`SELECT * FROM approvals WHERE ${states[query.state]}
      AND (:agent IS NULL OR agent_id = :agent)
      AND (:at IS NULL OR (created_at, id) < (:at, :id))
    ORDER BY created_at DESC, id DESC LIMIT :limit`).all({
    agent: query.agent ?? null,
    at: before?.created_at ?? null,
    id: before?.id ?? null,
    limit: query.limit,
  });
}

function approvalRows(file: StoreFile) {
  const many = (text: string, params: readonly SqlValue[] | Readonly<Record<string, SqlValue>>) =>
    file.use(({ sql }) => sql(text).all(params).map(approvalFromRow));
  return {
    save: (row) => file.write(({ sql }) => void sql(saveApprovalSql).run(approvalParams(row))),
    settle: (row, receipt, grant) =>
      file.write(({ sql }) => {
        sql(saveApprovalSql).run(approvalParams(row));
        const { id, approvalId } = receipt;
        sql('INSERT INTO receipts (id, approval_id, body) VALUES (?, ?, ?)').run([
          id,
          approvalId,
          JSON.stringify(receipt),
        ]);
        if (grant) sql(saveGrantSql).run(grantParams(grant));
      }),
    row: (id) => many('SELECT * FROM approvals WHERE id = ?', [id])[0] ?? null,
    startingWith: (prefix) =>
      many('SELECT * FROM approvals WHERE substr(id, 1, length(:prefix)) = :prefix LIMIT 2', { prefix }),
    byPost: (messageId) =>
      many('SELECT * FROM approvals WHERE post_id = ? ORDER BY created_at DESC, id DESC', [messageId])[0] ??
      null,
    waiting: () => many("SELECT * FROM approvals WHERE state = 'waiting' ORDER BY created_at, id", []),
    ofCall: (agentId, callId) =>
      many(
        'SELECT * FROM approvals WHERE agent_id = ? AND call_id = ? ORDER BY created_at DESC, id DESC LIMIT 50',
        [agentId, callId],
      ),
    ofTurn: (agentId, turnId) =>
      many('SELECT * FROM approvals WHERE turn_id = ? AND agent_id = ? ORDER BY created_at, id LIMIT 500', [
        turnId,
        agentId,
      ]),
    list: (query) => file.use((handle) => listApprovals(handle, query).map(approvalFromRow)),
    receiptOf: (approvalId) =>
      file.use(({ sql }) => {
        // A voided answer is followed by a second receipt.
        const row = sql(
          "SELECT body FROM receipts WHERE approval_id = ? ORDER BY json_extract(body, '$.at') DESC LIMIT 1",
        ).get([approvalId]);
        return row ? receiptOf(row) : null;
      }),
  } satisfies Partial<HostStore>;
}

function grantRows(file: StoreFile) {
  return {
    grants: (agentId) =>
      file.use(({ sql }) =>
        sql(
          'SELECT * FROM grants WHERE revoked_at IS NULL AND (:agent IS NULL OR agent_id = :agent) ORDER BY created_at, id',
        )
          .all({ agent: agentId })
          .map(grantOf),
      ),
    addGrant: (row) => file.write(({ sql }) => void sql(saveGrantSql).run(grantParams(row))),
    grantUsed: (id, at) =>
      file.write(
        ({ sql }) =>
          void sql('UPDATE grants SET uses = uses + 1, last_used_at = ? WHERE id = ?').run([at, id]),
      ),
    revoke: (id, at) =>
      file.write(
        ({ sql }) =>
          sql('UPDATE grants SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').run([at, id]).changes >
          0,
      ),
  } satisfies Partial<ConsentStore>;
}

function callRows(file: StoreFile) {
  return {
    record: (calls, keepSince) =>
      file.write(({ sql }) => {
        for (const call of calls) sql(recordCallSql).run(callParams(call));
        sql('DELETE FROM calls WHERE at < ? OR seq <= (SELECT max(seq) FROM calls) - ?').run([
          keepSince,
          maxCalls,
        ]);
        // Receipts are kept.
        sql("DELETE FROM approvals WHERE created_at < ? AND state <> 'waiting'").run([keepSince]);
      }),
    recorded: ({ agent, since, limit }) =>
      file.use(({ sql }) =>
        sql(
          'SELECT * FROM calls WHERE at >= :since AND (:agent IS NULL OR agent_id = :agent) ORDER BY seq DESC LIMIT :limit',
        )
          .all({ since, agent: agent ?? null, limit })
          .map(callOf),
      ),
  } satisfies Partial<ConsentStore>;
}

function auditRows(file: StoreFile): Pick<HostStore, 'auditEnd' | 'keepAuditEnd'> {
  return {
    auditEnd: () =>
      file.use(({ sql }) => {
        const row = sql('SELECT seq, hash FROM audit_end').get([]);
        return row ? { seq: numberOf(row, 'seq'), hash: textOf(row, 'hash') } : null;
      }),
    keepAuditEnd: ({ seq, hash }) =>
      file.write(
        ({ sql }) =>
          void sql('INSERT OR REPLACE INTO audit_end (one, seq, hash) VALUES (1, ?, ?)').run([seq, hash]),
      ),
  };
}

const contactOf = (row: SqlRow): ContactRow => ({
  server: textOf(row, 'server'),
  slug: textOf(row, 'slug'),
  state: oneOf(row, 'state', contactDecisions),
  decidedAt: numberOf(row, 'decided_at'),
});

const saveContactSql = `INSERT OR REPLACE INTO contacts (server, slug, state, decided_at)
  VALUES (:server, :slug, :state, :at)`;

const contactRows = (file: StoreFile): ContactStore => ({
  contacts: () =>
    file.use(({ sql }) => sql('SELECT * FROM contacts ORDER BY slug, server').all([]).map(contactOf)),
  contact: ({ server, slug }) =>
    file.use(({ sql }) => {
      const row = sql('SELECT * FROM contacts WHERE server = ? AND slug = ?').get([server, slug]);
      return row ? contactOf(row) : null;
    }),
  keepContact: ({ server, slug, state, decidedAt }) =>
    file.write(({ sql }) => void sql(saveContactSql).run({ server, slug, state, at: decidedAt })),
});

export function openHostStore(options: HostStoreOptions): HostStore {
  const file = createStoreFile(options, hostSchema);
  return {
    ...approvalRows(file),
    ...grantRows(file),
    ...callRows(file),
    ...auditRows(file),
    ...contactRows(file),
    release: () => file.release(),
  };
}
