/** A `ConsentStore` in memory; `fail` makes the next writes throw, like a full disk. */
import type { Receipt } from '../../src/contract/approvals.ts';
import type {
  ApprovalRow,
  ConsentStore,
  GrantRow,
  RecordedCall,
} from '../../src/core/approvals/approval-ports.ts';
import { StoreError } from '../../src/core/lib/store-error.ts';

export interface MemoryConsentStore extends ConsentStore {
  fail: boolean;
  readonly receipts: Receipt[];
  readonly writes: string[];
}

export function createMemoryConsentStore(): MemoryConsentStore {
  const rows = new Map<string, ApprovalRow>();
  const grants = new Map<string, GrantRow>();
  let calls: RecordedCall[] = [];
  let seq = 0;
  const newest = (): ApprovalRow[] =>
    [...rows.values()].reverse().sort((a, b) => b.approval.createdAt - a.approval.createdAt);
  const store: MemoryConsentStore = {
    fail: false,
    receipts: [],
    writes: [],
    save(row) {
      written('save');
      rows.set(row.approval.id, row);
    },
    settle(row, receipt, grant) {
      written('settle');
      rows.set(row.approval.id, row);
      store.receipts.push(receipt);
      if (grant) grants.set(grant.grant.id, grant);
    },
    row: (id) => rows.get(id) ?? null,
    startingWith: (prefix) =>
      newest()
        .filter(({ approval }) => approval.id.startsWith(prefix))
        .slice(0, 2),
    byPost: (messageId) => newest().find(({ post }) => post?.messageId === messageId) ?? null,
    waiting: () =>
      newest()
        .filter(({ approval }) => approval.state === 'waiting')
        .reverse(),
    ofCall: (agentId, callId) =>
      newest().filter(({ approval, call }) => approval.agentId === agentId && call?.callId === callId),
    list: ({ limit }) => newest().slice(0, limit),
    receiptOf: (approvalId) =>
      store.receipts.findLast((receipt) => receipt.approvalId === approvalId) ?? null,
    grants: (agentId) =>
      [...grants.values()].filter(
        ({ grant, revokedAt }) => revokedAt === null && (agentId === null || grant.agentId === agentId),
      ),
    addGrant(row) {
      written('addGrant');
      grants.set(row.grant.id, row);
    },
    grantUsed(id, at) {
      const found = grants.get(id);
      if (found)
        grants.set(id, { ...found, grant: { ...found.grant, lastUsedAt: at, uses: found.grant.uses + 1 } });
    },
    revoke(id, at) {
      const found = grants.get(id);
      if (!found || found.revokedAt !== null) return false;
      grants.set(id, { ...found, revokedAt: at });
      return true;
    },
    record(more, keepSince) {
      written('record');
      calls = [...calls, ...more.map((call) => ({ ...call, seq: ++seq }))].filter(
        ({ at }) => at >= keepSince,
      );
    },
    recorded: ({ agent, since, limit }) =>
      calls
        .filter((call) => call.at >= since && (agent === undefined || call.agentId === agent))
        .reverse()
        .slice(0, limit),
  };
  const written = (what: string): void => {
    if (store.fail) throw new StoreError('disk_full', 'The disk is full.');
    store.writes.push(what);
  };
  return store;
}
