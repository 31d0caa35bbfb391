import { describe, expect, it } from 'vitest';
import {
  createWorkflowRig,
  person,
  type WorkflowRig,
  workflow,
} from '../../../../test/fakes/workflow-rig.ts';
import type { Json } from '../file/definition.ts';

const long = 98765432109876543210n;

async function runs(text: string, args: { readonly [name: string]: Json } = {}): Promise<WorkflowRig> {
  const rig = createWorkflowRig();
  const engine = rig.engine();
  const begun = engine.start({ definition: workflow(text), args, initiatedBy: null });
  if (!begun.ok) throw new Error(begun.error.message);
  await engine.drive(begun.value.id);
  // Another program, which reads everything from the journal.
  const next = rig.engine('next');
  for (const gate of rig.open())
    next.decide({ by: { gate: gate.id }, actor: person(), answer: { type: 'approve' } });
  expect(await next.answer(begun.value.id)).toMatchObject({ ok: true, status: 'ok' });
  return rig;
}

const stdinAt = (rig: WorkflowRig, path: string): Json | undefined =>
  rig.effects.find((effect) => effect.path === path)?.stdin;

describe('Integers beyond double precision', () => {
  it('pass between steps exactly, across an approval and a restart', async () => {
    const rig = await runs(`
steps:
  - {id: a, run: 'say {"id":${long},"near":0.1}'}
  - {id: g, approval: {prompt: go, items: '$a.json'}}
  - {id: b, run: echo, stdin: $a.json.id}
  - {id: c, run: echo, stdin: 'in a text: $a.json.id'}
  - {id: d, run: echo, stdin: $b.json}`);
    expect(stdinAt(rig, 'b')).toBe(long);
    expect(stdinAt(rig, 'c')).toBe(`in a text: ${long}`);
    expect(rig.told.opened[0]?.content.items).toEqual([{ id: long, near: 0.1 }]);
  });

  it('work as arguments and as loop items', async () => {
    const text = `
args: {id: {type: integer}, all: {type: array}}
steps:
  - {id: a, run: echo, stdin: '\${id}'}
  - {id: each, for_each: '\${all}', steps: [{id: one, run: echo, stdin: $item}]}`;
    const rig = await runs(text, { id: long, all: [long, -long] });
    expect(stdinAt(rig, 'a')).toBe(String(long));
    expect(stdinAt(rig, 'each[1].one')).toBe(-long);
  });

  it('compare by value in conditions', async () => {
    const steps = [`== ${long}`, `== ${long + 1n}`, `> ${long - 1n}`, '> "98765432109876543209"', '< 3'];
    const rig = await runs(
      `steps: [{id: a, run: 'say {"id":${long}}'}, ${steps
        .map((test, n) => `{id: s${n}, run: say x, when: '$a.json.id ${test}'}`)
        .join(', ')}]`,
    );
    expect(rig.effects.map(({ path }) => path)).toEqual(['a', 's0', 's2', 's3']);
  });
});
