import { describe, expect, it } from 'vitest';
import { createApprovalRig, gateCall, neverAborted } from '../../../test/fakes/approval-rig.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { Approval } from '../../contract/approvals.ts';
import type { GateDecision } from './approval-gate.ts';

type Rig = ReturnType<typeof createApprovalRig>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function asked(signal = neverAborted) {
  const rig = createApprovalRig();
  const seen: { decision?: GateDecision } = {};
  const done = rig.centre.check(gateCall(), signal).then((decision) => {
    seen.decision = decision;
    return decision;
  });
  await settle();
  return { rig, seen, done };
}

const question = ({ store }: Rig): Approval => {
  const [row] = store.list({ state: 'all', limit: 2 });
  if (!row) throw new Error('nothing was asked');
  return row.approval;
};
const allow = (rig: Rig) => {
  const { id, digest } = question(rig);
  return rig.centre.decide(id, { type: 'allow', scope: 'once' }, { digest, surface: 'terminal' });
};

describe('Approval request and wall clock jumps (F8)', () => {
  it.each([2 * dayMs, 20 * dayMs])(
    'does not expire after a jump forward by %i ms, and can be answered',
    async (by) => {
      const { rig, seen, done } = await asked();
      await rig.clock.advance(hourMs);
      rig.clock.jump(by);
      await rig.clock.advance(hourMs);
      expect(seen.decision).toBeUndefined();
      expect(question(rig).expiresAt - rig.clock.now()).toBe(22 * hourMs);
      expect(allow(rig).ok).toBe(true);
      expect(await done).toMatchObject({ type: 'allow' });
    },
  );

  it('can be answered right after a jump forward', async () => {
    const { rig, done } = await asked();
    rig.clock.jump(2 * dayMs);
    expect(allow(rig).ok).toBe(true);
    expect(await done).toMatchObject({ type: 'allow' });
  });

  it('waits no longer than its full time after a jump back', async () => {
    const { rig, done } = await asked();
    rig.clock.jump(-7 * dayMs);
    await rig.clock.advance(dayMs + 1);
    expect(await done).toMatchObject({ type: 'deny', by: 'expiry' });
  });

  it('stays expired after a jump back, also after a restart', async () => {
    const { rig, done } = await asked();
    await rig.clock.advance(dayMs + 1);
    expect(await done).toMatchObject({ type: 'deny', by: 'expiry' });
    rig.clock.jump(-2 * dayMs);
    expect(allow(rig)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    rig.restart();
    expect(rig.centre.waiting()).toEqual([]);
    expect(allow(rig)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  it('keeps its full time after jumps forward and back', async () => {
    const { rig, seen, done } = await asked();
    for (const by of [dayMs, -dayMs, 6 * 60_000, -6 * 60_000]) {
      rig.clock.jump(by);
      await rig.clock.advance(hourMs);
    }
    await rig.clock.advance(20 * hourMs - 1);
    expect(seen.decision).toBeUndefined();
    await rig.clock.advance(2);
    expect(await done).toMatchObject({ type: 'deny', by: 'expiry' });
  });

  it('put off for an hour, notifies again after an hour', async () => {
    const { rig } = await asked();
    const { id, digest } = question(rig);
    rig.centre.decide(id, { type: 'not_now' }, { digest, surface: 'terminal' });
    rig.clock.jump(2 * dayMs);
    await rig.clock.advance(0.9 * hourMs);
    expect(rig.centre.calling(null)).toBe(0);
    await rig.clock.advance(0.2 * hourMs);
    expect(rig.centre.calling(null)).toBe(1);
  });

  it('moves its deadline with the clock even while the store fails', async () => {
    const { rig, done } = await asked();
    rig.store.fail = true;
    rig.clock.jump(2 * dayMs);
    await rig.clock.advance(hourMs);
    rig.store.fail = false;
    expect(allow(rig).ok).toBe(true);
    expect(await done).toMatchObject({ type: 'allow' });
  });
});

describe('Approval request whose end the store cannot save (F4)', () => {
  it('ends when the store works again, with few retries meanwhile', async () => {
    const { rig, done } = await asked();
    await rig.clock.advance(dayMs - 1);
    rig.store.fail = true;
    let tries = 0;
    const { settle: kept } = rig.store;
    rig.store.settle = (...row) => {
      tries += 1;
      kept(...row);
    };
    await rig.clock.advance(60_000);
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(60);
    expect(allow(rig)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    rig.store.fail = false;
    await rig.clock.advance(5_000);
    expect(await done).toMatchObject({ type: 'deny', by: 'expiry' });
    expect(question(rig).state).toBe('expired');
  });

  it('is withdrawn soon after its turn was stopped, and cannot be allowed any more', async () => {
    const stop = new AbortController();
    const { rig, done } = await asked(stop.signal);
    rig.store.fail = true;
    stop.abort();
    expect(await done).toMatchObject({ type: 'deny', by: 'cancelled' });
    rig.store.fail = false;
    expect(allow(rig)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(question(rig).state).toBe('cancelled');
    expect(rig.centre.waiting()).toEqual([]);
  });

  it('keeps waiting for its answer if the disk fills up right after it was stored', async () => {
    const { rig } = await asked();
    const { id, digest } = question(rig);
    rig.centre.decide(id, { type: 'not_now' }, { digest, surface: 'terminal' });
    const { save } = rig.store;
    rig.store.save = (row) => {
      save(row);
      rig.store.fail = true;
    };
    const second = rig.centre.check(gateCall({ callId: 'call_2', args: { path: 'b' } }), neverAborted);
    await settle();
    Object.assign(rig.store, { save, fail: false });
    const other = rig.centre.waiting().find(({ approval }) => approval.id !== id)?.approval;
    const allowed = { type: 'allow', scope: 'once' } as const;
    rig.centre.decide(other?.id ?? '', allowed, { digest: other?.digest ?? '', surface: 'terminal' });
    expect(await second).toMatchObject({ type: 'allow' });
  });

  it('can still be answered while it waits if the store has lost it (F19)', async () => {
    const { rig, done } = await asked();
    const { id, digest } = question(rig);
    rig.store.row = () => null;
    expect(rig.centre.decide(id, { type: 'allow', scope: 'once' }, { digest, surface: 'chat' }).ok).toBe(
      true,
    );
    expect(await done).toMatchObject({ type: 'allow' });
  });
});
