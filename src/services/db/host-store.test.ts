import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gateCall } from '../../../test/fakes/approval-rig.ts';
import { samplePolicy, writeCall } from '../../../test/fakes/policy-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, type VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { ApprovalRow, RecordedCall } from '../../core/approvals/approval-ports.ts';
import { decideOnce } from '../../core/approvals/decide-once.ts';
import { grantFrom } from '../../core/approvals/grant-from.ts';
import { receiptFor } from '../../core/approvals/receipt.ts';
import { approvalOf } from '../../core/approvals/request.ts';
import { grantParams, saveGrantSql } from './host-rows.ts';
import { hostSchema } from './host-schema.ts';
import { type HostStore, openHostStore } from './host-store.ts';
import { createStoreFile } from './store-file.ts';

let folder = '';
let clock: VirtualClock;
let store: HostStore;
let quarantined: string[] = [];
const open = (): HostStore =>
  openHostStore({
    path: join(folder, 'host.db'),
    key: new Uint8Array(32).fill(3),
    clock,
    log: createRecordingLog(),
    onQuarantine: (movedTo) => quarantined.push(movedTo),
  });

const signer = { publicKey: 'key', sha256: () => 'hash', sign: () => 'signature' };
const facts = { name: 'Guide', policy: samplePolicy(), room: null };

function question(id: string, now: number, change = {}): ApprovalRow {
  const gate = gateCall(change);
  const call = { ...writeCall('notes/hello.md'), digest: `digest of ${id}` };
  const verdict = { verdict: 'ask', by: 'mode', why: 'Because.' } as const;
  return approvalOf({ id, now, lifeMs: 1_000 }, gate, call, verdict, facts);
}

function allowed(row: ApprovalRow): ApprovalRow {
  const { digest } = row.approval;
  const answer = { type: 'allow', scope: 'pattern' } as const;
  const decided = decideOnce(row.approval, { answer, digest, surface: 'window', at: row.approval.createdAt });
  if (!decided.ok) throw new Error(decided.error.message);
  return { ...row, approval: decided.value };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-host-store-'));
  clock = createVirtualClock();
  quarantined = [];
  store = open();
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

describe('host.db', () => {
  it('returns stored approvals unchanged by every lookup, also after reopening', () => {
    const row: ApprovalRow = {
      ...question('ap_1', 10),
      deliveredAt: 12,
      post: { messageId: 'msg_1', roomId: 'ch_1', answerId: null },
    };
    store.save(row);
    store.save(question('ap_2', 11, { agentId: 'checker' }));
    store.release();
    store = open();
    expect(store.row('ap_1')).toEqual(row);
    expect(store.byPost('msg_1')).toEqual(row);
    expect(store.ofCall('guide', 'call_1')).toEqual([row]);
    expect(store.ofCall('guide', 'other')).toEqual([]);
    expect(store.waiting().map(({ approval }) => approval.id)).toEqual(['ap_1', 'ap_2']);
    expect(store.startingWith('ap_')).toHaveLength(2);
    expect(store.startingWith('ap_%')).toHaveLength(0);
    expect(store.row("' OR 1=1 --")).toBeNull();
  });

  it('lists approvals newest first, by state, agent and page', () => {
    for (let i = 1; i <= 5; i += 1) store.save(question(`ap_${i}`, 100 + (i >> 1)));
    const ids = (query: Parameters<HostStore['list']>[0]) =>
      store.list(query).map(({ approval }) => approval.id);
    expect(ids({ state: 'all', limit: 3 })).toEqual(['ap_5', 'ap_4', 'ap_3']);
    expect(ids({ state: 'waiting', limit: 9, before: 'ap_3' })).toEqual(['ap_2', 'ap_1']);
    expect(ids({ state: 'decided', limit: 9 })).toEqual([]);
    expect(ids({ state: 'all', agent: 'checker', limit: 9 })).toEqual([]);
  });

  it('stores a decision, its receipt and its standing grant in one transaction', () => {
    const row = allowed(question('ap_1', 10));
    store.save(question('ap_1', 10));
    const receipt = receiptFor(row.approval, 'rc_1', signer);
    store.settle(row, receipt, grantFrom(row, 'gr_1', 20));
    expect(store.waiting()).toEqual([]);
    expect(store.receiptOf('ap_1')).toEqual(receipt);
    store.grantUsed('gr_1', 30);
    expect(store.grants('guide')).toMatchObject([
      { grant: { rule: 'write_file(notes/*)', uses: 1, lastUsedAt: 30 } },
    ]);
    // The receipt id exists already: the whole transaction fails and nothing of it is stored.
    const again = allowed(question('ap_2', 11));
    expect(() => store.settle(again, receipt, grantFrom(again, 'gr_2', 20))).toThrow();
    expect([store.row('ap_2'), store.grants(null).length]).toEqual([null, 1]);
    expect([store.revoke('gr_1', 40), store.revoke('gr_1', 41), store.grants(null)]).toEqual([
      true,
      false,
      [],
    ]);
  });

  it('keeps recorded calls for the set period, and drops old approvals with them', () => {
    const call = (at: number): RecordedCall => ({
      seq: 0,
      at,
      agentId: 'guide',
      tool: 'write_file',
      group: 'files',
      title: 'write',
      argsJson: '{}',
      digest: 'd',
      tainted: true,
      assessment: writeCall('a').assessment,
      verdict: 'ask',
    });
    const old = allowed(question('ap_1', 10));
    store.settle(old, receiptFor(old.approval, 'rc_1', signer), null);
    store.save(question('ap_2', 10));
    store.record([call(10), call(20), call(30)], 0);
    store.record([call(40)], 20);
    expect(store.recorded({ since: 0, limit: 9 }).map(({ at }) => at)).toEqual([40, 30, 20]);
    expect(store.recorded({ since: 0, agent: 'x', limit: 9 })).toEqual([]);
    expect(store.recorded({ since: 35, limit: 9 })).toEqual([{ ...call(40), seq: 4 }]);
    const heldBack = {
      roomId: 'dm:eve-1',
      outsiders: null,
      sources: ['files' as const],
      what: 'its files',
      who: '@eve-1',
    };
    store.record([{ ...call(50), heldBack }], 20);
    expect(store.recorded({ since: 45, limit: 9 })).toEqual([{ ...call(50), heldBack, seq: 5 }]);
    expect([store.row('ap_1'), store.row('ap_2')?.approval.state]).toEqual([null, 'waiting']);
    expect(store.receiptOf('ap_1')?.id).toBe('rc_1');
  });

  it('stores the last line of the audit log (T28)', () => {
    expect(store.auditEnd()).toBeNull();
    store.keepAuditEnd({ seq: 1, hash: 'a' });
    store.keepAuditEnd({ seq: 2, hash: 'b' });
    store.release();
    store = open();
    expect(store.auditEnd()).toEqual({ seq: 2, hash: 'b' });
  });

  it('is encrypted on disk (T19)', () => {
    store.save(question('ap_1', 10));
    store.release();
    expect(readFileSync(join(folder, 'host.db')).includes('hello')).toBe(false);
  });

  it('is moved aside if damaged and replaced by a new file (F19)', () => {
    store.save(question('ap_1', 10));
    store.release();
    writeFileSync(
      join(folder, 'host.db'),
      'this is no database, and long enough to be read as one'.repeat(200),
    );
    store = open();
    expect(store.waiting()).toEqual([]);
    expect(quarantined).toHaveLength(1);
    store.save(question('ap_2', 11));
    expect(store.row('ap_2')).not.toBeNull();
  });
});

it('T14: revokes standing grants based on arguments alone in a migration, and keeps those with a pattern', () => {
  store.release();
  const options = {
    path: join(folder, 'old.db'),
    key: new Uint8Array(32).fill(3),
    clock,
    log: createRecordingLog(),
  };
  const old = createStoreFile({ ...options, onQuarantine: () => undefined }, hostSchema.slice(0, 3));
  const row = allowed(question('ap_1', 5));
  const pattern = grantFrom(row, 'gr_pattern', 5);
  if (!pattern) throw new Error('no grant');
  const exact = {
    ...pattern,
    grant: { ...pattern.grant, id: 'gr_exact' },
    digest: 'of arguments',
    pattern: '',
  };
  old.write(({ sql }) => {
    for (const grant of [pattern, exact]) sql(saveGrantSql).run(grantParams(grant));
  });
  old.release();
  const now = openHostStore({ ...options, onQuarantine: () => undefined });
  expect(now.grants(null).map(({ grant }) => grant.id)).toEqual(['gr_pattern']);
  now.release();
});
