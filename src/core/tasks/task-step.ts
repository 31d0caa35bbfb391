/**
 * The steps of a task. It promises intent before effect: a step is stored as begun before anything happens, and its end
 * once, with everything a replay needs, so that a model is not asked and not paid again (spec §6.3).
 */
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { addSpent, moneyStop, noneSpent, type Spent } from '../models/usage.ts';
import type { ReplayPolicy } from '../tool-ports.ts';
import { askAboutUnknown, type Claim, holds } from './lifecycle.ts';
import type { Task } from './task.ts';

export const taskStepSchema = z.strictObject({
  /** From 1, in the order in which steps began. */
  number: z.number().int(),
  /** `decision` is an answer of the model, `action` a call of a tool. */
  kind: z.enum(['decision', 'action']),
  /** What is done, in a few words: the tool's name or `decision`. */
  action: z.string(),
  /** The call that is handed to the tool as idempotency key; one of its kind in a task, the same when it is repeated. */
  callId: z.string(),
  /** Of the arguments, so that a replay that differs is noticed. */
  digest: z.string(),
  replay: z.enum(['safe', 'never']),
  /** ms since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  result: z.string().nullable(),
  error: z.string().nullable(),
  /** What it changed in the task's memory; null takes a name away. */
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

const stale = () => err(appError('conflict', 'Another worker has this task now. Nothing was changed.'));

/** The names that `patch` gives, without those it takes away. */
export function patchMemory(
  memory: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...memory, ...patch }).filter(([, value]) => value !== null));
}

/** Null while there is room for one more step. */
function usedUp({ budget, used, steps }: Task): string | null {
  if (budget.steps !== null && steps >= budget.steps) return `all ${budget.steps} steps are used`;
  if (budget.tokens !== null && used.tokens >= budget.tokens) return `all ${budget.tokens} tokens are used`;
  return budget.usd === null ? null : moneyStop(used, budget.usd);
}

/** `rate_limited` when the budget is used up: the worker then fails the task with kind `budget`. */
export function startStep(task: Task, claim: Claim, draft: StepDraft, at: number): Result<StepChange> {
  if (!holds(task, claim)) return stale();
  if (task.asked) {
    return err(appError('cancelled', `You asked this task to ${task.asked}: no further step is begun.`));
  }
  const limit = usedUp(task);
  if (limit) {
    return err(
      appError('rate_limited', `The task's budget is spent: ${limit}. What it did is kept.`, {
        hint: 'Raise the budget and retry the task.',
      }),
    );
  }
  const number = task.steps + 1;
  const step = { ...draft, number, startedAt: at, endedAt: null, result: null, error: null, memory: {} };
  return ok({ task: { ...task, steps: number, open: [...task.open, number], updatedAt: at }, step });
}

/**
 * The same call once more, because its task goes on after a crash: a step that has ended is given back with its result, so
 * that nobody is asked or paid again; one that has not is done again under its number.
 */
export function resumeStep(task: Task, claim: Claim, known: TaskStep, draft: StepDraft): Result<StepChange> {
  if (!holds(task, claim)) return stale();
  if (known.digest !== draft.digest || known.action !== draft.action) {
    return err(
      appError('conflict', `Step ${known.number} did something else under this call. Its record is kept.`),
    );
  }
  if (afterCrash(known) === 'ask') {
    return err(
      appError('conflict', `Nobody knows whether step ${known.number} happened: it is not repeated.`),
    );
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
  if (!holds(task, claim)) return stale();
  return close(task, step, end, at);
}

function close(task: Task, step: TaskStep, end: StepEnd, at: number): Result<StepChange> {
  if (step.endedAt !== null || !task.open.includes(step.number)) {
    return err(appError('conflict', `Step ${step.number} has ended already; its first result is kept.`));
  }
  const { result, error, memory = {}, used = noneSpent } = end;
  return ok({
    task: {
      ...task,
      open: task.open.filter((number) => number !== step.number),
      memory: patchMemory(task.memory, memory),
      used: addSpent(task.used, used),
      // A step that came to its end: whatever killed its owners before is over.
      crashes: 0,
      updatedAt: at,
    },
    step: { ...step, result, error, memory: { ...memory }, endedAt: at },
  });
}

/** What to do with a step when its task goes on after a crash. */
export function afterCrash(step: TaskStep): 'reuse' | 'repeat' | 'ask' {
  if (step.endedAt !== null) return 'reuse';
  return step.replay === 'safe' ? 'repeat' : 'ask';
}

/** The first step of these that must not be repeated unasked. */
export const unknownStep = (open: readonly TaskStep[]): number | null =>
  open.find((step) => afterCrash(step) === 'ask')?.number ?? null;

/**
 * A person says what became of an interrupted step. The model reads it as the step's result and goes on from there.
 * `others`: the steps that are open besides, of which the next may have to be asked about.
 */
export function settleUnknown(
  task: Task,
  step: TaskStep,
  happened: 'yes' | 'no',
  others: readonly TaskStep[],
  at: number,
): Result<StepChange> {
  if (task.waitingFor?.kind !== 'unknown-step' || task.waitingFor.step !== step.number) {
    return err(appError('conflict', `Task ${task.id} does not ask about step ${step.number}.`));
  }
  const end: StepEnd =
    happened === 'yes'
      ? { result: 'This was interrupted. A person has looked: it had happened.', error: null }
      : { result: null, error: 'This was interrupted. A person has looked: it had not happened.' };
  const closed = close(task, step, end, at);
  if (!closed.ok) return closed;
  const settled = { ...closed.value.task, waitingFor: null };
  // Paused meanwhile: it stays so.
  if (settled.status === 'paused') return ok({ ...closed.value, task: settled });
  const next = askAboutUnknown({ ...settled, status: 'pending' }, unknownStep(others));
  return ok({ ...closed.value, task: next });
}
