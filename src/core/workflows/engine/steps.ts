/**
 * Runs a definition from its beginning on every drive: recorded results are read, the rest is executed. A run
 * that resumes after a crash, a gate or a timer takes the same path as one that was never interrupted.
 */
import { englishText } from '../../../language/host-message.ts';
import { assertNever } from '../../lib/assert.ts';
import { isTruthyCondition } from '../file/condition-value.ts';
import type { Step, StepResult } from '../file/definition.ts';
import { type WalkChildren, walkEach, walkParallel, walkSubWorkflow } from './blocks.ts';
import { abandoned, executeStep } from './execute-step.ts';
import {
  placeInRun,
  type RunContext,
  type StepFrame,
  scopeOf,
  stepFailure,
  type Walked,
} from './run-context.ts';
import { gateKey } from './run-state.ts';
import { passGate } from './step-gate.ts';
import { doSleep } from './timers.ts';

/** Runs steps in order; a step that parks or fails ends the list. */
export async function walkList(run: RunContext, frame: StepFrame, steps: readonly Step[]): Promise<Walked> {
  let last: StepResult | null = null;
  let failed: StepResult | null = null;
  for (const [index, step] of steps.entries()) {
    const walked = await walkStep(run, frame, step);
    if (walked.type === 'skip_rest') {
      leaveOut(run, frame, steps.slice(index + 1));
      return { type: 'done', result: last ?? walked.result };
    }
    if (walked.type !== 'done') return walked;
    if (walked.result?.error) failed = walked.result;
    else if (walked.result && !walked.result.skipped) last = walked.result;
  }
  // If the author continues after a failure, the last good output remains.
  return { type: 'done', result: last ?? failed };
}

function leaveOut(run: RunContext, frame: StepFrame, steps: readonly Step[]): void {
  const places = steps.map((step) => placeInRun(frame, step));
  const fresh = places.filter((path) => !run.log.state.steps.has(path));
  if (fresh.length > 0) run.log.later(fresh.map((path) => ({ type: 'step_skipped', path })));
  for (const step of steps) frame.results.set(step.id, { skipped: true });
}

/** Runs one step: condition, work, gate and failure handling. */
export async function walkStep(run: RunContext, frame: StepFrame, step: Step): Promise<Walked> {
  const { log } = run;
  const place = placeInRun(frame, step);
  const known = log.state.steps.get(place);
  const touched = known !== undefined || log.state.gateAt.has(gateKey(place, step.kind));
  if (known?.skipped || (!touched && step.when && !isTruthyCondition(step.when, scopeOf(frame)))) {
    if (!known?.skipped) log.later([{ type: 'step_skipped', path: place }]);
    const skipped: StepResult = { skipped: true };
    frame.results.set(step.id, skipped);
    return { type: 'done', result: skipped };
  }
  const walked = await work(run, frame, step, place);
  if (walked.type === 'failed') return onFailure(frame, step, walked);
  if (walked.type === 'done') frame.results.set(step.id, walked.result ?? {});
  return walked.type === 'done' ? { type: 'done', result: walked.result ?? {} } : walked;
}

async function work(run: RunContext, frame: StepFrame, step: Step, place: string): Promise<Walked> {
  if (frame.signal.aborted) return abandoned(frame.signal);
  const gateFailed = run.log.state.steps.get(place)?.failed;
  if (gateFailed && step.kind !== 'llm-task') return stepFailure(gateFailed.message, gateFailed.code);
  const worked = await ownWork(run, frame, step, place);
  if (worked.type !== 'done') return worked;
  if (worked.result) frame.results.set(step.id, worked.result);
  return passGate(run, frame, step, place, worked.result, walkList);
}

function onFailure(frame: StepFrame, step: Step, failed: Extract<Walked, { type: 'failed' }>): Walked {
  const lost = failed.code === 'cancelled' || failed.code === 'budget' || frame.signal.aborted;
  if (step.onError === 'stop' || lost) return failed;
  const result: StepResult = { error: true, errorMessage: englishText(failed.message) };
  frame.results.set(step.id, result);
  return step.onError === 'continue' ? { type: 'done', result } : { type: 'skip_rest', result };
}

const children: WalkChildren = { list: walkList, step: walkStep };

/** Runs the work of a step before its gate; `result`: `null` if the step only asks. */
async function ownWork(run: RunContext, frame: StepFrame, step: Step, place: string): Promise<Walked> {
  switch (step.kind) {
    case 'run':
    case 'pipeline':
    case 'agent':
      return executeStep(run, frame, step, place);
    case 'llm-task': {
      const answered = await executeStep(run, frame, step, place);
      const own = answered.type === 'failed' && answered.code !== 'cancelled';
      const rescued = own && !run.log.state.steps.get(place)?.ended && step.fallback.length > 0;
      return rescued && !frame.signal.aborted ? walkList(run, frame, step.fallback) : answered;
    }
    case 'approval':
    case 'input':
      return { type: 'done', result: null };
    case 'sleep':
      return doSleep(run, frame, step, place);
    case 'parallel':
      return walkParallel(run, frame, step, place, children);
    case 'for_each':
      return walkEach(run, frame, step, place, children);
    case 'workflow':
      return walkSubWorkflow(run, frame, step, place, children);
    default:
      return assertNever(step);
  }
}
