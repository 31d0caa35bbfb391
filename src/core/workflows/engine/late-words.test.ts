import { expect, it } from 'vitest';
import { createWorkflowRig, person, workflow } from '../../../../test/fakes/workflow-rig.ts';

const asks = "steps: [{id: p, pipeline: 'exec say x | approve'}, {id: b, run: say b}]";

it('An expired gate in a pipeline is asked again on retry', async () => {
  const rig = createWorkflowRig();
  const engine = rig.engine();
  const run = engine.start({ definition: workflow(asks), initiatedBy: null });
  const id = run.ok ? run.value.id : '';
  await engine.answer(id);
  const [first] = rig.open();
  rig.clock.jump(31 * 86_400_000);
  expect(await engine.answer(id)).toMatchObject({
    ok: false,
    error: { message: "'p' was not decided in time." },
  });
  expect(engine.retry(id, 'ann').ok).toBe(true);
  expect(await engine.answer(id)).toMatchObject({ ok: true, status: 'needs_approval' });
  const [second] = rig.open();
  expect(second?.id).not.toBe(first?.id);
  const told = await engine.resume({
    by: { gate: second?.id ?? '' },
    actor: person(),
    answer: { type: 'approve' },
  });
  expect(told).toMatchObject({ ok: true, status: 'ok' });
  expect(rig.effects.map(({ path }) => path)).toEqual(['p', 'b']);
});

it('A pipeline that reaches its gate during shutdown asks after the restart', async () => {
  const rig = createWorkflowRig();
  const engine = rig.engine();
  const run = engine.start({ definition: workflow(asks), initiatedBy: null });
  const id = run.ok ? run.value.id : '';
  const stop = new AbortController();
  const driving = engine.drive(id, { signal: stop.signal });
  // Lets the stages run before the stop is seen.
  await Promise.resolve();
  await Promise.resolve();
  stop.abort();
  expect(await driving).toMatchObject({ ok: true, value: { status: 'running' } });
  expect(rig.journal.events(id, 0).map(({ event }) => event.type)).toContain('step_halted');
  expect(await engine.answer(id)).toMatchObject({
    status: 'needs_approval',
    requiresApproval: { prompt: 'inner' },
  });
});

it('A cancel or retry that arrives after the end of the run changes nothing', async () => {
  const rig = createWorkflowRig();
  const engine = rig.engine();
  const run = engine.start({ definition: workflow('steps: [{id: a, run: say a}]'), initiatedBy: null });
  const id = run.ok ? run.value.id : '';
  // The other program reads the row, this one ends the run, and only then the other one writes.
  const { run: rowOf } = rig.journal;
  let looked = rig.journal.run(id);
  rig.journal.run = () => looked;
  const other = rig.engine('other');
  rig.journal.run = rowOf;
  await engine.answer(id);
  const before = rig.journal.events(id, 0).length;
  looked = { ...(looked ?? rowOf(id)), status: 'running' } as NonNullable<typeof looked>;
  rig.journal.run = (wanted) => (wanted === id ? looked : rowOf(wanted));
  expect(await other.cancel(id, 'ann')).toMatchObject({ ok: false, error: { code: 'conflict' } });
  looked = { ...looked, status: 'failed' };
  expect(other.retry(id, 'ann')).toMatchObject({ ok: false, error: { code: 'conflict' } });
  rig.journal.run = rowOf;
  expect(rig.journal.run(id)?.status).toBe('ok');
  expect(rig.journal.events(id, 0)).toHaveLength(before);
  expect(engine.due()).toEqual([]);
});
