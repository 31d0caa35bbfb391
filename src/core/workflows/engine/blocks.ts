/** Runs steps that contain steps: parallel branches, loop rounds and sub-workflows. */
import { messageOf } from '../../../contract/errors.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import type { Json, Step, StepResult } from '../file/definition.ts';
import { resolveRef } from '../file/refs.ts';
import { childrenOf } from '../file/step-kinds.ts';
import { renderValue } from '../file/value-template.ts';
import { bindArguments } from './arguments.ts';
import { childKey, type RunEvent } from './events.ts';
import { withdrawGates } from './gates.ts';
import { linked } from './limits.ts';
import { retryTime } from './retry-time.ts';
import { type RunContext, type StepFrame, scopeOf, type Walked, waitFor } from './run-context.ts';
import { earliest } from './run-log.ts';
import { dueIn } from './timers.ts';

export interface WalkChildren {
  list(run: RunContext, frame: StepFrame, steps: readonly Step[]): Promise<Walked>;
  step(run: RunContext, frame: StepFrame, step: Step): Promise<Walked>;
}

type Failed = Extract<Walked, { type: 'failed' }>;

const maxDepth = 16;

/** Recorded end of a block, or `null`. Records the start, because the time limit counts from there. */
function entered(run: RunContext, step: Step, place: string): Walked | null {
  const { log } = run;
  const before = log.state.steps.get(place);
  if (before?.ended) return { type: 'done', result: log.result(before) };
  if (before && before.retryAt !== null) {
    if (run.ports.clock.now() < before.retryAt) return { type: 'parked', wakeAt: before.retryAt };
    log.write([{ type: 'failures_cleared', path: place }]);
  }
  const untimed = step.timeoutMs !== null && !log.state.deadlines.has(place);
  if (!before || untimed) {
    const event: RunEvent = { type: 'block_entered', path: place, deadline: deadlineOf(run, step) };
    if (event.deadline === null) log.later([event]);
    else log.write([event]);
  }
  return null;
}

const deadlineOf = (run: RunContext, step: Step): number | null =>
  step.timeoutMs === null ? null : run.ports.clock.now() + step.timeoutMs;

const ended = (run: RunContext, place: string, result: StepResult): Walked => ({
  type: 'done',
  result: run.log.end(place, result, { sync: 'later' }),
});

/** Value of a finished step for its readers: its JSON, else its answer, else its text. */
export const jsonOf = (result: StepResult | null): Json =>
  result?.json ?? result?.response ?? result?.stdout ?? null;

type ParallelStep = Extract<Step, { kind: 'parallel' }>;

/** State of parallel branches. A parked branch runs again when its time comes or at the next broadcast. */
interface Lanes {
  readonly results: Map<string, Walked>;
  readonly running: Map<string, Promise<void>>;
  /** Number of broadcasts when each branch last started. */
  readonly heard: Map<string, number>;
  failure: { readonly error: unknown } | null;
}

function launch(run: RunContext, frame: StepFrame, branch: Step, lanes: Lanes, walk: WalkChildren): void {
  lanes.results.delete(branch.id);
  lanes.heard.set(branch.id, run.broadcast.count());
  const walking = walk
    .step(run, frame, branch)
    .then(
      (walked) => void lanes.results.set(branch.id, walked),
      (error: unknown) => {
        lanes.failure ??= { error };
      },
    )
    .finally(() => lanes.running.delete(branch.id));
  lanes.running.set(branch.id, walking);
}

const succeeded = (walked: Walked): boolean =>
  walked.type === 'done' && walked.result?.skipped !== true && walked.result?.error !== true;

const decides = (step: ParallelStep, lanes: Lanes): boolean =>
  [...lanes.results.values()].some((walked) =>
    step.wait === 'any' ? succeeded(walked) || walked.type === 'cancelled' : walked.type === 'cancelled',
  );

const parkedUntil = (walked: Walked | undefined): number | null =>
  walked?.type === 'parked' ? walked.wakeAt : null;

/** A parked branch does not run again before its time, or before a decision arrives. */
function mayMove(run: RunContext, lanes: Lanes, branch: Step): boolean {
  const parked = lanes.results.get(branch.id);
  if (parked?.type !== 'parked') return false;
  const due = parked.wakeAt !== null && run.ports.clock.now() >= parked.wakeAt;
  return due || run.broadcast.count() > (lanes.heard.get(branch.id) ?? 0);
}

const firstWake = (lanes: Lanes): number | null =>
  [...lanes.results.values()].map(parkedUntil).reduce(earliest, null);

function relaunch(
  run: RunContext,
  frame: StepFrame,
  step: ParallelStep,
  lanes: Lanes,
  walk: WalkChildren,
): void {
  if (decides(step, lanes)) return;
  for (const branch of step.branches) {
    if (mayMove(run, lanes, branch)) launch(run, frame, branch, lanes, walk);
  }
}

/**
 * Restores the results of the counted branches, so that later steps can reference them, also after a resume.
 */
async function recall(
  run: RunContext,
  frame: StepFrame,
  step: ParallelStep,
  { json }: StepResult,
  walk: WalkChildren,
): Promise<void> {
  const counted = new Set(typeof json === 'object' && json !== null ? Object.keys(json) : []);
  for (const branch of step.branches) if (counted.has(branch.id)) await walk.step(run, frame, branch);
}

const idsIn = (step: Step): readonly string[] => [
  step.id,
  ...childrenOf(step).flatMap(({ steps }) => steps.flatMap(idsIn)),
];

export async function walkParallel(
  run: RunContext,
  outer: StepFrame,
  step: ParallelStep,
  place: string,
  walk: WalkChildren,
): Promise<Walked> {
  const known = entered(run, step, place);
  if (known?.type === 'done' && known.result) await recall(run, outer, step, known.result, walk);
  if (known) return known;
  const link = linked(outer.signal);
  const frame: StepFrame = { ...outer, signal: link.signal };
  const deadline = run.log.state.deadlines.get(place) ?? null;
  const { message } = timedOut(step);
  const lanes: Lanes = { results: new Map(), running: new Map(), heard: new Map(), failure: null };
  for (const branch of step.branches) launch(run, frame, branch, lanes, walk);
  const late = (): boolean => deadline !== null && run.ports.clock.now() >= deadline;
  while (lanes.running.size > 0 && !lanes.failure && !decides(step, lanes) && !late()) {
    await waitFor(run, earliest(firstWake(lanes), deadline), frame.signal, [...lanes.running.values()]);
    if (frame.signal.aborted || late() || lanes.running.size === 0) break;
    relaunch(run, frame, step, lanes, walk);
  }
  // A failed journal write decides nothing: stop all branches and resume the run later.
  if (lanes.failure) link.halt({ why: 'stop' });
  else if (late()) link.halt({ why: 'deadline', message });
  else if (decides(step, lanes)) link.halt({ why: 'lost' });
  while (lanes.running.size > 0) await Promise.all(lanes.running.values());
  link.lift();
  if (lanes.failure) throw lanes.failure.error;
  if (late()) return blockFailed(run, step, place, timedOut(step));
  return parallelEnd(run, outer, step, place, lanes.results, deadline);
}

/** Records the failure of a block, or when to retry it; a retry runs only the failed steps. */
function blockFailed(run: RunContext, step: Step, place: string, failed: Failed): Walked {
  const { log, ports } = run;
  withdrawGates(run, place);
  const { code, message } = failed;
  const failures = (log.state.steps.get(place)?.failures ?? 0) + 1;
  const again = code !== 'cancelled' && code !== 'budget' && failures < step.retry.attempts;
  const retryAt = again ? retryTime(ports, step.retry, failures) : null;
  log.write([{ type: 'step_failed', path: place, code, message, retryAt }]);
  return again ? { type: 'parked', wakeAt: retryAt } : failed;
}

function parallelEnd(
  run: RunContext,
  frame: StepFrame,
  step: ParallelStep,
  place: string,
  results: ReadonlyMap<string, Walked>,
  deadline: number | null,
): Walked {
  const all = [...results.values()];
  const stopped = all.find(({ type }) => type === 'stopped') ?? all.find(({ type }) => type === 'cancelled');
  if (stopped) return stopped;
  const failed = all.find((walked) => walked.type === 'failed' && walked.code !== 'cancelled');
  const won = step.wait === 'any' ? step.branches.find(({ id }) => isSuccess(results.get(id))) : undefined;
  const parked = all.some(({ type }) => type === 'parked');
  if (!won && parked && (step.wait === 'any' || !failed)) {
    return { type: 'parked', wakeAt: earliest(all.map(parkedUntil).reduce(earliest, null), deadline) };
  }
  if (failed?.type === 'failed' && !won) return blockFailed(run, step, place, failed);
  withdrawGates(run, place);
  const counted = won ? [won] : step.branches;
  // Results of a losing branch depend on timing, so no later step may read them.
  for (const branch of step.branches) {
    if (!counted.includes(branch)) for (const id of idsIn(branch)) frame.results.delete(id);
  }
  const json = Object.fromEntries(counted.map(({ id }) => [id, jsonOf(frame.results.get(id) ?? null)]));
  return ended(run, place, { json });
}

const isSuccess = (walked: Walked | undefined): boolean => walked !== undefined && succeeded(walked);

type EachStep = Extract<Step, { kind: 'for_each' }>;

function itemsOf(frame: StepFrame, step: EachStep): readonly Json[] | null {
  const { items } = step;
  const found = items.step === null ? frame.args[items.arg] : resolveRef(items, scopeOf(frame));
  return Array.isArray(found) ? (found as readonly Json[]) : null;
}

/** Runs a block within its time limit, and aborts running and waiting branches at the deadline. */
async function inTime(
  run: RunContext,
  outer: StepFrame,
  step: Step,
  place: string,
  work: (frame: StepFrame) => Promise<Walked>,
): Promise<Walked> {
  const deadline = run.log.state.deadlines.get(place);
  if (deadline === undefined) return work(outer);
  const { clock } = run.ports;
  const late = (): boolean => clock.now() >= deadline;
  const link = linked(outer.signal);
  const cut = (): void => link.halt({ why: 'deadline', message: timedOut(step).message });
  const timer = clock.after(deadline - clock.now(), cut);
  if (late()) cut();
  try {
    const walked = await work({ ...outer, signal: link.signal });
    if (late() && (walked.type === 'failed' || walked.type === 'parked')) return timedOut(step);
    return walked.type === 'parked' ? { ...walked, wakeAt: earliest(walked.wakeAt, deadline) } : walked;
  } finally {
    timer.cancel();
    link.lift();
  }
}

export async function walkEach(
  run: RunContext,
  outer: StepFrame,
  step: EachStep,
  place: string,
  walk: WalkChildren,
): Promise<Walked> {
  const known = entered(run, step, place);
  if (known) return known;
  const items = itemsOf(outer, step);
  if (!items) return blockFailed(run, step, place, notAList(step));
  const walked = await inTime(run, outer, step, place, (frame) =>
    walkRounds(run, frame, step, place, items, walk),
  );
  if (walked.type === 'failed') return blockFailed(run, step, place, walked);
  return walked.type === 'done' && walked.result ? ended(run, place, walked.result) : walked;
}

async function walkRounds(
  run: RunContext,
  outer: StepFrame,
  step: EachStep,
  place: string,
  items: readonly Json[],
  walk: WalkChildren,
): Promise<Walked> {
  const rounds: Json[] = [];
  for (const [index, item] of items.entries()) {
    const paused = step.pauseMs > 0 && index > 0 && index % step.batchSize === 0;
    const pause = paused
      ? dueIn(run, `${place}[${index}]`, () => run.ports.clock.now() + step.pauseMs)
      : null;
    if (pause !== null) return { type: 'parked', wakeAt: pause };
    const loop = { ...outer.loop, [step.itemVar]: item, [step.indexVar]: index };
    const results = new Map(outer.results);
    const frame: StepFrame = { ...outer, indexes: [...outer.indexes, index], loop, results };
    const walked = await walk.list(run, frame, step.steps);
    if (walked.type !== 'done') return walked;
    const named = step.steps.flatMap(({ id }) => {
      const result = results.get(id) ?? null;
      return result?.skipped ? [] : [[id, jsonOf(result)] as const];
    });
    rounds.push(Object.fromEntries([[step.itemVar, item], [step.indexVar, index], ...named]));
  }
  return { type: 'done', result: { json: rounds } };
}

const notAList = (step: Step): Failed => ({
  type: 'failed',
  code: 'failed',
  message: say('workflows.stepNeedsList', { step: step.id }),
});

const timedOut = (step: Step): Failed => ({
  type: 'failed',
  code: 'timeout',
  message: say('workflows.stepTimedOut', { step: step.id, ms: step.timeoutMs ?? 0 }),
});

export async function walkSubWorkflow(
  run: RunContext,
  outer: StepFrame,
  step: Extract<Step, { kind: 'workflow' }>,
  place: string,
  walk: WalkChildren,
): Promise<Walked> {
  const known = entered(run, step, place);
  if (known) return known;
  const hash = run.log.state.children[childKey(outer.definitionHash, step.file)];
  const fail = (message: HostText): Walked =>
    blockFailed(run, step, place, { type: 'failed', code: 'failed', message });
  if (hash === undefined) return fail(say('workflows.calledFileAbsent', { file: step.file }));
  if (outer.depth >= maxDepth) return fail(say('workflows.calledTooDeep', { n: maxDepth, step: step.id }));
  const definition = run.log.definition(hash);
  const scope = scopeOf(outer);
  const given = Object.entries(step.args).map(([name, value]) => [name, renderValue(value, scope)] as const);
  const bound = bindArguments(definition, Object.fromEntries(given));
  if (!bound.ok)
    return fail(say('workflows.calledFileError', { file: step.file, what: messageOf(bound.error) }));
  const frame: StepFrame = {
    prefix: `${place}/`,
    definition,
    definitionHash: hash,
    args: bound.value,
    indexes: [],
    loop: {},
    results: new Map(),
    signal: outer.signal,
    depth: outer.depth + 1,
  };
  const walked = await inTime(run, frame, step, place, (inner) => walk.list(run, inner, definition.steps));
  if (walked.type === 'failed') return blockFailed(run, step, place, walked);
  if (walked.type !== 'done') return walked;
  const { stdout, response } = walked.result ?? {};
  // Takes the value from any kind of step; text that is not JSON counts as a string.
  const json = jsonOf(walked.result);
  const result: StepResult = {
    ...(stdout === undefined ? {} : { stdout }),
    ...(json === null ? {} : { json }),
    ...(response === undefined ? {} : { response }),
  };
  return ended(run, place, result);
}
