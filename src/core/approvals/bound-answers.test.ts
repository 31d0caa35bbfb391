import { describe, expect, it } from 'vitest';
import { createApprovalRig, engine, gateCall, neverAborted } from '../../../test/fakes/approval-rig.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { ApprovalAnswer } from '../../contract/approvals.ts';
import type { Assessment, Effect } from '../policy/assessment.ts';
import type { GateCall, GateDecision } from './approval-gate.ts';
import { callDigest } from './digest.ts';

const once: ApprovalAnswer = { type: 'allow', scope: 'once' };

/** `rm link/x`: the command stays the same, whatever the link refers to. */
const removing = (target: string, change: Partial<Assessment['preview']> = {}): Partial<GateCall> => ({
  tool: 'bash_exec',
  group: 'core',
  args: { cmd: 'rm link/x' },
  assessment: {
    risk: 'high',
    effects: [
      { kind: 'delete', path: target },
      { kind: 'run', argv: ['rm', 'link/x'], cwd: '/srv/site', sandbox: 'confined' },
    ],
    preview: { kind: 'command', title: 'remove with rm', body: 'rm link/x', where: '/srv/site', ...change },
  },
});

function world() {
  const rig = createApprovalRig();
  const ask = async (change: Partial<GateCall>): Promise<GateDecision | null> => {
    const asked = rig.centre.check(gateCall(change), neverAborted);
    return Promise.race([asked, settle(2).then(() => null)]);
  };
  const answer = (given: ApprovalAnswer = once) => {
    const [row] = rig.centre.waiting();
    if (!row) throw new Error('nothing waits');
    const { id, digest } = row.approval;
    return rig.centre.decide(id, given, { digest, surface: 'window' });
  };
  return { rig, ask, answer };
}

describe('Approval bound to its target (T14, T8)', () => {
  it('shows where each path leads, and the receipt holds its digest', async () => {
    const { rig, ask, answer } = world();
    await ask(removing('/srv/real/x'));
    const [row] = rig.centre.waiting();
    expect(row?.approval.effects).toEqual(removing('/srv/real/x').assessment?.effects);
    const decided = answer();
    const receipt = decided.ok ? decided.value.receipt : null;
    expect(receipt?.digest).toBe(row?.approval.digest);
    const other = world();
    await other.ask(removing('/srv/other/x'));
    expect(other.rig.centre.waiting()[0]?.approval.digest).not.toBe(receipt?.digest);
  });

  it('ends at the next start if no resumed turn repeats the call', async () => {
    const { rig, ask } = world();
    await ask({ ...removing('/srv/real/x'), callId: 'c1.1', endsWithHost: true });
    await ask({ ...removing('/srv/other/x'), callId: 'c2' });
    expect(rig.centre.waiting()).toHaveLength(2);
    rig.restart();
    expect(rig.centre.waiting().map(({ call }) => call?.callId)).toEqual(['c2']);
  });

  it.each([
    ['another target', removing('/srv/other/x')],
    ['another title', removing('/srv/real/x', { title: 'look with rm' })],
    ['another place', removing('/srv/real/x', { where: '/srv' })],
  ])('given before a restart, is void for %s: the call asks again', async (_what, now) => {
    const { rig, ask, answer } = world();
    void ask(removing('/srv/real/x'));
    await settle(2);
    rig.restart();
    answer();
    expect(await ask(now)).toBeNull();
    const [waits] = rig.centre.waiting();
    expect(waits?.approval.effects).toEqual(now.assessment?.effects);
    // The void is final: a link that leads back is asked about again.
    if (waits) rig.centre.withdraw(waits.approval.id);
    await settle(2);
    expect(await ask(removing('/srv/real/x'))).toBeNull();
    expect(rig.store.list({ state: 'all', limit: 9 }).map(({ approval }) => approval.state)).toEqual([
      'waiting',
      'cancelled',
      'cancelled',
    ]);
  });

  it('given before a restart, counts once for the same target', async () => {
    const { rig, ask, answer } = world();
    void ask(removing('/srv/real/x'));
    await settle(2);
    rig.restart();
    answer();
    expect(await ask(removing('/srv/real/x'))).toMatchObject({ type: 'allow', by: 'operator' });
    expect(await ask(removing('/srv/real/x'))).toBeNull();
  });

  it('is void for a call begun before a crash that now has another target', async () => {
    const { rig, ask, answer } = world();
    void ask(removing('/srv/real/x'));
    await settle(2);
    answer();
    await settle(4);
    rig.restart();
    expect(await ask({ ...removing('/srv/other/x'), resumed: true })).toBeNull();
  });

  it('withdraws and asks again a waiting approval for another target; a denial stays', async () => {
    const { rig, ask, answer } = world();
    void ask(removing('/srv/real/x'));
    await settle(2);
    rig.restart();
    expect(await ask(removing('/srv/other/x'))).toBeNull();
    expect(rig.centre.waiting()).toHaveLength(1);
    rig.restart();
    answer({ type: 'deny', reason: 'no' });
    expect(await ask(removing('/srv/third/x'))).toMatchObject({ type: 'deny', by: 'operator' });
  });

  it('for exactly one call, does not follow a link to another path', async () => {
    const { rig, ask, answer } = world();
    const writing = (path: string): Partial<GateCall> => {
      const effects: readonly Effect[] = [{ kind: 'write', path }];
      const call = gateCall();
      return { assessment: { ...call.assessment, effects } };
    };
    const inside = rig.policy.roots.cwd;
    void ask(writing(`${inside}/notes/hello.md`));
    await settle(2);
    answer({ type: 'allow', scope: 'exact' });
    await settle(2);
    expect(await ask({ ...writing(`${inside}/notes/hello.md`), callId: 'call_2' })).toMatchObject({
      type: 'allow',
      by: 'grant',
    });
    expect(await ask({ ...writing(`${inside}/keys/hello.md`), callId: 'call_3' })).toBeNull();
  });

  it('from a version that digested only the arguments is asked again', async () => {
    const { rig, ask } = world();
    void ask(removing('/srv/real/x'));
    await settle(2);
    const [row] = rig.centre.waiting();
    if (!row) throw new Error('nothing waits');
    const { effects: _, ...old } = row.approval;
    const call = { agentId: 'guide', tool: 'bash_exec', args: { cmd: 'rm link/x' } };
    const digest = callDigest((bytes) => Buffer.from(engine.sha256(bytes)).toString('hex'), call) ?? '';
    rig.store.save({
      ...row,
      approval: {
        ...old,
        digest,
        state: 'allowed',
        decision: { scope: 'once', reason: '', surface: 'chat', at: 1, receiptId: 'rc_1' },
      },
    });
    rig.restart();
    expect(await ask(removing('/srv/real/x'))).toBeNull();
    expect(rig.centre.waiting()[0]?.approval.effects).toBeDefined();
  });
});

describe('Truncated preview (T8)', () => {
  it('denies the call at once and suggests smaller parts', async () => {
    const { rig, ask } = world();
    const decision = await ask(removing('/srv/real/x', { cut: true }));
    expect(decision).toMatchObject({ type: 'deny', reason: expect.stringContaining('smaller parts') });
    expect(rig.centre.waiting()).toEqual([]);
  });
});
