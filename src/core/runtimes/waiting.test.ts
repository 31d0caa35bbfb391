import { describe, expect, it } from 'vitest';
import { countingTool, runtimeRig } from '../../../test/fakes/runtime-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { ApprovalGate, GateDecision } from '../approvals/approval-gate.ts';
import type { RuntimeEvent, TurnSlot } from '../supervisor/runtime-port.ts';

const allow: GateDecision = { type: 'allow', by: 'operator', receiptId: 'r' };

/** A turn that asks for approval of one call; `answer` answers it, `vacate` returns the turn slot. */
function asking(path: () => string = () => '/w/x', turnMs = 60_000) {
  const trail: string[] = [];
  let answer = (): void => undefined;
  let vacate = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const vacant = new Promise<void>((resolve) => {
    vacate = resolve;
  });
  const place: TurnSlot = {
    async lend(work) {
      trail.push('lent');
      const value = await work;
      trail.push('answered');
      await vacant;
      trail.push('back');
      return value;
    },
  };
  const tool = countingTool('write_file', {
    assess: () => ({
      risk: 'medium',
      effects: [{ kind: 'write', path: path() }],
      preview: { kind: 'text', title: 'write x', body: '', where: '' },
    }),
  });
  const check: ApprovalGate['check'] = async (_call, _signal, ready) => {
    await answered;
    trail.push(`ready ${await ready?.()}`);
    return allow;
  };
  const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('done')], {
    tools: [tool],
    place,
    turnMs,
    decide: check,
  });
  r.waiting.add('c1');
  r.say('write x');
  return { r, tool, trail, answer, vacate };
}

const states = (events: readonly RuntimeEvent[]) =>
  events.flatMap((event) => (event.type === 'step' ? [event.step.state] : []));

describe('Call that waits for the operator', () => {
  it('lends its turn slot, and runs and uses up the answer only after it has the slot back', async () => {
    const { r, tool, trail, answer, vacate } = asking();
    const run = r.run();
    await settle(20);
    expect(trail).toEqual(['lent']);
    answer();
    await settle(20);
    expect([trail, tool.done]).toEqual([['lent', 'answered'], []]);
    vacate();
    const events = await run;
    expect(trail).toEqual(['lent', 'answered', 'back', 'ready true']);
    expect(tool.done).toEqual(['c1 x']);
    expect(states(events)).toEqual(['running', 'running', 'waiting', 'running', 'done']);
  });

  it('T14 asks again if the target changed while it waited for its slot, then runs', async () => {
    let path = '/w/x';
    const { r, tool, answer, vacate } = asking(() => path);
    const run = r.run();
    await settle(20);
    answer();
    await settle(20);
    path = '/etc/passwd';
    vacate();
    await run;
    expect(r.checked.map(({ assessment }) => assessment.effects)).toEqual([
      [{ kind: 'write', path: '/w/x' }],
      [{ kind: 'write', path: '/etc/passwd' }],
    ]);
    expect(tool.done).toEqual(['c1 x']);
  });

  it('T14 asks again if the target changed during the approval of another call', async () => {
    let target = '/w/a';
    const look = countingTool('look', {
      assess: () => ({
        risk: 'low',
        effects: [{ kind: 'read', path: target }],
        preview: { kind: 'text', title: 'look', body: '', where: '' },
      }),
    });
    const write = countingTool('write_file');
    const calling = calls(['c1', 'look', { path: 'a' }], ['c2', 'write_file', { path: 'b' }]);
    const denied: GateDecision = { type: 'deny', by: 'operator', reason: 'not that one' };
    const r = runtimeRig([calling, says('done')], {
      tools: [look, write],
      decide: async ({ callId, assessment: { effects } }) => {
        // While the second call is decided, the target of the first one changes.
        if (callId === 'c2') target = '/etc/passwd';
        const reads = effects[0]?.kind === 'read' ? effects[0].path : null;
        return reads === '/etc/passwd' ? denied : allow;
      },
    });
    r.waiting.add('c2');
    r.say('look, then write');
    await r.run();
    expect(r.checked.map(({ callId }) => callId)).toEqual(['c1', 'c2', 'c1']);
    expect([look.done, write.done]).toEqual([[], ['c2 b']]);
    expect(JSON.stringify(r.asked[1]?.context.messages)).toContain('not that one');
  });

  it('counts neither the approval nor the wait for its slot as turn time', async () => {
    const { r, tool, answer, vacate } = asking(undefined, 60_000);
    const run = r.run();
    await settle(20);
    await r.clock.advance(3_600_000);
    answer();
    await r.clock.advance(3_600_000);
    vacate();
    expect((await run).at(-1)).toMatchObject({ type: 'turn_done' });
    expect(tool.done).toEqual(['c1 x']);
  });

  it('F1 does not run or use up its answer if the turn is interrupted while it waits for its slot', async () => {
    const { r, tool, trail, answer, vacate } = asking();
    const run = r.run();
    await settle(20);
    answer();
    await settle(20);
    r.abort('interrupted');
    vacate();
    await run;
    expect(trail.at(-1)).toBe('ready false');
    expect(tool.done).toEqual([]);
  });

  it('T9 is tainted by untrusted notes that another turn wrote meanwhile', async () => {
    let foreign = false;
    const seen: unknown[] = [];
    let answer = (_: GateDecision): void => undefined;
    const tool = countingTool('write_file', {
      execute: async (_args, { tainted }) => {
        seen.push(tainted);
        return { content: [] };
      },
    });
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('done')], {
      tools: [tool],
      foreignNotes: () => foreign,
      decide: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    r.waiting.add('c1');
    r.say('write x');
    const run = r.run();
    await settle(20);
    foreign = true;
    answer(allow);
    await run;
    expect([r.checked[0]?.tainted, seen]).toEqual([false, [true]]);
  });
});
