import { expect, it } from 'vitest';
import { type ApprovalRig, createApprovalRig, engine } from '../../../test/fakes/approval-rig.ts';
import type { Approval } from '../../contract/approvals.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { ApprovalRow } from './approval-ports.ts';
import { verifyReceipt } from './receipt.ts';

const day = 86_400_000;
const gate: NonNullable<Approval['gate']> = {
  runId: 'run_1',
  runName: 'deploy',
  path: 'ask',
  kind: 'approval',
  items: ['{"a":1}'],
  schemaJson: '',
  prompt: 'ship it?',
  preview: '',
  defaultsJson: '',
  subjectJson: '',
  named: [],
  needed: 1,
  notInitiator: false,
  votes: [],
};

function row(rig: ApprovalRig, change: Partial<Approval> = {}): ApprovalRow {
  const now = rig.clock.now();
  const approval: Approval = {
    id: 'gate_1',
    kind: 'workflow',
    agentId: '',
    agentName: 'deploy',
    subject: 'deploy',
    title: 'asks',
    preview: { kind: 'text', body: 'ship it?' },
    argsJson: '{}',
    digest: 'hash',
    risk: 'high',
    why: '',
    where: '',
    sandbox: null,
    roomId: null,
    threadRootId: null,
    createdAt: now,
    expiresAt: now + 30 * day,
    state: 'waiting',
    quietUntil: null,
    offers: [{ scope: 'once', rule: 'approve' }],
    decision: null,
    gate,
    ...change,
  };
  return { approval, call: null, pattern: '', deliveredAt: null, post: null };
}

const allow = { type: 'allow', scope: 'once' } as const;
const shown = { digest: 'hash', surface: 'tray' } as const;

it('A workflow approval is shown once and survives a restart (F1)', () => {
  const rig = createApprovalRig();
  rig.centre.show(row(rig));
  rig.centre.show(row(rig));
  expect(rig.centre.waiting()).toHaveLength(1);
  rig.restart();
  expect(rig.centre.waiting()).toHaveLength(1);
  rig.centre.follow('gate_1', { state: 'allowed', as: 'approve', by: 'ann', surface: 'terminal' });
  rig.centre.show(row(rig));
  expect(rig.centre.waiting()).toHaveLength(0);
  expect(rig.store.row('gate_1')?.approval).toMatchObject({ state: 'allowed', decision: { by: 'ann' } });
});

it('The workflow can refuse an answer, and a decision gets a signed receipt (T8)', () => {
  const rig = createApprovalRig();
  rig.centre.show(row(rig));
  rig.answerer = () => err(textError('forbidden', 'not you'));
  expect(rig.centre.decide('gate_1', allow, shown)).toMatchObject({
    ok: false,
    error: { message: 'not you' },
  });
  expect(rig.centre.waiting()).toHaveLength(1);
  rig.answerer = () => ok({ type: 'decided', state: 'allowed', as: 'approve', by: 'han-1111' });
  const decided = rig.centre.decide('gate_1', allow, shown);
  if (!decided.ok || !decided.value.receipt) throw new Error('not decided');
  expect(decided.value.approval.decision).toMatchObject({ by: 'han-1111', as: 'approve', surface: 'tray' });
  const { receipt } = decided.value;
  expect(receipt).toMatchObject({ digest: 'hash', answer: 'allow', by: 'han-1111' });
  expect(verifyReceipt(engine, receipt)).toBe(true);
  expect(verifyReceipt(engine, { ...receipt, by: 'somebody else' })).toBe(false);
  expect(rig.audit.at(-1)).toMatchObject({ kind: 'decision', outcome: 'allowed', digest: 'hash' });
});

it('An answer to another digest, or a second answer, never reaches the workflow (T8)', () => {
  const rig = createApprovalRig();
  rig.centre.show(row(rig));
  let asked = 0;
  rig.answerer = () => {
    asked += 1;
    return ok({ type: 'decided', state: 'denied', as: 'reject', by: 'han' });
  };
  expect(rig.centre.decide('gate_1', allow, { ...shown, digest: 'forged' }).ok).toBe(false);
  expect(asked).toBe(0);
  const no = { type: 'deny', reason: 'not today' } as const;
  expect(rig.centre.decide('gate_1', no, shown)).toMatchObject({
    value: { approval: { state: 'denied', decision: { reason: 'not today' } } },
  });
  expect(rig.centre.decide('gate_1', allow, shown)).toMatchObject({ error: { code: 'conflict' } });
  expect(asked).toBe(1);
});

it('A vote is counted and audited, and the approval keeps waiting', () => {
  const rig = createApprovalRig();
  rig.centre.show(row(rig));
  const more = { ...gate, items: [], named: ['ann', 'bob'], needed: 2, votes: ['ann'] };
  rig.answerer = () => ok({ type: 'agreed', by: 'ann', gate: more });
  expect(rig.centre.decide('gate_1', allow, { ...shown, by: 'ann' })).toMatchObject({
    value: { approval: { state: 'waiting', gate: { votes: ['ann'] } }, receipt: null },
  });
  expect(rig.store.row('gate_1')?.approval.gate?.votes).toEqual(['ann']);
  expect(rig.audit.at(-1)).toMatchObject({ outcome: 'agreed', detail: 'gate_1 tray ann' });
  rig.answerer = () => ok({ type: 'decided', state: 'allowed', as: 'approve', by: 'bob' });
  const last = rig.centre.decide('gate_1', allow, { ...shown, by: 'bob' });
  expect(last).toMatchObject({ value: { receipt: { by: 'bob', agreed: ['ann'] } } });
});

it('A workflow approval never expires in the inbox, and "not now" postpones it (F8)', async () => {
  const rig = createApprovalRig();
  rig.centre.show(row(rig, { expiresAt: rig.clock.now() + 1_000 }));
  expect(rig.centre.decide('gate_1', { type: 'not_now' }, shown).ok).toBe(true);
  expect(rig.centre.calling(null)).toBe(0);
  await rig.clock.advance(40 * day);
  expect(rig.centre.waiting()).toHaveLength(1);
  expect(rig.centre.calling(null)).toBe(1);
});

it('A decision that the store cannot save is saved later (F4)', async () => {
  const rig = createApprovalRig();
  rig.centre.show(row(rig));
  rig.store.fail = true;
  rig.centre.follow('gate_1', { state: 'expired', as: 'timeout', by: '', surface: 'expiry' });
  expect(rig.centre.waiting()).toHaveLength(1);
  rig.store.fail = false;
  await rig.clock.advance(10_000);
  expect(rig.centre.waiting()).toHaveLength(0);
  expect(rig.store.row('gate_1')?.approval.state).toBe('expired');
});

it('An accepted answer succeeds even if the store fails, and is saved later (F4)', async () => {
  const rig = createApprovalRig();
  rig.centre.show(row(rig));
  const more = { ...gate, named: ['ann', 'bob'], needed: 2, votes: ['ann'] };
  rig.answerer = () => ok({ type: 'agreed', by: 'ann', gate: more });
  rig.store.fail = true;
  expect(rig.centre.decide('gate_1', allow, { ...shown, by: 'ann' }).ok).toBe(true);
  expect(rig.centre.waiting()[0]?.approval.gate?.votes).toEqual(['ann']);
  rig.answerer = () => ok({ type: 'decided', state: 'allowed', as: 'approve', by: 'bob' });
  expect(rig.centre.decide('gate_1', allow, { ...shown, by: 'bob' })).toMatchObject({
    ok: true,
    value: { approval: { state: 'allowed', decision: { by: 'bob' } }, receipt: null },
  });
  rig.store.fail = false;
  await rig.clock.advance(10_000);
  expect(rig.centre.waiting()).toEqual([]);
  expect(rig.store.row('gate_1')?.approval).toMatchObject({ state: 'allowed', decision: { by: 'bob' } });
});
