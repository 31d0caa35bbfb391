/**
 * State machine of a task, as a pure function. Only `finish` completes a task, a worker whose claim is over
 * changes nothing, and a pause waits for the end of a step.
 *
 *     pending -> running -> done | error          paused, waiting -> pending
 *     pending, running, waiting -> paused         error -> pending (retry)
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { assertNever } from '../lib/assert.ts';
import type { Lease, Task, TaskFailure } from './task.ts';

/** Fence token of a worker: returned by its claim and checked on every write. */
export interface Claim {
  readonly owner: string;
  readonly claim: number;
}

export type TaskEvent =
  | { readonly type: 'claimed'; readonly lease: Lease; readonly runner: string }
  /** Between two steps, the worker carries out the requested pause or cancellation and releases the task. */
  | { readonly type: 'yielded'; readonly by: Claim }
  /** The worker stops, e.g. with the host: the task returns to its position in the queue. */
  | { readonly type: 'released'; readonly by: Claim }
  | { readonly type: 'finished'; readonly by: Claim; readonly result: string }
  | { readonly type: 'failed'; readonly by: Claim; readonly failure: TaskFailure }
  | { readonly type: 'approval-asked'; readonly by: Claim; readonly approvalId: string }
  | { readonly type: 'approval-answered'; readonly approvalId: string }
  /**
   * The open step has started a run that waits for a person or a time: the step resumes after the run ends.
   */
  | { readonly type: 'run-awaited'; readonly by: Claim; readonly run: string; readonly name: string }
  | { readonly type: 'run-ended'; readonly run: string }
  /** The owner died or hit a fault. */
  | { readonly type: 'recovered'; readonly claim: number }
  /** Requests of a person. */
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'cancel' }
  | { readonly type: 'retry' };

/**
 * Consecutive crashes of owners, without a completed step in between, after which a task fails until a person
 * retries it.
 */
export const maxCrashes = 5;

export const isHeldBy = (task: Task, by: Claim): boolean =>
  task.status === 'running' && task.claim === by.claim && task.lease?.owner === by.owner;

const cancelled: TaskFailure = { kind: 'cancelled', message: say('tasks.cancelledByYou') };
/** Cancelling a task leaves the run that it started alone: a person may be reading its question just now. */
const cancelledAlone = (run: string): TaskFailure => ({
  kind: 'cancelled',
  message: say('tasks.cancelledAlone', { run }),
});
const crashed: TaskFailure = {
  kind: 'crashed',
  message: say('tasks.brokeOff', { n: maxCrashes }),
};

/** No owner, no request, nothing to wait for. */
const rest = { lease: null, asked: null, waitingFor: null } as const;

const refuse = (task: Task, what: HostText): AppError =>
  fail('conflict', 'tasks.wrongState', { id: task.id, status: task.status, what });

type Step = Result<Partial<Task>>;

function onClaim(task: Task, lease: Lease, runner: string): Step {
  if (task.status !== 'pending') return err(refuse(task, say('tasks.takePendingOnly')));
  return ok({ status: 'running', ...rest, lease, runner, claim: task.claim + 1 });
}

function byWorker(task: Task, event: Extract<TaskEvent, { by: Claim }>): Step {
  if (!isHeldBy(task, event.by)) return err(refuse(task, say('tasks.noLongerHeld')));
  const between = event.type !== 'failed' && event.type !== 'released' && event.type !== 'run-awaited';
  if (between && task.open.length > 0) return err(refuse(task, `step ${task.open[0]} has not ended yet.`));
  switch (event.type) {
    case 'yielded':
      if (task.asked === null) return err(refuse(task, say('tasks.stopNotRequested')));
      return ok(asAsked(task));
    case 'released':
      return ok(asAsked(task));
    case 'finished':
      // The step finished before it could stop, so the task is done, even if a pause or cancellation was
      // requested.
      return ok({ status: 'done', ...rest, result: event.result, failure: null });
    case 'failed':
      return ok({ status: 'error', ...rest, failure: event.failure });
    case 'approval-asked':
      if (task.asked !== null) return ok(asAsked(task));
      return ok({
        status: 'waiting',
        ...rest,
        waitingFor: { kind: 'approval', approvalId: event.approvalId },
      });
    case 'run-awaited': {
      if (task.asked !== null) return ok(asAsked(task));
      const { run, name } = event;
      return ok({ status: 'waiting', ...rest, waitingFor: { kind: 'run', run, name } });
    }
    default:
      return assertNever(event);
  }
}

function asAsked(task: Task): Partial<Task> {
  if (task.asked === 'cancel') return { status: 'error', ...rest, failure: cancelled };
  return { status: task.asked === 'pause' ? 'paused' : 'pending', ...rest };
}

function onRecovery(task: Task, claim: number): Step {
  if (task.status !== 'running' || task.claim !== claim)
    return err(refuse(task, say('tasks.nothingToRecover')));
  const crashes = task.crashes + 1;
  if (crashes >= maxCrashes && task.asked !== 'cancel') {
    return ok({ status: 'error', ...rest, crashes, failure: crashed });
  }
  return ok({ ...asAsked(task), crashes });
}

function onAnswer(task: Task, approvalId: string): Step {
  const waits = task.waitingFor?.kind === 'approval' && task.waitingFor.approvalId === approvalId;
  return waits ? noLongerWaiting(task) : err(refuse(task, say('tasks.answerNotAwaited')));
}

function onRunEnded(task: Task, run: string): Step {
  const waits = task.waitingFor?.kind === 'run' && task.waitingFor.run === run;
  return waits ? noLongerWaiting(task) : err(refuse(task, say('tasks.runNotAwaited')));
}

function noLongerWaiting(task: Task): Step {
  // If paused meanwhile, it stays paused.
  return ok(task.status === 'waiting' ? { status: 'pending', ...rest } : rest);
}

const live = ({ status }: Task): boolean =>
  status === 'pending' || status === 'running' || status === 'waiting';

function onPause(task: Task): Step {
  if (!live(task) || task.asked === 'cancel') return err(refuse(task, say('tasks.nothingToPause')));
  return ok(task.status === 'running' ? { asked: 'pause' } : { status: 'paused' });
}

function onResume(task: Task): Step {
  if (task.asked === 'pause') return ok({ asked: null });
  if (task.status !== 'paused') return err(refuse(task, say('tasks.resumePausedOnly')));
  // An open question stays open.
  return ok({ status: task.waitingFor ? 'waiting' : 'pending' });
}

function onCancel(task: Task): Step {
  if (task.status === 'running') return ok({ asked: 'cancel' });
  if (!live(task) && task.status !== 'paused') return err(refuse(task, say('tasks.nothingToCancel')));
  const failure = task.waitingFor?.kind === 'run' ? cancelledAlone(task.waitingFor.run) : cancelled;
  return ok({ status: 'error', ...rest, failure });
}

function onRetry(task: Task): Step {
  if (task.status === 'done') return err(refuse(task, say('tasks.alreadySucceeded')));
  if (task.status !== 'error') return err(refuse(task, say('tasks.retryFailedOnly')));
  return ok({ status: 'pending', ...rest, failure: null, crashes: 0, archivedAt: null });
}

function changeOf(task: Task, event: TaskEvent): Step {
  switch (event.type) {
    case 'claimed':
      return onClaim(task, event.lease, event.runner);
    case 'recovered':
      return onRecovery(task, event.claim);
    case 'approval-answered':
      return onAnswer(task, event.approvalId);
    case 'run-ended':
      return onRunEnded(task, event.run);
    case 'pause':
      return onPause(task);
    case 'resume':
      return onResume(task);
    case 'cancel':
      return onCancel(task);
    case 'retry':
      return onRetry(task);
    default:
      return byWorker(task, event);
  }
}

/** If a step may or may not have happened, the task waits until a person says which (spec §6.3). */
export function askAboutUnknown(task: Task, unknown: number | null): Task {
  if (task.status !== 'pending' || unknown === null) return task;
  return { ...task, status: 'waiting', waitingFor: { kind: 'unknown-step', step: unknown } };
}

/**
 * `conflict` without a change if the event does not fit the state. `unknown`: the first open step that must
 * not repeat without approval, `null` if none.
 */
export function applyToTask(
  task: Task,
  event: TaskEvent,
  at: number,
  unknown: number | null = null,
): Result<Task> {
  const change = changeOf(task, event);
  if (!change.ok) return change;
  // After the clock is set back, a task must not look changed before it was created.
  const changed = { ...task, ...change.value, updatedAt: Math.max(at, task.createdAt) };
  return ok(askAboutUnknown(changed, unknown));
}
