import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../contract/result.ts';
import { noneSpent } from '../models/usage.ts';
import { forkTask } from './fork-task.ts';
import { applyToTask, maxCrashes, type TaskEvent } from './lifecycle.ts';
import { type Lease, newTask, type Task } from './task.ts';
import { afterCrash, endStep, type StepDraft, settleUnknown, startStep, type TaskStep } from './task-step.ts';

const lease: Lease = { owner: 'host-1', pid: 7, bootId: 'boot', worker: 0, beat: 0 };
const by = (claim = 1) => ({ owner: 'host-1', claim });
const fresh = (more: Partial<Task> = {}): Task => ({ id: 1, ...newTask({ goal: 'Sweep' }, 10), ...more });
const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const run = (task: Task, ...events: readonly TaskEvent[]): Task =>
  events.reduce((now, event) => value(applyToTask(now, event, 20)), task);
const claimed: TaskEvent = { type: 'claimed', lease, runner: 'guide' };
const draft = (more: Partial<StepDraft> = {}): StepDraft => ({
  kind: 'action',
  action: 'send',
  callId: 'c1',
  digest: 'd',
  replay: 'never',
  ...more,
});

describe('Task lifecycle', () => {
  it('completes only by finish, never by text', () => {
    const running = run(fresh(), claimed);
    const said = value(startStep(running, by(), draft({ kind: 'decision', replay: 'safe' }), 21));
    const heard = value(endStep(said.task, by(), said.step, { result: 'done, complete', error: null }, 22));
    expect(heard.task.status).toBe('running');
    const finished = run(heard.task, { type: 'finished', by: by(), result: 'swept' });
    expect(finished).toMatchObject({ status: 'done', result: 'swept', lease: null });
    expect(applyToTask(finished, { type: 'retry' }, 30)).toMatchObject({ ok: false });
  });
  it('pauses between steps, not within one, and resumes where it was', () => {
    const running = run(fresh(), claimed);
    const { task, step } = value(startStep(running, by(), draft(), 21));
    const asked = run(task, { type: 'pause' });
    expect(asked.status).toBe('running');
    expect(applyToTask(asked, { type: 'yielded', by: by() }, 22)).toMatchObject({ ok: false });
    expect(startStep(asked, by(), draft(), 22)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    const ended = value(endStep(asked, by(), step, { result: 'sent', error: null }, 23)).task;
    const paused = run(ended, { type: 'yielded', by: by() });
    expect(paused).toMatchObject({ status: 'paused', asked: null, steps: 1, lease: null });
    expect(run(paused, { type: 'resume' }).status).toBe('pending');
  });
  it('can revoke a pending pause, and cancel takes precedence over pause', () => {
    const asked = run(fresh(), claimed, { type: 'pause' });
    expect(run(asked, { type: 'resume' }).asked).toBeNull();
    const cancelled = run(asked, { type: 'cancel' }, { type: 'yielded', by: by() });
    expect(cancelled).toMatchObject({ status: 'error', failure: { kind: 'cancelled' } });
    expect(run(cancelled, { type: 'retry' })).toMatchObject({ status: 'pending', failure: null });
  });
  it('waits for an approval without a worker, also across a pause', () => {
    const waiting = run(fresh(), claimed, { type: 'approval-asked', by: by(), approvalId: 'a1' });
    expect(waiting).toMatchObject({ status: 'waiting', lease: null });
    const resumed = run(waiting, { type: 'pause' }, { type: 'resume' });
    expect(resumed.status).toBe('waiting');
    expect(applyToTask(resumed, { type: 'approval-answered', approvalId: 'a2' }, 20).ok).toBe(false);
    expect(run(resumed, { type: 'approval-answered', approvalId: 'a1' }).status).toBe('pending');
    const pausedFirst = run(waiting, { type: 'pause' }, { type: 'approval-answered', approvalId: 'a1' });
    expect(run(pausedFirst, { type: 'resume' }).status).toBe('pending');
  });
  it('waits for a workflow run with its step open, also across a pause, and cancel leaves the run alone', () => {
    const running = run(fresh(), claimed);
    const { task } = value(startStep(running, by(), draft({ replay: 'safe' }), 21));
    const held = run(task, { type: 'run-awaited', by: by(), run: 'r1', name: 'ship' });
    expect(held).toMatchObject({ status: 'waiting', lease: null, open: [1], waitingFor: { run: 'r1' } });
    expect(applyToTask(held, { type: 'run-ended', run: 'r2' }, 22)).toMatchObject({ ok: false });
    expect(run(held, { type: 'run-ended', run: 'r1' })).toMatchObject({
      status: 'pending',
      waitingFor: null,
    });
    const paused = run(held, { type: 'pause' });
    expect(run(paused, { type: 'resume' })).toMatchObject({ status: 'waiting', waitingFor: { run: 'r1' } });
    expect(run(paused, { type: 'run-ended', run: 'r1' }, { type: 'resume' }).status).toBe('pending');
    const { failure } = run(held, { type: 'cancel' });
    expect(failure).toMatchObject({ kind: 'cancelled', message: { text: expect.stringContaining('r1') } });
    const asked = run(task, { type: 'pause' }, { type: 'run-awaited', by: by(), run: 'r1', name: 'ship' });
    expect(asked).toMatchObject({ status: 'paused', waitingFor: null, open: [1] });
  });
  it('refuses writes of a worker whose claim has ended (F1)', () => {
    const again = run(fresh(), claimed, { type: 'recovered', claim: 1 }, claimed);
    expect(again.claim).toBe(2);
    for (const event of [
      { type: 'finished', by: by(), result: 'x' },
      { type: 'released', by: by() },
      { type: 'finished', by: { owner: 'host-0', claim: 2 }, result: 'x' },
      { type: 'recovered', claim: 1 },
    ] as const) {
      expect(applyToTask(again, event, 30)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    }
    expect(startStep(again, by(), draft(), 30)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });
  it('returns to the queue when its host stops (F25)', () => {
    const released = run(fresh(), claimed, { type: 'released', by: by() });
    expect(released).toMatchObject({ status: 'pending', lease: null, crashes: 0 });
    const paused = run(fresh(), claimed, { type: 'pause' }, { type: 'released', by: by() });
    expect(paused.status).toBe('paused');
  });
  it('fails after repeated crashes of its owner (F1)', () => {
    let task = fresh();
    for (let n = 1; n <= maxCrashes; n += 1) task = run(task, claimed, { type: 'recovered', claim: n });
    expect(task).toMatchObject({ status: 'error', failure: { kind: 'crashed' } });
    expect(run(task, { type: 'retry' }).crashes).toBe(0);
  });
});

describe('Task steps', () => {
  const begun = (replay: StepDraft['replay']) =>
    value(startStep(run(fresh(), claimed), by(), draft({ replay }), 21));
  it('are reused, repeated or asked about after a crash, by the replay setting of the tool (F1)', () => {
    const { task, step } = begun('never');
    expect([afterCrash(step), afterCrash(begun('safe').step)]).toEqual(['ask', 'repeat']);
    const ended = value(endStep(task, by(), step, { result: 'sent', error: null }, 22));
    expect(afterCrash(ended.step)).toBe('reuse');
    expect(endStep(ended.task, by(), ended.step, { result: 'other', error: null }, 23).ok).toBe(false);
  });
  it('with unknown outcome hold the task until the operator settles each one (F1)', () => {
    const one = begun('never');
    const two = value(startStep(one.task, by(), draft({ callId: 'c2' }), 21));
    const lost = value(applyToTask(two.task, { type: 'recovered', claim: 1 }, 22, 1));
    expect(lost).toMatchObject({ status: 'waiting', waitingFor: { kind: 'unknown-step', step: 1 } });
    expect(settleUnknown(lost, two.step, 'yes', [], 23).ok).toBe(false);
    const first = value(settleUnknown(lost, one.step, 'yes', [two.step], 23));
    expect(first.step).toMatchObject({ result: expect.stringContaining('it had happened'), endedAt: 23 });
    expect(first.task.waitingFor).toEqual({ kind: 'unknown-step', step: 2 });
    const second = value(settleUnknown(first.task, two.step, 'no', [], 24));
    expect(second.task).toMatchObject({ status: 'pending', open: [] });
    expect(second.step.error).toContain('not happened');
  });
  it('stop with an error when the budget is used up', () => {
    const poor = run(fresh({ budget: { steps: 1, tokens: null, usd: 0.5 } }), claimed);
    const { task, step } = value(startStep(poor, by(), draft(), 21));
    const end = { result: 'x', error: null, used: { ...noneSpent, tokens: 5, usd: 0.6 } };
    const ended = value(endStep(task, by(), step, end, 22)).task;
    expect(ended.used).toEqual({ ...noneSpent, tokens: 5, usd: 0.6 });
    expect(startStep(ended, by(), draft(), 23)).toMatchObject({ error: { code: 'rate_limited' } });
    const richer = { ...ended, budget: { ...ended.budget, steps: 9 } };
    expect(startStep(richer, by(), draft(), 23)).toMatchObject({ error: { code: 'rate_limited' } });
  });
  it('are copied by a fork, with the memory at that step', () => {
    let task = run(fresh({ seed: { place: 'hall' }, memory: { place: 'hall' } }), claimed);
    const steps: TaskStep[] = [];
    for (const memory of [{ broom: 1 }, { place: null, broom: 2 }]) {
      const begun = value(startStep(task, by(), draft(), 21));
      const ended = value(endStep(begun.task, by(), begun.step, { result: 'x', error: null, memory }, 22));
      task = ended.task;
      steps.push(ended.step);
    }
    expect(task.memory).toEqual({ broom: 2 });
    const fork = value(forkTask(task, steps, 1, 30));
    expect(fork.task).toMatchObject({
      parent: 1,
      forkedAt: 1,
      steps: 1,
      status: 'pending',
      claim: 0,
      key: null,
    });
    expect(fork.task.memory).toEqual({ place: 'hall', broom: 1 });
    expect(fork.steps).toHaveLength(1);
    expect(forkTask(task, steps, 3, 30)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});

describe('Any order of events', () => {
  const eventOf = fc.oneof(
    fc.constantFrom<TaskEvent>(
      claimed,
      { type: 'pause' },
      { type: 'resume' },
      { type: 'cancel' },
      { type: 'retry' },
    ),
    fc.nat(4).map((claim): TaskEvent => ({ type: 'finished', by: by(claim), result: 'r' })),
    fc.nat(4).map((claim): TaskEvent => ({ type: 'yielded', by: by(claim) })),
    fc.nat(4).map((claim): TaskEvent => ({ type: 'released', by: by(claim) })),
    fc.nat(4).map((claim): TaskEvent => ({ type: 'recovered', claim })),
    fc.nat(4).map((claim): TaskEvent => ({ type: 'approval-asked', by: by(claim), approvalId: 'a' })),
    fc.constant<TaskEvent>({ type: 'approval-answered', approvalId: 'a' }),
  );
  it('leaves a lease only on running, a result only on done, a failure only on failed tasks', () => {
    fc.assert(
      fc.property(fc.array(eventOf, { maxLength: 40 }), (events) => {
        let task = fresh();
        for (const event of events) {
          const next = applyToTask(task, event, 20);
          if (next.ok) task = next.value;
          expect(task.lease !== null).toBe(task.status === 'running');
          expect(task.result !== null).toBe(task.status === 'done');
          expect(task.failure !== null).toBe(task.status === 'error');
          if (task.asked !== null) expect(task.status).toBe('running');
          if (task.status === 'waiting') expect(task.waitingFor).not.toBeNull();
          if (task.status === 'pending') expect(task.waitingFor).toBeNull();
        }
      }),
    );
  });
});
