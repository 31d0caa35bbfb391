import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { createWorkflowRig, workflow } from '../../../test/fakes/workflow-rig.ts';
import type { DriveOptions } from '../../core/workflows/engine/drive.ts';
import type { StepOutcome, StepRunners } from '../../core/workflows/engine/engine-ports.ts';
import { createRunSlots } from './run-slots.ts';

const stopped: StepOutcome = { type: 'failed', code: 'failed', message: 'stopped', retry: true };

/** A run whose step `b` waits for a slot: its agents work, and other runs hold all slots. */
async function waiting(b: string, options: DriveOptions = {}, head = '') {
  const rig = createWorkflowRig();
  const answers = new Map<string, (costUsd?: number) => void>();
  // Another run takes the slot that the first step returns.
  const slots = createRunSlots(() => void slots.take('next', () => null));
  const around = (runners: StepRunners): StepRunners =>
    slots.around({
      ...runners,
      agent: {
        run: ({ path, signal }) =>
          new Promise((resolve) => {
            answers.set(path, (costUsd = 0) => resolve({ type: 'done', stdout: 'written', costUsd }));
            signal.addEventListener('abort', () => resolve(stopped), { once: true });
          }),
      },
    });
  const engine = rig.engine('one', around);
  const text = `${head}steps: [{id: both, parallel: {branches: [{id: guide, agent: {name: bob, goal: write}}, ${b}]}}]`;
  const begun = engine.start({ definition: workflow(text), initiatedBy: null });
  if (!begun.ok) throw new Error(begun.error.message);
  const { id } = begun.value;
  slots.take(id, () => null);
  for (let n = 1; n < 16; n += 1) slots.take(`run ${n}`, () => null);
  const driven = engine.drive(id, options);
  await settle(20);
  const events = (path: string): readonly string[] =>
    rig.journal
      .events(id, 0)
      .filter(({ event }) => 'path' in event && event.path === path)
      .map(({ event }) => event.type);
  const answer = (path = 'both.guide', costUsd?: number): void => answers.get(path)?.(costUsd);
  return { rig, id, slots, driven, events, answer };
}

const steps = [
  ['program', '{id: b, effect: once, run: say b}'],
  ['call of a model', '{id: b, llm_task: {prompt: say b}}'],
] as const;

describe('T27 A step that waits for a slot', () => {
  it.each(steps)('has not begun: after a stop nobody is asked about the %s (F1)', async (_, b) => {
    const control = new AbortController();
    const { rig, id, driven, events } = await waiting(b, { signal: control.signal });
    expect(events('both.b')).toEqual([]);
    control.abort();
    await driven;
    expect(events('both.b')).toEqual([]);
    const next = await rig.engine('next').drive(id);
    expect(next.ok && next.value.state.steps.get('both.b')).toMatchObject({ attempts: 1, uncertain: false });
    expect(rig.effects.filter(({ path }) => path === 'both.b')).toHaveLength(1);
  });

  it('does not use up its time limit', async () => {
    const { slots, driven, events, answer } = await waiting('{id: b, run: say b, timeout: 60s}');
    slots.leave('run 1');
    answer();
    expect(await driven).toMatchObject({ ok: true, value: { status: 'ok' } });
    expect(events('both.b')).not.toContain('step_failed');
  });

  it('does not begin in a program that leaves, although a slot becomes free (F25)', async () => {
    const leaving = new AbortController();
    const { rig, slots, driven, events } = await waiting(steps[0][1], { leaving: leaving.signal });
    leaving.abort();
    slots.leave('run 1');
    expect(await driven).toMatchObject({ ok: true, value: { status: 'running' } });
    expect([events('both.b'), rig.effects]).toEqual([[], []]);
  });

  it('does not outlast the time limit of its run', async () => {
    const { driven, events } = await waiting(steps[0][1], {}, 'timeout: 5s\n');
    expect(await driven).toMatchObject({ ok: true, value: { status: 'failed' } });
    expect(events('both.b')).toEqual([]);
  });

  it('does not delay the record of a finished agent', async () => {
    const { slots, driven, events, answer } = await waiting(steps[0][1]);
    answer();
    await settle(20);
    expect([events('both.guide'), events('both.b')]).toEqual([['step_started', 'step_ended'], []]);
    slots.leave('run 1');
    expect(await driven).toMatchObject({ ok: true, value: { status: 'ok' } });
  });

  it('returns the slot that it is granted after the run reached its cost limit', async () => {
    const b =
      '{id: payer, agent: {name: eve, goal: write}}, {id: b, llm_task: {prompt: say b}, on_error: continue}';
    const { slots, driven, events, answer } = await waiting(b, {}, 'cost_limit: {max_usd: 1}\n');
    answer('both.payer', 5);
    await settle(20);
    expect(slots.take('other', () => null)).toBe(false);
    slots.leave('run 1');
    await settle(20);
    expect(events('both.b')).toEqual([]);
    expect(slots.take('other', () => null)).toBe(true);
    answer();
    expect(await driven).toMatchObject({ ok: true });
  });
});
