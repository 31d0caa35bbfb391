import { expect, it } from 'vitest';
import { createWorkflowRig, person, workflow } from '../../../../test/fakes/workflow-rig.ts';

const asking = {
  'an llm_task': 'llm_task: {prompt: say fine, schema: {type: object}}',
  'a pipeline that asks a model': 'pipeline: llm.invoke --prompt fine',
  'a pipeline that asks a model, called pure': 'pipeline: llm.invoke --prompt fine | head, effect: pure',
};
const asked = Object.entries(asking).map(
  ([name, step]) => [name, workflow(`steps: [{id: ask, ${step}}]`)] as const,
);

/** Drives the run in a program that dies after the model's answer, before the end is written. */
async function dies(rig: ReturnType<typeof createWorkflowRig>, id: string, owner: string): Promise<void> {
  const before = rig.effects.length;
  rig.watch(() => {
    if (rig.effects.length === before) rig.journal.killAt(rig.journal.writes() + 1, 'before');
    return null;
  });
  await rig
    .engine(owner)
    .drive(id)
    .catch(() => null);
  rig.journal.restart();
}

it.each(asked)(
  '%s is not repeated before its back-off when the host dies after the model replied (F1, F22)',
  async (_, definition) => {
    const rig = createWorkflowRig();
    const begun = rig.engine('zero').start({ definition, initiatedBy: null });
    const id = begun.ok ? begun.value.id : '';
    await dies(rig, id, 'one');
    expect(rig.effects).toHaveLength(1);
    const diedAt = rig.clock.now();
    await dies(rig, id, 'two');
    expect(rig.effects).toHaveLength(1);
    expect(rig.engine('look').show(id)?.status).toBe('running');
    expect(rig.clock.now()).toBe(diedAt);
  },
);

it.each(asked)(
  '%s asks the operator after the second crash and repeats on request (F1, F22)',
  async (_, definition) => {
    const rig = createWorkflowRig();
    const begun = rig.engine('zero').start({ definition, initiatedBy: null });
    const id = begun.ok ? begun.value.id : '';
    for (const owner of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await dies(rig, id, owner);
      rig.clock.jump(60_000);
    }
    expect(rig.effects).toHaveLength(2);
    rig.watch(() => null);
    const engine = rig.engine('last');
    await engine.drive(id);
    const [gate] = rig.open();
    expect(engine.show(id)?.gates.get(gate?.id ?? '')?.content).toMatchObject({
      kind: 'uncertain',
      prompt: expect.stringContaining('Each time cost money'),
    });
    expect(rig.effects).toHaveLength(2);
    expect(
      engine.decide({ by: { gate: gate?.id ?? '' }, actor: person(), answer: { type: 'repeat' } }).ok,
    ).toBe(true);
    await engine.drive(id);
    expect([rig.effects.length, engine.show(id)?.status]).toEqual([3, 'ok']);
  },
);

it('The prompt for an uncertain step without a model does not mention model costs (F1)', async () => {
  const rig = createWorkflowRig();
  const begun = rig.engine('zero').start({
    definition: workflow('steps: [{id: send, run: deploy, effect: once}]'),
    initiatedBy: null,
  });
  const id = begun.ok ? begun.value.id : '';
  for (const owner of ['one', 'two']) {
    await dies(rig, id, owner);
    rig.watch(() => null);
    const engine = rig.engine(`${owner} asks`);
    await engine.drive(id);
    const [gate] = rig.open();
    expect(engine.show(id)?.gates.get(gate?.id ?? '')?.content.prompt).toContain('Perhaps it did its work');
    engine.decide({ by: { gate: gate?.id ?? '' }, actor: person(), answer: { type: 'repeat' } });
  }
  expect(rig.effects).toHaveLength(2);
});

it('A pipeline without a model is repeated after a crash without asking (F1)', async () => {
  const rig = createWorkflowRig();
  const definition = workflow('steps: [{id: keep, pipeline: state.set k}]');
  const begun = rig.engine('zero').start({ definition, initiatedBy: null });
  const id = begun.ok ? begun.value.id : '';
  for (const owner of ['one', 'two', 'three']) await dies(rig, id, owner);
  expect(rig.effects).toHaveLength(3);
});
