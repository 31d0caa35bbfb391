import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../test/fakes/memory-journal.ts';
import {
  createWorkflowRig,
  person,
  type WorkflowRig,
  workflow,
} from '../../../../test/fakes/workflow-rig.ts';
import { brokenAt } from './events.ts';

const asks = 'steps: [{id: a, pipeline: json}, {id: g, approval: ok?}, {id: b, run: say b}]';

function begun(rig: WorkflowRig, text: string, idempotencyKey?: string): string {
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const run = rig.engine().begin({ definition: workflow(text), initiatedBy: null, ...key });
  if (!run.ok) throw new Error(run.error.message);
  return run.value.id;
}

/** Starts and drives a run in one program, as `runWorkflow` does. */
async function beginAndAnswer(rig: WorkflowRig, text: string) {
  const engine = rig.engine();
  const run = engine.begin({ definition: workflow(text), initiatedBy: null });
  if (!run.ok) throw new Error(run.error.message);
  return { engine, run: run.value.id, told: await engine.answer(run.value.id) };
}

const typesOf = (rig: WorkflowRig, run: string): readonly string[] =>
  rig.journal.events(run, 0).map(({ event }) => event.type);

describe('Run driven by the program that begins it', () => {
  it('is saved with its first approval in one write, before the approval is announced', async () => {
    const rig = createWorkflowRig();
    const known: boolean[] = [];
    rig.onOpened(({ id, run }) => {
      known.push(rig.journal.gate(id) !== null && rig.journal.run(run)?.status === 'waiting');
    });
    const { run, told } = await beginAndAnswer(rig, asks);
    expect(rig.journal.writes()).toBe(1);
    expect(known).toEqual([true]);
    expect(told).toMatchObject({ ok: true, status: 'needs_approval', runId: run });
    expect(typesOf(rig, run)).toEqual(['run_created', 'step_started', 'step_ended', 'gate_opened']);
    expect(brokenAt(sha256, run, rig.journal.events(run, 0))).toBeNull();
    expect(rig.journal.run(run)).toMatchObject({ status: 'waiting', owner: null });
  });

  it('continues from that approval by its token', async () => {
    const rig = createWorkflowRig();
    const { run, told } = await beginAndAnswer(rig, asks);
    const token = told.ok ? (told.requiresApproval?.resumeToken ?? '') : '';
    const end = await rig
      .engine('another')
      .resume({ by: { token }, actor: person(), answer: { type: 'approve' } });
    expect(end).toMatchObject({ ok: true, status: 'ok', output: ['b'], runId: run });
  });

  it('leaves no trace if the program dies before that write (F1)', async () => {
    const rig = createWorkflowRig();
    rig.journal.killAt(1, 'before');
    await expect(beginAndAnswer(rig, asks)).rejects.toThrow('killed');
    rig.journal.restart();
    expect(rig.journal.runs({ limit: 9 })).toEqual([]);
    expect(rig.journal.openGates()).toEqual([]);
    expect(rig.told.opened).toEqual([]);
  });

  it('is in the journal before any external effect', async () => {
    const rig = createWorkflowRig();
    const at: (readonly string[])[] = [];
    rig.watch(({ run, step }) => {
      if (step.kind === 'run') at.push(typesOf(rig, run));
      return null;
    });
    await beginAndAnswer(rig, 'steps: [{id: a, pipeline: json}, {id: b, run: say b}]');
    expect(at).toEqual([['run_created', 'step_started', 'step_ended', 'step_started', 'step_spawned']]);
  });

  it('can be cancelled and found as cancelled, even before its first step', async () => {
    const rig = createWorkflowRig();
    const engine = rig.engine();
    for (const driven of [false, true]) {
      const run = engine.begin({ definition: workflow(asks), initiatedBy: null });
      const id = run.ok ? run.value.id : '';
      const driving = driven ? engine.drive(id) : null;
      expect(await engine.cancel(id, 'ann')).toMatchObject({ ok: true, value: { status: 'cancelled' } });
      await driving;
      expect(rig.journal.run(id)?.status).toBe('cancelled');
      expect(typesOf(rig, id).filter((type) => type === 'run_created')).toHaveLength(1);
    }
    expect(rig.open()).toEqual([]);
  });

  it('is saved at once under an idempotency key, and a second begin returns the same run', () => {
    const rig = createWorkflowRig();
    const first = begun(rig, asks, 'daily');
    expect(rig.journal.run(first)?.idempotencyKey).toBe('daily');
    expect(begun(rig, asks, 'daily')).toBe(first);
  });
});

describe('Write of a step end', () => {
  const twoOf = (effect: string): string =>
    `steps: [{id: a, run: say a, effect: ${effect}}, {id: b, run: say b, effect: ${effect}}]`;

  it('is combined with the next step start only for repeatable steps', async () => {
    const writes: Record<string, number> = {};
    for (const effect of ['once', 'idempotent', 'pure']) {
      const rig = createWorkflowRig();
      const { run } = await beginAndAnswer(rig, twoOf(effect));
      writes[effect] = rig.journal.writes();
      expect(brokenAt(sha256, run, rig.journal.events(run, 0))).toBeNull();
    }
    // Two starts, two ends and the end of the run; a repeatable step saves two of these writes.
    expect(writes).toEqual({ once: 5, idempotent: 3, pure: 3 });
  });

  it('is not delayed for a slow step', async () => {
    const rig = createWorkflowRig();
    await beginAndAnswer(
      rig,
      'steps: [{id: a, run: slow 1500 a, effect: pure}, {id: b, run: say b, effect: pure}]',
    );
    expect(rig.journal.writes()).toBe(4);
  });
});
