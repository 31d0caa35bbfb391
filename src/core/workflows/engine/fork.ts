/**
 * Running again from a step: another run, with the same definition and arguments, that takes over what the steps before it
 * left. History is not written anew, and no answer counts twice: a yes belongs to the run in which it was given, so that
 * questions are asked again, and what depends on an answer that may turn out otherwise cannot be taken over at all.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { Outcome, Step, WorkflowDefinition } from '../file/definition.ts';
import type { EnginePorts, RunRow } from './engine-ports.ts';
import { brokenAt, type ForkOrigin, type Person, type RunEvent, type TakenStep } from './events.ts';
import { foldRun, type GateState, isBelow, isFinished, type RunState, type StepState } from './fold.ts';
import { newRow } from './new-run.ts';
import { pinned, RunDamaged } from './run-log.ts';

export interface ForkRequest {
  readonly run: string;
  /** A step of the file's own list; null: from the beginning. */
  readonly from: string | null;
  /** Who wants it. The rights of the new run are those of whoever started the first one. */
  readonly by: Person;
  readonly idempotencyKey?: string;
}

export interface ForkPlan {
  readonly taken: readonly TakenStep[];
  /** Questions before the step, by path: they are asked again. */
  readonly asked: readonly string[];
  /** What may happen only once, has been begun, and will be begun again if the run comes to it. */
  readonly once: readonly string[];
}

const isAt = (path: string, step: Step): boolean => path === step.path || isBelow(path, step.path);

const refuse = (message: string, hint: string) => err(appError('conflict', message, { hint }));

/** Null: nothing of it can be taken over. */
function takenOf({ path, effect, ended, failed, skipped }: StepState): TakenStep | null {
  if (skipped) return { path, effect, left: 'skipped' };
  if (ended) return { path, effect, left: { ended } };
  return failed ? { path, effect, left: { failed } } : null;
}

const ends = ({ then }: Outcome): boolean => then !== 'continue';

/** Whether a yes was the only answer with which the run could have come past it. */
function onlyYes(step: Step, gate: GateState): boolean {
  const { approval } = step;
  const own = gate.path === step.path && gate.slot === 'approval' && gate.decision === 'approve';
  return own && approval !== null && ends(approval.onReject) && ends(approval.onTimeout);
}

/** What became of a step that was interrupted is a fact, and no permission. */
const asksLeave = (gate: GateState): boolean => gate.content.kind !== 'uncertain';

/** The rounds of a loop and the steps of a workflow inside are seen by nobody behind them. */
const isSeen = (path: string): boolean => !path.includes('[') && !path.includes('/');

type Part = Pick<ForkPlan, 'taken' | 'asked'>;

function partOf(state: RunState, step: Step): Result<Part> {
  const gates = [...state.gateAt.values()].filter((gate) => isAt(gate.path, step) && asksLeave(gate));
  if (!gates.every((gate) => onlyYes(step, gate))) {
    return refuse(
      `What comes behind '${step.path}' depends on an answer, and an answer is good for its own run only.`,
      `Run it again from '${step.path}' or from a step before it.`,
    );
  }
  const places = [...state.steps.values()].filter(({ path }) => isAt(path, step) && isSeen(path));
  const taken = places.flatMap((place) => takenOf(place) ?? []);
  const own = state.steps.get(step.path);
  const passed = own ? takenOf(own) !== null : step.kind === 'approval' && gates.length > 0;
  const stopped = own?.failed && step.onError === 'stop' && step.kind !== 'llm-task';
  if (passed && !stopped) return ok({ taken, asked: gates.map(({ path }) => path) });
  return refuse(`The run did not come past '${step.path}'.`, `Run it again from '${step.path}'.`);
}

const onceIn = (state: RunState, again: (path: string) => boolean): readonly string[] =>
  [...state.steps.values()]
    .filter(
      ({ path, effect, attempts, taken }) => effect === 'once' && (attempts > 0 || taken) && again(path),
    )
    .map(({ path }) => path);

/** What a run from this step would take over, ask again and do again. */
export function planFork(
  state: RunState,
  definition: WorkflowDefinition,
  from: string | null,
): Result<ForkPlan> {
  if (from === null) return ok({ taken: [], asked: [], once: onceIn(state, () => true) });
  const at = definition.steps.findIndex(({ path }) => path === from);
  if (at < 0) {
    const message = `There is no step '${from}' in the file's own list.`;
    return err(appError('not_found', message, { hint: 'Name the step that it is part of.' }));
  }
  const parts: Part[] = [];
  for (const step of definition.steps.slice(0, at)) {
    const part = partOf(state, step);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  const rest = definition.steps.slice(at);
  return ok({
    taken: parts.flatMap(({ taken }) => taken),
    asked: parts.flatMap(({ asked }) => asked),
    once: onceIn(state, (path) => rest.some((step) => isAt(path, step))),
  });
}

function definitionOf({ journal, sha256 }: EnginePorts, row: RunRow): Result<WorkflowDefinition> {
  try {
    return ok(pinned(sha256, row.definition, journal.definition(row.definition)));
  } catch (error) {
    if (!(error instanceof RunDamaged)) throw error;
    return err(appError('corrupt', error.message));
  }
}

const noRun = (run: string): AppError => appError('not_found', `There is no run '${run}'.`);

const isSame = (known: ForkOrigin | null, wanted: ForkOrigin): boolean =>
  known?.run === wanted.run && known.from === wanted.from;

export function forkRun(ports: EnginePorts, request: ForkRequest): Result<RunRow> {
  const { journal, clock } = ports;
  const { run, from, by, idempotencyKey } = request;
  const before = journal.run(run);
  if (!before) return err(noRun(run));
  if (!isFinished(before.status)) return refuse('This run has not ended.', 'Cancel it, or wait for its end.');
  const rows = journal.events(run, 0);
  const state = foldRun(run, rows);
  if (brokenAt(ports.sha256, run, rows) !== null || !isFinished(state.status))
    return err(
      appError('corrupt', 'The history of this run is not whole: nothing can be taken over from it.'),
    );
  const definition = definitionOf(ports, before);
  if (!definition.ok) return definition;
  const plan = planFork(state, definition.value, from);
  if (!plan.ok) return plan;
  const { children, args, initiatedBy, origin } = state;
  const row = newRow(ports, before.definition, idempotencyKey);
  const event: RunEvent = {
    ...{ type: 'run_created', definition: before.definition, children, args, initiatedBy },
    ...(origin ? { origin } : {}),
    forkedFrom: { run, from, by, taken: plan.value.taken },
  };
  const created = journal.create({ row, definitions: [], event });
  if (created.id !== row.id) {
    const known = foldRun(created.id, journal.events(created.id, 0)).forkedFrom;
    return isSame(known, { run, from, by })
      ? ok(created)
      : refuse('This idempotency key belongs to another run.', 'Use another one.');
  }
  // A program that is killed before leaves the new run whole; only the old one does not know of it.
  const events: readonly RunEvent[] = [{ type: 'run_forked', run: row.id, from, by }];
  const noted = journal.append({ run, at: clock.now(), afterSeq: Number.MAX_SAFE_INTEGER, events });
  return noted.ok ? ok(row) : noted;
}
