import { describe, expect, it } from 'vitest';
import { createApprovalRig } from '../../../test/fakes/approval-rig.ts';
import { sha256 } from '../../../test/fakes/memory-journal.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { createWorkflowRig, workflow } from '../../../test/fakes/workflow-rig.ts';
import { createEngine, type Engine } from '../../core/workflows/engine/engine.ts';
import { createGateQuestions, type GateQuestions } from './gate-questions.ts';

const day = 86_400_000;
/** An engine and an approval centre that are connected; each can be killed. */
function world() {
  const consent = createApprovalRig();
  const flow = createWorkflowRig();
  const { journal } = flow;
  const runner = { run: async () => ({ type: 'done', stdout: 'x' }) as const };
  const state = { centreOpen: true, operator: 'boss' };
  const make = (seed: number): { engine: Engine; questions: GateQuestions } => {
    const questions: GateQuestions = createGateQuestions({
      journal,
      log: createRecordingLog(),
      clock: consent.clock,
      engine: () => engine,
      centre: () => (state.centreOpen ? consent.centre : null),
      parties: {
        askedIn: ({ id, definition, origin }) => ({
          run: id,
          runName: 'deploy',
          definition,
          origin,
          starter: 'you',
          agent: null,
          room: null,
          askedAt: consent.clock.now(),
        }),
        approverName: () => state.operator,
      },
    });
    const engine = createEngine({
      journal,
      sha256,
      random: createSeededRandom(seed),
      clock: consent.clock,
      gates: questions.gates,
      owners: { self: `program ${seed}`, alive: () => false },
      runners: { shell: runner, pipeline: runner, agent: runner, model: runner, reap: async () => undefined },
    });
    consent.answerer = questions.answerer;
    return { engine, questions };
  };
  let parts = make(1);
  const start = async (text: string, initiatedBy = 'operator') => {
    const run = parts.engine.start({ definition: workflow(text), initiatedBy });
    if (!run.ok) throw new Error(run.error.message);
    await parts.engine.drive(run.value.id);
    return run.value.id;
  };
  return {
    consent,
    journal,
    state,
    start,
    parts: () => parts,
    /** Like a kill of the whole host. */
    restart() {
      consent.restart();
      parts = make(2);
    },
    approval: (id: string) => consent.store.row(id)?.approval,
    gate: () => journal.openGates()[0],
  };
}

const asks = (more = '') =>
  `name: deploy\nsteps:\n  - id: ask\n    approval:\n      prompt: Ship it?\n${more}`;
const allow = { type: 'allow', scope: 'once' } as const;

describe('Gate questions in the approval centre', () => {
  it('are shown later if the centre was unavailable, without harm to the run', async () => {
    const { state, start, parts, consent, gate, approval } = world();
    state.centreOpen = false;
    await start(asks());
    const id = gate()?.id ?? '';
    expect(approval(id)).toBeUndefined();
    state.centreOpen = true;
    parts().questions.sync();
    expect(consent.centre.waiting().map((row) => row.approval.id)).toEqual([id]);
  });

  it('get a decision made before a crash after the restart, with a receipt (F1)', async () => {
    const { state, start, parts, restart, gate, approval, consent, journal } = world();
    await start(asks());
    const id = gate()?.id ?? '';
    state.centreOpen = false;
    const answer = { type: 'approve' } as const;
    const actor = { kind: 'person', id: 'boss' } as const;
    expect(parts().engine.decide({ by: { gate: id }, actor, answer }).ok).toBe(true);
    expect(approval(id)?.state).toBe('waiting');
    state.centreOpen = true;
    restart();
    parts().questions.sync();
    expect(approval(id)).toMatchObject({
      state: 'allowed',
      decision: { as: 'approve', by: 'boss', surface: 'host' },
    });
    expect(consent.store.receiptOf(id)?.digest).toBe(journal.gate(id)?.contentHash);
  });

  it('are cancelled if their run no longer exists', async () => {
    const { start, parts, consent, gate, approval } = world();
    await start(asks());
    const real = consent.store.row(gate()?.id ?? '');
    if (!real) throw new Error('not shown');
    consent.centre.show({ ...real, approval: { ...real.approval, id: 'of a journal that was lost' } });
    parts().questions.sync();
    expect(approval('of a journal that was lost')).toMatchObject({ state: 'cancelled' });
    expect(approval(gate()?.id ?? '')).toMatchObject({ state: 'waiting' });
  });

  it('remind once and expire on timeout (F8)', async () => {
    const { start, parts, consent, gate, approval } = world();
    const run = await start(asks('      expires: 3d\n      remind: 1d\n'));
    const id = gate()?.id ?? '';
    expect(
      consent.centre.decide(id, { type: 'not_now' }, { digest: gate()?.contentHash ?? '', surface: 'tray' })
        .ok,
    ).toBe(true);
    await consent.clock.advance(day + 1);
    await parts().engine.drive(run);
    expect(approval(id)).toMatchObject({
      state: 'waiting',
      quietUntil: null,
      remindedAt: expect.any(Number),
    });
    await consent.clock.advance(2 * day);
    await parts().engine.drive(run);
    expect(approval(id)).toMatchObject({ state: 'expired', decision: { as: 'timeout', surface: 'expiry' } });
  });

  it('retry undeliverable posts in turn, so none blocks another (T25)', async () => {
    const { start, parts, consent } = world();
    for (let n = 0; n < 45; n += 1) await start(asks('      required_approver: ann\n'));
    const all = consent.centre.waiting().map(({ approval }) => approval.id);
    for (const id of all) consent.centre.posted(id, { messageId: id, roomId: 'dm:boss', answerId: null });
    consent.asked.length = 0;
    for (let round = 0; round < 6; round += 1) {
      await consent.clock.advance(5_000);
      parts().questions.sync();
    }
    const times = new Map<string, number>();
    for (const { approval } of consent.asked) times.set(approval.id, (times.get(approval.id) ?? 0) + 1);
    expect(all.map((id) => times.get(id))).toEqual(all.map(() => 2));
  });

  it('count each needed approver once, on any channel (T8)', async () => {
    const { start, parts, consent, gate, approval, journal } = world();
    await start(asks('      approvers: [ann, bob, cy]\n      needed: 2\n'));
    const { id = '', contentHash: digest = '' } = gate() ?? {};
    const say = (by: string, answer: typeof allow | { type: 'deny'; reason: string } = allow) =>
      consent.centre.decide(id, answer, { digest, surface: 'chat', by });
    expect(say('eve')).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(say('ann')).toMatchObject({
      ok: true,
      value: { approval: { state: 'waiting', gate: { votes: ['ann'] } } },
    });
    expect(say('ann')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(consent.centre.decide(id, allow, { digest, surface: 'window' })).toMatchObject({ ok: false });
    expect(journal.gate(id)?.decision).toBeNull();
    expect(say('cy')).toMatchObject({
      value: { approval: { state: 'allowed', decision: { by: 'cy', surface: 'chat' } } },
    });
    expect(approval(id)?.gate?.votes).toEqual(['ann']);
    await settle(2);
    expect(consent.audit.map(({ outcome }) => outcome)).toEqual(['agreed', 'allowed']);
    expect(parts().questions.find({ gate: id })?.decision).toBe('approve');
  });

  it('count the operator once under any name, also after a restart (T8)', async () => {
    const { state, start, parts, consent, gate, restart } = world();
    state.operator = 'operator';
    await start(asks('      needed: 2\n'));
    const { id = '', contentHash: digest = '' } = gate() ?? {};
    const atWindow = () => consent.centre.decide(id, allow, { digest, surface: 'window' });
    expect(atWindow()).toMatchObject({ ok: true, value: { approval: { state: 'waiting' } } });
    state.operator = 'boss-1';
    restart();
    const refused = { ok: false, error: { code: 'conflict', message: expect.stringContaining('already') } };
    expect(atWindow()).toMatchObject(refused);
    expect(parts().questions.decide({ gate: id }, { type: 'approve' }, 'terminal')).toMatchObject(refused);
    expect(consent.centre.decide(id, allow, { digest, surface: 'chat', by: 'ann' })).toMatchObject({
      value: { approval: { state: 'allowed' } },
    });
  });

  it('store a rejection reason from inbox or terminal in both the journal and the inbox', async () => {
    for (const way of ['inbox', 'terminal'] as const) {
      const { start, parts, consent, gate, approval } = world();
      const run = await start(asks());
      const { id = '', contentHash: digest = '' } = gate() ?? {};
      const reason = `too early, says the ${way}`;
      const decided =
        way === 'inbox'
          ? consent.centre.decide(id, { type: 'deny', reason }, { digest, surface: 'chat' })
          : parts().questions.decide({ gate: id }, { type: 'reject', reason }, 'terminal');
      expect(decided.ok).toBe(true);
      expect(parts().engine.show(run)?.gates.get(id)).toMatchObject({ decision: 'reject', reason });
      expect(approval(id)).toMatchObject({ state: 'denied', decision: { as: 'reject', by: 'boss', reason } });
    }
  });

  it('are cancelled with their run', async () => {
    const { start, parts, gate, approval } = world();
    const run = await start(asks());
    const id = gate()?.id ?? '';
    await parts().engine.cancel(run, 'boss');
    expect(approval(id)).toMatchObject({ state: 'cancelled', decision: { as: 'withdrawn' } });
  });
});
