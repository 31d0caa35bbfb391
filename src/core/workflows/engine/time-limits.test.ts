import { describe, expect, it } from 'vitest';
import { child, createWorkflowRig, type WorkflowRig, workflow } from '../../../../test/fakes/workflow-rig.ts';
import type { Envelope } from './envelope.ts';

async function ran(rig: WorkflowRig, text: string, sub?: string): Promise<Envelope> {
  const engine = rig.engine();
  const children = sub === undefined ? [] : [child('sub.puppy', sub)];
  const run = engine.start({ definition: workflow(text), children, initiatedBy: null });
  if (!run.ok) throw new Error(run.error.message);
  return engine.answer(run.value.id, { patienceMs: 60_000 });
}

const done = (rig: WorkflowRig): readonly string[] => rig.effects.map(({ path }) => path);
const slow = 'steps: [{id: x, run: slow 100 x}, {id: y, run: slow 9000 y}, {id: z, run: say z}]';

describe('Time limit of a block', () => {
  it('stops the running step of a child workflow', async () => {
    const rig = createWorkflowRig();
    const told = await ran(rig, 'steps: [{id: w, workflow: sub.puppy, timeout_ms: 700}]', slow);
    expect(told).toMatchObject({ ok: false, error: { message: "Step 'w' timed out after 700ms" } });
    expect(done(rig)).toEqual(['w/x']);
  });

  it('stops the running loop iteration and starts no other', async () => {
    const rig = createWorkflowRig();
    const text =
      "steps: [{id: a, pipeline: '[1,2,3]'}, {id: l, for_each: $a.json, timeout_ms: 700, steps: [{id: s, run: slow 500 s}]}]";
    rig.watch(() => null);
    const told = await ran(rig, text.replace("pipeline: '[1,2,3]'", "run: 'say [1,2,3]'"));
    expect(told).toMatchObject({ ok: false, error: { message: "Step 'l' timed out after 700ms" } });
    expect(done(rig)).toEqual(['a', 'l[0].s']);
  });

  it('expires while an inner step waits for a retry or an approval', async () => {
    for (const inner of ['{id: s, run: fail, retry: {max: 9, delay_ms: 500}}', '{id: s, approval: ok?}']) {
      const rig = createWorkflowRig();
      const text = 'steps: [{id: w, workflow: sub.puppy, timeout_ms: 700}]';
      const engine = rig.engine();
      const run = engine.start({
        definition: workflow(text),
        children: [child('sub.puppy', `steps: [${inner}]`)],
        initiatedBy: null,
      });
      const id = run.ok ? run.value.id : '';
      await engine.answer(id);
      rig.clock.jump(1_000);
      expect(engine.due()).toEqual([id]);
      expect(await engine.answer(id)).toMatchObject({ ok: false });
      expect(rig.open()).toEqual([]);
    }
  });

  it('counts from the first start of the block after a crash, not from the restart (F1)', async () => {
    const gone = { long: 800, short: 50 };
    for (const [name, away] of Object.entries(gone)) {
      const rig = createWorkflowRig();
      const one = (id: string) => `{id: ${id}, run: slow 300 ${id}, effect: idempotent}`;
      const first = rig.engine('dies');
      const run = first.start({
        definition: workflow('steps: [{id: w, workflow: sub.puppy, timeout_ms: 1000}]'),
        children: [child('sub.puppy', `steps: [${one('x')}, ${one('y')}]`)],
        initiatedBy: null,
      });
      const id = run.ok ? run.value.id : '';
      rig.watch(({ path }) => {
        if (path === 'w/y') rig.journal.killAt(rig.journal.writes() + 1, 'before');
        return null;
      });
      await first.drive(id).catch(() => null);
      expect(rig.journal.dead()).toBe(true);
      rig.watch(() => null);
      rig.journal.restart();
      rig.clock.jump(away);
      const told = await rig.engine('next').answer(id, { patienceMs: 60_000 });
      const late = { ok: false, error: { message: "Step 'w' timed out after 1000ms" } };
      expect({ name, told }).toMatchObject({ name, told: name === 'long' ? late : { ok: true } });
    }
  });

  it('restarts with each retry of the block, which keeps completed steps', async () => {
    const rig = createWorkflowRig();
    const text = 'steps: [{id: w, workflow: sub.puppy, timeout_ms: 700, retry: {max: 2, delay_ms: 10}}]';
    const told = await ran(rig, text, 'steps: [{id: x, run: slow 500 x}, {id: y, run: slow 500 y}]');
    expect(told).toMatchObject({ ok: true, status: 'ok', output: ['y'] });
    expect(done(rig)).toEqual(['w/x', 'w/y']);
  });
});
