/**
 * Runs the effect of one step at most as often as its effect class allows. The journal records the start
 * before anything happens and the end before anything follows. A start without an end is resolved by effect
 * class, or by a person.
 */

import { englishText, type HostMessage, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { assertNever } from '../../lib/assert.ts';
import type { Step, StepResult } from '../file/definition.ts';
import { defaultExpiryMs } from '../file/duration.ts';
import { pipelineAsksModel } from '../file/pipeline-stages.ts';
import { printRef } from '../file/refs.ts';
import { renderTemplate } from '../file/template.ts';
import { usesOf } from '../file/uses.ts';
import type { SlotGrant, SlotWait, StepCall, StepOutcome, StepRunner, StepRunners } from './engine-ports.ts';
import { type GateContent, hashText, type RunEvent } from './events.ts';
import { gateFor, gateWakeAt, notApproved, tendGate } from './gates.ts';
import { withParsed } from './kept-result.ts';
import { limited, spent } from './limits.ts';
import { retryTime } from './retry-time.ts';
import { haltOf, type RunContext, type StepFrame, scopeOf, stepFailure, type Walked } from './run-context.ts';
import type { EndSync } from './run-log.ts';
import type { StepFold } from './run-state.ts';
import { type StepCost, stepCost } from './step-cost.ts';
import { handedOn } from './step-input.ts';

export type EffectStep = Extract<Step, { kind: 'run' | 'pipeline' | 'agent' | 'llm-task' }>;

function runnerOf(runners: StepRunners, step: EffectStep): StepRunner {
  switch (step.kind) {
    case 'run':
      return runners.shell;
    case 'pipeline':
      return runners.pipeline;
    case 'agent':
      return runners.agent;
    case 'llm-task':
      return runners.model;
    default:
      return assertNever(step);
  }
}

const asksModel = (step: EffectStep): boolean =>
  step.kind === 'llm-task' || (step.kind === 'pipeline' && pipelineAsksModel(step.pipeline));

/** Delay in ms before a model is called again after the program died with the first answer. */
const afterDeathMs = 30_000;
/**
 * After this many deaths during one step, a step that calls a model is not paid for again without approval.
 */
const deathsUntilAsked = 2;

const whatBecame = (step: string, own: EffectStep, { attempts: n, deaths }: StepFold): HostMessage =>
  deaths >= deathsUntilAsked && asksModel(own)
    ? say('workflows.paidStepUncertain', { step, deaths, n })
    : say('workflows.stepUncertain', { step, n });

const uncertainContent = (question: HostMessage): GateContent => ({
  kind: 'uncertain',
  prompt: englishText(question),
  question,
  items: [],
  preview: null,
  schema: null,
  defaults: null,
  subject: null,
  approvers: { named: [], needed: 1, notInitiator: false },
});

/** Recovers an attempt that another program started, or that this one started before it was stopped. */
async function recover(run: RunContext, place: string, own: EffectStep, step: StepFold): Promise<void> {
  if (step.process) await run.ports.runners.reap(step.process, run.log.state.id);
  const paid = !asksModel(own) || step.effect === 'once' ? {} : afterDeath(run, step.deaths + 1);
  run.log.write([{ type: 'step_interrupted', path: place, died: true, ...paid }]);
}

/** The answer itself may have crashed the program: retry once after a delay, then only after approval. */
const afterDeath = ({ ports }: RunContext, deaths: number) =>
  deaths >= deathsUntilAsked ? ({ asks: true } as const) : { retryAt: ports.clock.now() + afterDeathMs };

/** `null` if the step must run again. */
function askWhatBecame(run: RunContext, place: string, own: EffectStep, step: StepFold): Walked | null {
  const content = (): GateContent => uncertainContent(whatBecame(place, own, step));
  const slot = `uncertain:${step.attempts}`;
  const gate = gateFor(run, { path: place, slot, content, expiresMs: null, remindMs: null });
  switch (gate.decision) {
    case null:
      return { type: 'parked', wakeAt: null };
    case 'repeat':
      return null;
    case 'done':
      return { type: 'done', result: run.log.end(place, {}, { saidBy: gate.by }) };
    default:
      return { type: 'cancelled', message: say('workflows.stepGivenUp', { step: place }) };
  }
}

/** Answer to the last question of a pipeline; `undefined` if it asked none. */
function haltAnswer(run: RunContext, place: string, step: StepFold): Walked | StepCall['from'] {
  const number = step.halts.length;
  const halt = step.halts[number - 1];
  if (!halt) return undefined;
  const slot = `halt:${number}`;
  const gate = gateFor(run, {
    path: place,
    slot,
    content: () => halt.asks,
    expiresMs: defaultExpiryMs,
    remindMs: null,
  });
  tendGate(run, gate);
  switch (gate.decision) {
    case null:
      return { type: 'parked', wakeAt: gateWakeAt(gate) };
    case 'approve':
    case 'answer':
      return { ...halt.next, answer: gate.response };
    case 'timeout': {
      // Recorded, so that a retry asks again.
      const message = say('workflows.stepNotDecided', { step: place });
      run.log.write([{ type: 'step_failed', path: place, code: 'timeout', message, retryAt: null }]);
      return stepFailure(message, 'timeout');
    }
    default:
      return { type: 'cancelled', message: notApproved(place, gate) };
  }
}

function keyOf(run: RunContext, frame: StepFrame, step: EffectStep, place: string): string {
  const own = step.idempotencyKey ? renderTemplate(step.idempotencyKey, scopeOf(frame)) : '';
  return own === '' ? hashText(run.ports.sha256, `${run.log.state.id}\n${place}`) : own;
}

async function begin(
  run: RunContext,
  frame: StepFrame,
  step: EffectStep,
  place: string,
  from: StepCall['from'],
): Promise<{ readonly outcome: StepOutcome; readonly signal: AbortSignal }> {
  const { ports, log } = run;
  const before = log.state.steps.get(place);
  const attempt = (before?.attempts ?? 0) + 1;
  const key = before?.key || keyOf(run, frame, step, place);
  const scope = scopeOf(frame);
  const stdin = handedOn(step, scope);
  const runner = runnerOf(ports.runners, step);
  const started: RunEvent = { type: 'step_started', path: place, attempt, effect: step.effect, key };
  if (isHarmless(step) || runner.gated) log.later([started]);
  else log.write([started]);
  const { timeoutMs } = step;
  // An agent keeps its task by key, so the next program finds it again.
  const leaves = step.kind === 'agent';
  const limit = limited(run, frame, { timeoutMs, step: step.id, leaves });
  const call: StepCall = {
    run: log.state.id,
    path: place,
    attempt,
    key,
    step,
    definition: frame.definition,
    scope,
    stdin,
    ...(from ? { from } : {}),
    initiatedBy: log.state.initiatedBy,
    origin: log.state.origin,
    signal: limit.signal,
    spawned: (process) => log.write([{ type: 'step_spawned', path: place, process }]),
  };
  try {
    return { outcome: await runner.run(call), signal: limit.signal };
  } finally {
    limit.lift();
  }
}

/**
 * The journal entry of its start may be lost in a crash, because the step has no effect outside. Short steps
 * only: long ones must be visible while they run.
 */
const isHarmless = (step: EffectStep): boolean =>
  step.effect === 'pure' && step.kind === 'pipeline' && !asksModel(step);

/**
 * Records how an attempt ended. `null` if the caller must check the step again, for its retry or its gate.
 */
function settle(
  run: RunContext,
  step: EffectStep,
  place: string,
  outcome: StepOutcome,
  signal: AbortSignal,
): Walked | null {
  if (outcome.type === 'done') return { type: 'done', result: keepDone(run, step, place, outcome) };
  const why = signal.aborted ? haltOf(signal).why : null;
  // Also on a stop: the stages did their work, so record the question and ask it later.
  if (outcome.type === 'halted' && (why === null || why === 'stop')) {
    run.log.write([{ type: 'step_halted', path: place, next: outcome.next, asks: outcome.asks }]);
    return null;
  }
  if (why !== null && why !== 'deadline') return broken(run, step, place, outcome, signal);
  const halt = signal.aborted ? haltOf(signal) : null;
  const late = halt?.why === 'deadline' ? halt.message : null;
  const said = outcome.type === 'failed' ? outcome : { code: 'failed' as const, message: '', retry: false };
  const failures = (run.log.state.steps.get(place)?.failures ?? 0) + 1;
  const again = (late !== null || said.retry) && said.code !== 'budget' && failures < step.retry.attempts;
  const retryAt = again ? retryTime(run.ports, step.retry, failures) : null;
  const code = late === null ? said.code : 'timeout';
  const message = late ?? said.message;
  run.log.write([{ type: 'step_failed', path: place, code, message, retryAt, ...costOf(outcome) }]);
  return null;
}

/** Most ms of work that may be repeated after a crash. */
const littleMs = 1_000;

/**
 * A step that costs money or took long is on disk at its end. A step that may run only once shares the sync
 * of the next write, which comes at once unless another step is at work: only a power loss between both leaves
 * it uncertain. Any other step may run again under the same key.
 */
function endSync(run: RunContext, step: EffectStep, place: string, outcome: StepOutcome): EndSync {
  const own = step.kind === 'run' || step.kind === 'pipeline';
  if (!own || asksModel(step) || hasCost(outcome)) return 'now';
  const since = run.log.state.steps.get(place)?.startedAt ?? 0;
  if (run.ports.clock.now() - since >= littleMs) return 'now';
  if (step.effect !== 'once') return 'later';
  return run.log.state.runningSteps > 1 ? 'now' : 'next';
}

const costOf = (outcome: StepOutcome): StepCost => (outcome.type === 'halted' ? {} : stepCost(outcome));
const hasCost = (outcome: StepOutcome): boolean => Object.keys(costOf(outcome)).length > 0;

function keepDone(
  run: RunContext,
  step: EffectStep,
  place: string,
  outcome: Extract<StepOutcome, { type: 'done' }>,
): StepResult {
  const { stdout, json } = outcome;
  const how = { sync: endSync(run, step, place, outcome), ...costOf(outcome) };
  if (json === undefined && stdout !== undefined) {
    return run.log.end(place, withParsed(stdout), how);
  }
  const result = { ...(stdout === undefined ? {} : { stdout }), ...(json === undefined ? {} : { json }) };
  return run.log.end(place, result, how);
}

/**
 * Handles an attempt that was aborted from outside: by a stop, after which the run resumes later, or for
 * good.
 */
function broken(
  run: RunContext,
  step: EffectStep,
  place: string,
  outcome: StepOutcome,
  signal: AbortSignal,
): Walked {
  const { why } = haltOf(signal);
  if (why === 'stop') {
    run.log.write([{ type: 'step_interrupted', path: place }]);
    return { type: 'stopped' };
  }
  const message = say('workflows.stepCancelled', { step: step.id });
  const end = { type: 'step_failed', path: place, code: 'cancelled', message, retryAt: null } as const;
  run.log.write([{ ...end, ...costOf(outcome) }]);
  return why === 'cancel' ? { type: 'cancelled', message: null } : stepFailure(message, 'cancelled');
}

/**
 * Result already known from the journal: how the step ended, or what it waits for. `null` if the step must
 * run.
 */
function standing(run: RunContext, place: string, own: EffectStep, before?: StepFold): Walked | null {
  if (!before) return null;
  if (before.failed) return stepFailure(before.failed.message, before.failed.code);
  if (before.ended) return { type: 'done', result: run.log.result(before) };
  if (before.uncertain) return askWhatBecame(run, place, own, before);
  if (before.retryAt !== null && run.ports.clock.now() < before.retryAt) {
    return { type: 'parked', wakeAt: before.retryAt };
  }
  return null;
}

const isWalked = (value: object): value is Walked => 'type' in value;

/** Another program may have recorded a cancellation; then no further step starts. */
function brokenOff(run: RunContext, frame: StepFrame): Walked | null {
  if (frame.signal.aborted) return abandoned(frame.signal);
  if (run.leaving?.aborted) return { type: 'stopped' };
  return run.log.state.cancelRequested ? { type: 'cancelled', message: null } : null;
}

/** Message for a step that reads JSON from a step which returned plain text; `null` if none does. */
function plainTextRead(step: EffectStep, { steps }: StepCall['scope']): HostText | null {
  for (const { ref } of usesOf(step).refs) {
    const result = ref.path[0] === 'json' && Object.hasOwn(steps, ref.step) ? steps[ref.step] : undefined;
    if (result?.stdout?.trim() && result.json === undefined && !result.error)
      return say('workflows.stepReadsText', { step: step.id, ref: printRef(ref), from: ref.step });
  }
  return null;
}

/** Failure that keeps the step from starting; `null` if it may start. */
function notBegun(run: RunContext, frame: StepFrame, step: EffectStep): Walked | null {
  const unread = plainTextRead(step, scopeOf(frame));
  if (unread !== null) return stepFailure(unread);
  const over = spent(run);
  return over === null ? null : stepFailure(over, 'budget');
}

/** Waits until the step may begin. Also ends when the step must not begin, which the caller checks. */
async function waitForSlot(
  run: RunContext,
  frame: StepFrame,
  step: EffectStep,
  wait: SlotWait,
): Promise<SlotGrant | null> {
  const limit = limited(run, frame, { timeoutMs: null, step: step.id, leaves: true });
  try {
    return await wait(limit.signal);
  } finally {
    limit.lift();
  }
}

/** Runs the step, resumes it, or returns what it waits for. */
export async function executeStep(
  run: RunContext,
  frame: StepFrame,
  step: EffectStep,
  place: string,
): Promise<Walked> {
  let grant: SlotGrant | null = null;
  const release = (): void => {
    grant?.release();
    grant = null;
  };
  try {
    for (;;) {
      const off = brokenOff(run, frame);
      if (off) return off;
      const before = run.log.state.steps.get(place);
      if (before?.open) await recover(run, place, step, before);
      const known = standing(run, place, step, before);
      if (known) return known;
      const from = before && haltAnswer(run, place, before);
      if (from && isWalked(from)) return from;
      const barred = notBegun(run, frame, step);
      if (barred) return barred;
      const wait = runnerOf(run.ports.runners, step).claim?.(run.log.state.id);
      if (wait) {
        release();
        grant = await waitForSlot(run, frame, step, wait);
        continue;
      }
      // Without a pause after the claim.
      const begun = begin(run, frame, step, place, from);
      release();
      const { outcome, signal } = await begun;
      const settled = settle(run, step, place, outcome, signal);
      if (settled) return settled;
    }
  } finally {
    release();
  }
}

/** Result for a step that never started: the journal gets no record. */
export function abandoned(signal: AbortSignal): Walked {
  const halt = haltOf(signal);
  switch (halt.why) {
    case 'stop':
      return { type: 'stopped' };
    case 'cancel':
      return { type: 'cancelled', message: null };
    case 'lost':
      return stepFailure(say('workflows.otherBranchFirst'), 'cancelled');
    case 'deadline':
      return stepFailure(halt.message, 'timeout');
    default:
      return assertNever(halt);
  }
}
