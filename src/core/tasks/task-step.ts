/**
 * Steps of a task. Each is stored before anything happens and ended once, with everything that a replay
 * needs, so a model is never asked and paid twice (spec §6.3).
 */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { ReplayPolicy } from '../models/transcript-store.ts';
import { addSpent, costLimitReason, noneSpent, type Spent } from '../models/usage.ts';
import { askAboutUnknown, type Claim, isHeldBy } from './lifecycle.ts';
import type { Task } from './task.ts';

export const taskStepSchema = z.strictObject({
  /** From 1, in order of start. */
  number: z.number().int(),
  /** `decision`: a model answer; `action`: a tool call. */
  kind: z.enum(['decision', 'action']),
  /** Name of the tool, or `decision`. */
  action: z.string(),
  /** Idempotency key for the tool; unique per task and stable across repeats. */
  callId: z.string(),
  /** Digest of the arguments, to detect a replay that differs. */
  digest: z.string(),
  replay: z.enum(['safe', 'never']),
  /** ms since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  result: z.string().nullable(),
  error: z.string().nullable(),
  /** Changes to the memory of the task; `null` removes a name. */
  memory: z.record(z.string(), z.unknown()),
});
export type TaskStep = Readonly<z.infer<typeof taskStepSchema>>;

export interface StepDraft {
  readonly kind: TaskStep['kind'];
  readonly action: string;
  readonly callId: string;
  readonly digest: string;
  readonly replay: ReplayPolicy;
}

export interface StepEnd {
  readonly result: string | null;
  readonly error: string | null;
  readonly memory?: Readonly<Record<string, unknown>>;
  readonly used?: Spent;
}

export interface StepChange {
  readonly task: Task;
  readonly step: TaskStep;
}

const stale = () => err(fail('conflict', 'tasks.takenByAnotherWorker'));

/** Applies `patch`; `null` values remove their names. */
export function patchMemory(
  memory: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...memory, ...patch }).filter(([, value]) => value !== null));
}

/** Reason that no further step fits the budget; `null` if one does. */
function usedUp({ budget, used, steps }: Task): HostText | null {
  if (budget.steps !== null && steps >= budget.steps) return say('tasks.allStepsUsed', { n: budget.steps });
  if (budget.tokens !== null && used.tokens >= budget.tokens)
    return say('tasks.allTokensUsed', { n: budget.tokens });
  return budget.usd === null ? null : costLimitReason(used, budget.usd);
}

/** `rate_limited` if the budget is spent: the worker then fails the task with kind `budget`. */
export function startStep(task: Task, claim: Claim, draft: StepDraft, at: number): Result<StepChange> {
  if (!isHeldBy(task, claim)) return stale();
  if (task.asked) {
    return err(fail('cancelled', 'tasks.stopRequested', { what: task.asked }));
  }
  const limit = usedUp(task);
  if (limit) {
    return err(fail('rate_limited', 'tasks.taskBudgetSpent', { limit }, { help: 'tasks.raiseBudget' }));
  }
  const number = task.steps + 1;
  const step = { ...draft, number, startedAt: at, endedAt: null, result: null, error: null, memory: {} };
  return ok({ task: { ...task, steps: number, open: [...task.open, number], updatedAt: at }, step });
}

/**
 * Resumes a call after a crash: a step that has ended returns its stored result, so no request is repeated or
 * paid again; an open one runs again under its number.
 */
export function resumeStep(task: Task, claim: Claim, known: TaskStep, draft: StepDraft): Result<StepChange> {
  if (!isHeldBy(task, claim)) return stale();
  if (known.digest !== draft.digest || known.action !== draft.action) {
    return err(fail('conflict', 'tasks.stepCallChanged', { n: known.number }));
  }
  if (afterCrash(known) === 'ask') {
    return err(fail('conflict', 'tasks.stepOutcomeUnknown', { n: known.number }));
  }
  return ok({ task, step: known });
}

export function endStep(
  task: Task,
  claim: Claim,
  step: TaskStep,
  end: StepEnd,
  at: number,
): Result<StepChange> {
  if (!isHeldBy(task, claim)) return stale();
  return close(task, step, end, at);
}

function close(task: Task, step: TaskStep, end: StepEnd, at: number): Result<StepChange> {
  if (step.endedAt !== null || !task.open.includes(step.number)) {
    return err(fail('conflict', 'tasks.stepEndedAlready', { n: step.number }));
  }
  const { result, error, memory = {}, used = noneSpent } = end;
  return ok({
    task: {
      ...task,
      open: task.open.filter((number) => number !== step.number),
      memory: patchMemory(task.memory, memory),
      used: addSpent(task.used, used),
      // A completed step resets the count of crashes.
      crashes: 0,
      updatedAt: at,
    },
    step: { ...step, result, error, memory: { ...memory }, endedAt: at },
  });
}

/** How to resume a step after a crash. */
export function afterCrash(step: TaskStep): 'reuse' | 'repeat' | 'ask' {
  if (step.endedAt !== null) return 'reuse';
  return step.replay === 'safe' ? 'repeat' : 'ask';
}

/** First open step that must not repeat without approval. */
export const unknownStep = (open: readonly TaskStep[]): number | null =>
  open.find((step) => afterCrash(step) === 'ask')?.number ?? null;

/**
 * Records a person's statement about an interrupted step; the model reads it as the step's result. `others`:
 * the remaining open steps, of which the next may need a statement, too.
 */
export function settleUnknown(
  task: Task,
  step: TaskStep,
  happened: 'yes' | 'no',
  others: readonly TaskStep[],
  at: number,
): Result<StepChange> {
  if (task.waitingFor?.kind !== 'unknown-step' || task.waitingFor.step !== step.number) {
    return err(fail('conflict', 'tasks.stepNotAsked', { id: task.id, step: step.number }));
  }
  const end: StepEnd =
    happened === 'yes'
      ? { result: 'This was interrupted. A person has looked: it had happened.', error: null }
      : { result: null, error: 'This was interrupted. A person has looked: it had not happened.' };
  const closed = close(task, step, end, at);
  if (!closed.ok) return closed;
  const settled = { ...closed.value.task, waitingFor: null };
  // If paused meanwhile, it stays paused.
  if (settled.status === 'paused') return ok({ ...closed.value, task: settled });
  const next = askAboutUnknown({ ...settled, status: 'pending' }, unknownStep(others));
  return ok({ ...closed.value, task: next });
}
