import { describe, expect, it } from 'vitest';
import { Killed } from '../../../../test/fakes/memory-journal.ts';
import { effectsSince, fork, forked, longMs, ran, toEnd } from '../../../../test/fakes/workflow-again.ts';
import { createWorkflowRig, person, workflow } from '../../../../test/fakes/workflow-rig.ts';
import { textsNamedBy } from './events.ts';

const gated =
  'steps: [{id: a, run: say a}, {id: g, approval: ok?}, {id: b, run: say b}, {id: c, run: "say $a.stdout $b.stdout"}]';

describe('Run forked from a step', () => {
  it('reuses the results of earlier steps and runs the rest under new idempotency keys', async () => {
    const rig = createWorkflowRig();
    const text = 'steps: [{id: a, run: say a}, {id: b, run: say b}, {id: c, run: "say $a.stdout"}]';
    const first = await ran(rig, workflow(text));
    const second = forked(rig, first, 'b');
    const state = await toEnd(rig, second);
    expect(state?.status).toBe('ok');
    expect(effectsSince(rig, 3)).toEqual(['b', 'c']);
    expect(rig.effects[4]?.seen.a).toEqual(rig.effects[2]?.seen.a);
    expect(new Set(rig.effects.map(({ key }) => key)).size).toBe(5);
    expect(state?.forkedFrom).toEqual({ run: first, from: 'b', by: 'ann' });
    expect(rig.engine().show(first)).toMatchObject({
      status: 'ok',
      forks: [{ run: second, from: 'b', by: 'ann' }],
    });
    expect(state?.definition).toBe(rig.engine().show(first)?.definition);
  });

  it('asks every question again; approvals and tokens of the first run do not count (T8)', async () => {
    const rig = createWorkflowRig();
    const engine = rig.engine();
    const begun = engine.start({ definition: workflow(gated), initiatedBy: 'bob' });
    const first = begun.ok ? begun.value.id : '';
    const envelope = await engine.answer(first);
    const token = envelope.ok ? (envelope.requiresApproval?.resumeToken ?? '') : '';
    await toEnd(rig, first);
    const second = forked(rig, first, 'c');
    await rig.engine().drive(second);
    expect(rig.effects).toHaveLength(3);
    expect(rig.open()).toMatchObject([{ run: second, path: 'g' }]);
    const old = engine.decide({ by: { token }, actor: person(), answer: { type: 'approve' } });
    expect(old).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect((await toEnd(rig, second))?.status).toBe('ok');
    expect(effectsSince(rig, 3)).toEqual(['c']);
  });

  it('is cancelled without effects when the repeated question is rejected', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, workflow(gated));
    const state = await toEnd(rig, forked(rig, first, 'c'), () => true);
    expect([state?.status, rig.effects.length]).toEqual(['cancelled', 3]);
  });

  it.each([
    ['an answer', '{id: x, input: {prompt: who, response_schema: {type: object}}}'],
    ['a no that goes on', '{id: x, approval: {prompt: go, on_reject: continue}}'],
    ['a question in a pipeline', '{id: x, pipeline: "exec say x | approve"}'],
  ])('cannot start after %s, only at that step', async (_, step) => {
    const rig = createWorkflowRig();
    const definition = workflow(`steps: [{id: a, run: say a}, ${step}, {id: b, run: say b}]`);
    const engine = rig.engine();
    const begun = engine.start({ definition, initiatedBy: 'bob' });
    const run = begun.ok ? begun.value.id : '';
    await engine.drive(run);
    for (let open = rig.open()[0]; open; open = rig.open()[0]) {
      const kind = engine.show(run)?.gates.get(open.id)?.content.kind;
      const answer =
        kind === 'input' ? ({ type: 'respond', response: {} } as const) : ({ type: 'approve' } as const);
      expect(engine.decide({ by: { gate: open.id }, actor: person(), answer }).ok).toBe(true);
      await engine.drive(run, { patienceMs: longMs });
    }
    expect(engine.show(run)?.status).toBe('ok');
    expect(fork(rig, run, 'b')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(fork(rig, run, 'x').ok).toBe(true);
  });

  it('requires an ended run and a step that the run reached', async () => {
    const rig = createWorkflowRig();
    const engine = rig.engine();
    const waiting = engine.start({ definition: workflow(gated), initiatedBy: null });
    const run = waiting.ok ? waiting.value.id : '';
    await engine.drive(run);
    expect(fork(rig, run, 'a')).toMatchObject({ error: { code: 'conflict' } });
    await engine.cancel(run, 'ann');
    expect(fork(rig, run, 'c')).toMatchObject({ error: { code: 'conflict' } });
    expect(fork(rig, run, 'nowhere')).toMatchObject({ error: { code: 'not_found' } });
    expect(fork(rig, 'no run', null)).toMatchObject({ error: { code: 'not_found' } });
    expect(fork(rig, run, 'g').ok).toBe(true);
    expect(rig.journal.runs({ limit: 9 })).toHaveLength(2);
  });

  it('is created once per idempotency key', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, workflow(gated));
    const engine = rig.engine();
    const ask = { run: first, by: 'ann', idempotencyKey: 'click' };
    const once = engine.fork({ ...ask, from: 'b' });
    expect(engine.fork({ ...ask, from: 'b' })).toEqual(once);
    expect(engine.fork({ ...ask, from: 'a' })).toMatchObject({ error: { code: 'conflict' } });
    expect(rig.journal.runs({ limit: 9 })).toHaveLength(2);
    expect(engine.show(first)?.forks).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'is recorded in both runs or in neither when the host is killed %s the write (F1)',
    async (when) => {
      const rig = createWorkflowRig();
      const first = await ran(rig, workflow(gated));
      const before = rig.journal.writes();
      rig.journal.killAt(before + 1, when);
      expect(() => fork(rig, first, 'b')).toThrow(Killed);
      rig.journal.restart();
      const runs = rig.journal.runs({ limit: 9 }).length;
      expect([runs, rig.engine().show(first)?.forks.length]).toEqual(when === 'before' ? [1, 0] : [2, 1]);
      forked(rig, first, 'b');
      expect(rig.journal.writes() - before).toBe(2);
      const known = rig
        .engine()
        .show(first)
        ?.forks.map(({ run }) => run);
      expect(known?.toSorted()).toEqual(
        rig.journal
          .runs({ limit: 9 })
          .flatMap(({ id }) => (id === first ? [] : [id]))
          .toSorted(),
      );
    },
  );

  it('cannot be approved by its initiator or by the initiator of the first run (T8)', async () => {
    const rig = createWorkflowRig();
    const text =
      'steps: [{id: a, run: say a}, {id: g, approval: {prompt: go, require_different_approver: true}}, {id: b, run: say b}]';
    const first = await ran(rig, workflow(text));
    await rig.engine().drive(forked(rig, first, 'b'));
    const by = { gate: rig.open()[0]?.id ?? '' };
    const say = (id: string) => rig.engine().decide({ by, actor: person(id), answer: { type: 'approve' } });
    expect(say('ann')).toMatchObject({ error: { code: 'forbidden' } });
    expect(say('bob')).toMatchObject({ error: { code: 'forbidden' } });
    expect(say('eve').ok).toBe(true);
  });

  it('references the reused definition and blobs in its first event', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, workflow('steps: [{id: a, run: big 20000}, {id: b, run: say b}]'));
    const second = forked(rig, first, 'b');
    const [row] = rig.journal.events(second, 0);
    expect(row && textsNamedBy(row.event).map(({ kind }) => kind)).toEqual(['definition', 'blob']);
  });
});
