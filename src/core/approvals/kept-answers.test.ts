import { describe, expect, it } from 'vitest';
import { createApprovalRig, gateCall, neverAborted } from '../../../test/fakes/approval-rig.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { GateDecision } from './approval-gate.ts';

function world() {
  const rig = createApprovalRig();
  return {
    rig,
    async allow() {
      await settle();
      const [row] = rig.centre.waiting();
      if (!row) throw new Error('nothing waits');
      const { id, digest } = row.approval;
      rig.centre.decide(id, { type: 'allow', scope: 'once' }, { digest, surface: 'terminal' });
    },
    /** Immediate decision for a further call with the same arguments; `null` if it must wait. */
    async further(change = {}): Promise<GateDecision | null> {
      const asked = rig.centre.check(gateCall(change), neverAborted);
      return Promise.race([asked, settle().then(() => null)]);
    },
  };
}

describe('Answer to a call that cannot continue at once', () => {
  it('F1 is kept if the call went away, and used once when the call returns', async () => {
    const { rig, allow, further } = world();
    const gone = rig.centre.check(gateCall(), neverAborted, async () => false);
    await allow();
    expect(await gone).toMatchObject({ type: 'deny', by: 'cancelled' });
    // The host continued to run; only the agent was restarted.
    expect(await further()).toMatchObject({ type: 'allow', by: 'operator' });
    expect(await further()).toBeNull();
  });

  it('is used up if the call was stopped: no later call receives it', async () => {
    const { rig, allow, further } = world();
    const stop = new AbortController();
    const gone = rig.centre.check(gateCall(), stop.signal, async () => {
      stop.abort();
      return false;
    });
    await allow();
    await gone;
    expect(await further({ turnId: 'turn_9' })).toBeNull();
  });
});
