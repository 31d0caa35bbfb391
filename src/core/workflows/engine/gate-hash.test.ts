import { describe, expect, it } from 'vitest';
import { createWorkflowRig, person, workflow } from '../../../../test/fakes/workflow-rig.ts';

const yes = { type: 'approve' } as const;
const gated = 'steps: [{id: a, run: say a}, {id: g, approval: ok?}, {id: b, run: say b}]';

describe('Content hash of a gate (T8, T14)', () => {
  const named = `name: deploy\n${gated}`;
  const asked = async () => {
    const rig = createWorkflowRig();
    const engine = rig.engine();
    const origin = { cwd: '/home/ada/site', file: '/home/ada/site/deploy.puppy' };
    const run = engine.start({ definition: workflow(named), initiatedBy: null, origin });
    if (!run.ok) throw new Error(run.error.message);
    await engine.drive(run.value.id);
    const [gate] = rig.journal.openGates();
    const row = rig.journal.events(run.value.id, 0).find(({ event }) => event.type === 'gate_opened');
    if (!gate || row?.event.type !== 'gate_opened') throw new Error('no question was opened');
    return { rig, gate: gate.id, content: row.event.content };
  };

  it('covers the workflow name, working directory and file', async () => {
    const { content } = await asked();
    expect(content.workflow).toEqual({
      name: 'deploy',
      cwd: '/home/ada/site',
      file: '/home/ada/site/deploy.puppy',
    });
  });

  it.each([{ name: 'look around' }, { cwd: '/tmp' }, { file: '/home/ada/site/other.puppy' }])(
    'rejects an approval after the workflow fields were changed to %j',
    async (change) => {
      const { rig, gate, content } = await asked();
      Object.assign(content.workflow ?? {}, change);
      expect(rig.engine().decide({ by: { gate }, actor: person(), answer: yes })).toMatchObject({
        ok: false,
        error: { code: 'untrusted' },
      });
    },
  );
});
