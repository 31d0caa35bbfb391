import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApprovalRig, engine, gateCall, neverAborted } from '../../../test/fakes/approval-rig.ts';
import { inEnglish } from '../../../test/fakes/in-english.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { ApprovalAnswer } from '../../contract/approvals.ts';
import type { GateDecision } from './approval-gate.ts';
import { verifyReceipt } from './receipt.ts';

const once: ApprovalAnswer = { type: 'allow', scope: 'once' };

/** A pending check and its result. */
function begin(rig: ReturnType<typeof createApprovalRig>, change = {}, signal: AbortSignal = neverAborted) {
  const seen: { decision?: GateDecision } = {};
  const done = rig.centre.check(gateCall(change), signal).then((decision) => {
    seen.decision = decision;
    return decision;
  });
  return { seen, done };
}

const first = (rig: ReturnType<typeof createApprovalRig>) => {
  const [row] = rig.centre.waiting();
  if (!row) throw new Error('nothing waits');
  return row.approval;
};

function answer(rig: ReturnType<typeof createApprovalRig>, given: ApprovalAnswer, change: object = {}) {
  const { id, digest } = first(rig);
  return rig.centre.decide(id, given, { digest, surface: 'terminal', ...change });
}

describe('Approval request', () => {
  it('is stored before it is announced, and shows the call', async () => {
    const rig = createApprovalRig();
    begin(rig, { justification: 'You asked me to.' });
    await settle();
    expect(rig.told.every(({ stored }) => stored)).toBe(true);
    expect(inEnglish(first(rig))).toMatchObject({
      title: 'wants to write notes/hello.md',
      why: 'It asks because it changes something. The agent says: "You asked me to."',
      argsJson: '{"content":"hello","path":"notes/hello.md"}',
      sandbox: 'confined',
      offers: [
        { scope: 'once', rule: 'this call, now' },
        { scope: 'session', rule: 'write_file(notes/*), until Kennel stops' },
        { scope: 'exact', rule: 'write_file with exactly these arguments' },
        { scope: 'pattern', rule: 'write_file(notes/*)' },
      ],
    });
    expect(rig.asked).toHaveLength(1);
    expect(rig.centre.calling('guide')).toBe(1);
  });

  it('allowed once, lets this call through with a receipt, and the next call asks again', async () => {
    const rig = createApprovalRig();
    const { done } = begin(rig);
    await settle();
    const decided = answer(rig, once);
    const decision = await done;
    expect(decision).toMatchObject({ type: 'allow', by: 'operator' });
    const receipt = decided.ok ? decided.value.receipt : null;
    expect(receipt && verifyReceipt(engine, receipt)).toBe(true);
    expect(receipt && verifyReceipt(engine, { ...receipt, digest: 'other' })).toBe(false);
    expect(rig.audit.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'decision allowed',
      'call allow',
    ]);
    // A repeat of the same ids and arguments is another call.
    const again = begin(rig);
    await settle();
    expect(again.seen.decision).toBeUndefined();
    expect(rig.asked).toHaveLength(2);
  });

  it('denied, gives the reason to the model', async () => {
    const rig = createApprovalRig();
    const { done } = begin(rig);
    await settle();
    answer(rig, { type: 'deny', reason: 'not today' });
    expect(await done).toEqual({ type: 'deny', by: 'operator', reason: 'The operator denied it: not today' });
  });

  it('is decided once: a second answer changes nothing and names the first', async () => {
    const rig = createApprovalRig();
    begin(rig);
    await settle();
    const { id, digest } = first(rig);
    expect(rig.centre.decide(id, once, { digest, surface: 'window' }).ok).toBe(true);
    const late = rig.centre.decide(id, { type: 'deny', reason: '' }, { digest, surface: 'chat' });
    expect(late).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('window') },
    });
    expect(rig.store.row(id)?.approval.state).toBe('allowed');
    expect(rig.store.receipts).toHaveLength(1);
  });

  it('refuses an answer to another digest than shown', async () => {
    const rig = createApprovalRig();
    begin(rig);
    await settle();
    expect(answer(rig, once, { digest: 'f'.repeat(64) })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect(answer(rig, { type: 'allow', scope: 'everything' } as never)).toMatchObject({ ok: false });
    expect(first(rig).state).toBe('waiting');
  });

  it('put off, keeps waiting and notifies again after an hour or with the next request', async () => {
    const rig = createApprovalRig();
    begin(rig);
    await settle();
    answer(rig, { type: 'not_now' });
    expect([rig.centre.waiting().length, rig.centre.calling(null)]).toEqual([1, 0]);
    const before = rig.told.length;
    await rig.clock.advance(3_600_001);
    expect(rig.centre.calling(null)).toBe(1);
    expect(rig.told.length).toBeGreaterThan(before);
    answer(rig, { type: 'not_now' });
    begin(rig, { callId: 'call_2', args: { path: 'notes/b' } });
    await settle();
    expect(rig.centre.calling('guide')).toBe(2);
  });

  it('expires after its time, and the call gets the reason', async () => {
    const rig = createApprovalRig();
    const { done } = begin(rig);
    await rig.clock.advance(24 * 3_600_000 + 1);
    expect(await done).toMatchObject({ type: 'deny', by: 'expiry' });
    expect(rig.store.receipts.map((receipt) => receipt.answer)).toEqual(['expired']);
  });

  it('is withdrawn when the turn is stopped', async () => {
    const rig = createApprovalRig();
    const stop = new AbortController();
    const { done } = begin(rig, {}, stop.signal);
    await settle();
    const { id, digest } = first(rig);
    stop.abort();
    expect(await done).toMatchObject({ type: 'deny', by: 'cancelled' });
    expect(rig.centre.waiting()).toHaveLength(0);
    expect(rig.centre.decide(id, once, { digest, surface: 'window' }).ok).toBe(false);
  });
});

describe('Approval request after a restart', () => {
  it('is matched by the same call; an answer given meanwhile counts once', async () => {
    const rig = createApprovalRig();
    begin(rig);
    await settle();
    rig.restart();
    expect(answer(rig, once).ok).toBe(true);
    rig.restart();
    const resumed = begin(rig, { turnId: 'turn_2', resumed: true });
    expect(await resumed.done).toMatchObject({ type: 'allow', by: 'operator' });
    expect(rig.store.ofCall('guide', 'call_1')).toHaveLength(1);
    const again = begin(rig, { turnId: 'turn_3' });
    await settle();
    expect(again.seen.decision).toBeUndefined();
  });

  it('is taken over by the call that returns', async () => {
    const rig = createApprovalRig();
    begin(rig);
    await settle();
    rig.restart();
    const { done } = begin(rig, { turnId: 'turn_2' });
    await settle();
    expect(rig.centre.waiting()).toHaveLength(1);
    answer(rig, once);
    expect(await done).toMatchObject({ type: 'allow' });
    expect(rig.store.receipts).toHaveLength(1);
  });

  it('is asked again if the change differs from the one approved', async () => {
    for (const answered of [false, true]) {
      const rig = createApprovalRig();
      begin(rig);
      await settle();
      const { id } = first(rig);
      if (answered) {
        rig.restart();
        answer(rig, once);
      }
      rig.restart();
      const { assessment } = gateCall();
      const preview = { ...assessment.preview, body: '-by the operator\n+hello' };
      const later = begin(rig, { resumed: true, assessment: { ...assessment, preview } });
      await settle();
      expect(later.seen.decision).toBeUndefined();
      expect(rig.centre.waiting()).toHaveLength(1);
      expect(first(rig)).toMatchObject({ preview: { body: preview.body } });
      expect(rig.store.row(id)?.approval.state).toBe('cancelled');
      answer(rig, once);
      expect(await later.done).toMatchObject({ type: 'allow' });
    }
  });

  it('does not reuse an answer delivered before the crash for a later call', async () => {
    const rig = createApprovalRig();
    const { done } = begin(rig);
    await settle();
    answer(rig, once);
    await done;
    rig.restart();
    const later = begin(rig, { turnId: 'turn_9' });
    await settle();
    expect(later.seen.decision).toBeUndefined();
    rig.restart();
    expect(await begin(rig, { turnId: 'turn_1' }).done).toMatchObject({ type: 'allow' });
  });

  it('is new for other arguments under the same call id', async () => {
    const rig = createApprovalRig();
    begin(rig);
    await settle();
    answer(rig, once);
    rig.restart();
    const other = begin(rig, { resumed: true, args: { path: 'notes/hello.md', content: 'evil' } });
    await settle();
    expect(other.seen.decision).toBeUndefined();
  });

  it('stays waiting if the turn ended because the host stopped', async () => {
    const rig = createApprovalRig();
    const stop = new AbortController();
    const { done } = begin(rig, {}, stop.signal);
    await settle();
    rig.centre.close();
    stop.abort();
    await done;
    rig.restart();
    expect(rig.centre.waiting()).toHaveLength(1);
  });
});

describe('Standing grants', () => {
  it.each(['session', 'exact', 'pattern'] as const)(
    'scope %s: lets matching calls through, counts uses, and can be revoked',
    async (scope) => {
      const rig = createApprovalRig();
      const { done } = begin(rig);
      await settle();
      answer(rig, { type: 'allow', scope });
      await done;
      expect(await begin(rig, { callId: 'call_2' }).done).toMatchObject({ type: 'allow', by: 'grant' });
      const [row] = rig.centre.grants.list('guide');
      expect(row?.grant).toMatchObject({ scope, uses: 1 });
      rig.restart();
      expect(rig.centre.grants.list(null)).toHaveLength(scope === 'session' ? 0 : 1);
      if (scope === 'session') return;
      expect((await rig.centre.revoke(row?.grant.id ?? '')).ok).toBe(true);
      const asked = begin(rig, { callId: 'call_3' });
      await settle();
      expect(asked.seen.decision).toBeUndefined();
      expect(rig.audit.map(({ kind }) => kind)).toContain('revoke');
    },
  );

  it('apply to one agent only', async () => {
    const rig = createApprovalRig();
    const { done } = begin(rig);
    await settle();
    answer(rig, { type: 'allow', scope: 'pattern' });
    await done;
    const other = begin(rig, { agentId: 'checker' });
    await settle();
    expect(other.seen.decision).toBeUndefined();
  });

  it('are not offered for calls that always need approval', async () => {
    const rig = createApprovalRig();
    const assessment = {
      ...gateCall().assessment,
      effects: [{ kind: 'write' as const, path: '/home/me/.kennel/agents/guide/agent.yml' }],
    };
    begin(rig, { assessment });
    await settle();
    expect(first(rig).offers.map(({ scope }) => scope)).toEqual(['once']);
    expect(answer(rig, { type: 'allow', scope: 'exact' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
  });
});

describe('Approvals fail closed', () => {
  it('denies if the store fails', async () => {
    const rig = createApprovalRig();
    rig.store.fail = true;
    expect(await begin(rig).done).toMatchObject({ type: 'deny', by: 'policy' });
    expect(rig.told).toHaveLength(0);
  });

  it('denies if the audit log fails, even after an approval', async () => {
    const rig = createApprovalRig();
    rig.auditFails = true;
    const low = { ...gateCall().assessment, risk: 'low' as const };
    expect(await begin(rig, { assessment: low }).done).toMatchObject({ type: 'deny' });
    const { done } = begin(rig);
    await settle();
    answer(rig, once);
    expect(await done).toMatchObject({ type: 'deny' });
  });

  it('denies a call of a removed agent', async () => {
    const rig = createApprovalRig();
    expect(await begin(rig, { agentId: 'gone' }).done).toMatchObject({ type: 'deny' });
  });
});

describe('Other approval requests', () => {
  it('use the same inbox, once per key', async () => {
    const rig = createApprovalRig();
    const question = {
      agentId: 'guide',
      agentName: 'Guide',
      kind: 'spending' as const,
      subject: 'budget',
      key: 'budget-11',
      title: 'wants to spend more',
      preview: { kind: 'text' as const, body: '5 USD' },
      risk: 'medium' as const,
      why: 'The budget is used up.',
      where: '',
      roomId: null,
      threadRootId: null,
      args: { usd: 5 },
    };
    const both = [rig.centre.ask(question, neverAborted), rig.centre.ask(question, neverAborted)];
    await settle();
    expect(rig.centre.waiting()).toHaveLength(1);
    answer(rig, once);
    expect(await Promise.all(both)).toMatchObject([{ type: 'allow' }, { type: 'allow' }]);
    // A question that cannot be shown whole cannot be allowed (T8).
    const cut = { ...question, key: 'cut', preview: { ...question.preview, cut: true as const } };
    expect(await rig.centre.ask(cut, neverAborted)).toMatchObject({ type: 'deny', by: 'policy' });
    expect(rig.centre.waiting()).toHaveLength(0);
  });
});

describe('Any order of answers, times and restarts', () => {
  it('gives at most one receipt per request', async () => {
    const steps = fc.array(fc.constantFrom('allow', 'deny', 'not_now', 'wrong', 'wait', 'restart', 'check'), {
      maxLength: 14,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const rig = createApprovalRig();
        const answers: GateDecision[] = [];
        const check = () =>
          void begin(rig, { resumed: true }).done.then((decision) => answers.push(decision));
        check();
        await settle(2);
        for (const step of all) {
          const [row] = rig.centre.waiting();
          if (step === 'restart') rig.restart();
          else if (step === 'check') check();
          else if (step === 'wait') await rig.clock.advance(7 * 3_600_000);
          else if (row) {
            const given =
              step === 'deny'
                ? { type: 'deny' as const, reason: '' }
                : step === 'not_now'
                  ? { type: 'not_now' as const }
                  : once;
            const digest = step === 'wrong' ? 'x' : row.approval.digest;
            rig.centre.decide(row.approval.id, given, { digest, surface: 'window' });
          }
          await settle(2);
        }
        const ids = rig.store.receipts.map(({ approvalId }) => approvalId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(rig.told.every(({ stored }) => stored)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
