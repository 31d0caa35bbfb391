/**
 * Runs one claim of a task turn by turn, until it is done, failed, waiting, or released. Every end is
 * recorded as what it is, and only `finish` completes a task.
 */

import { type AppError, messageOf } from '../../contract/errors.ts';
import { englishText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { transcriptText } from '../models/messages.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { Claim, TaskEvent } from '../tasks/lifecycle.ts';
import type { Task, TaskFailure } from '../tasks/task.ts';
import type { TaskJournal } from '../tasks/task-journal.ts';
import type { TaskStore } from '../tasks/task-ports.ts';
import { maxIdleAnswers } from '../tasks/task-prompts.ts';
import type { RuntimeEvent, RuntimePort, TurnAbort, TurnInput } from './runtime-port.ts';

export interface TaskWorkDeps {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly log: Log;
  /**
   * Called before the task is recorded as done, to announce its result: a crash in between announces it only
   * once.
   */
  finishing(task: Task, result: string): Promise<void>;
}

/** One claim of a task. */
export interface RunningTask {
  readonly task: Task;
  readonly claim: Claim;
  readonly journal: TaskJournal;
  readonly runtime: RuntimePort;
  readonly turn: TurnInput;
  /** Ends the turn: `interrupted` resumes later, `stopped` is final. */
  readonly signal: AbortSignal;
}

type Ended = Extract<RuntimeEvent, { type: 'turn_done' | 'turn_failed' }>;

/** Retries of an unreachable server before the task fails: 8 to 15 minutes, depending on jitter. */
const maxWaits = 6;
const waitPolicy = { firstMs: 20_000, maxMs: 300_000 };
const passing: readonly AppError['code'][] = ['unavailable', 'timeout', 'protocol', 'rate_limited'];

export async function workOnTask(deps: TaskWorkDeps, work: RunningTask): Promise<void> {
  const waits = { count: 0 };
  for (;;) {
    const next = work.journal.stop ? 'settle' : await oneTurn(deps, work, waits);
    if (next === 'settle' || isOver(work)) return settle(deps, work);
    if (next !== 'again') return fail(deps, work, next);
  }
}

const isOver = ({ journal, signal }: RunningTask): boolean => journal.stop !== null || signal.aborted;

async function oneTurn(
  deps: TaskWorkDeps,
  work: RunningTask,
  waits: { count: number },
): Promise<'again' | 'settle' | TaskFailure> {
  const { journal } = work;
  const before = journal.load().length;
  const ended = await turn(work);
  if (ended?.type === 'turn_done' && !journal.stop) journal.append('', ended.transcript);
  if (!ended || isOver(work)) return 'settle';
  if (journal.idle >= maxIdleAnswers) return idleFailure(journal);
  const further = journal.load().length > before;
  if (ended.type === 'turn_done') return further ? 'again' : saidNothing;
  return (await outlast(deps, work, { error: ended.error, waits, further })) ?? 'again';
}

/** Backs off if a retry may help; otherwise returns the failure of the task. */
async function outlast(
  { clock, random, log }: TaskWorkDeps,
  { journal, task, signal }: RunningTask,
  {
    error,
    waits,
    further,
  }: { readonly error: AppError; readonly waits: { count: number }; readonly further: boolean },
): Promise<TaskFailure | null> {
  journal.requestFailed(error.message);
  // Progress since the last failure resets the count.
  if (further) waits.count = 0;
  if (!passing.includes(error.code) || waits.count >= maxWaits) return failureOf(error);
  const inMs = backoffMs(waitPolicy, waits.count, random.fraction());
  waits.count += 1;
  log.info('task_waits', { task: task.id, code: error.code, inMs });
  await sleep(clock, inMs, signal);
  journal.mayGoOn();
  return null;
}

/** `null` if the turn was interrupted. */
async function turn({ runtime, turn: input, signal }: RunningTask): Promise<Ended | null> {
  let ended: Ended | null = null;
  try {
    for await (const event of runtime.run(input, signal)) {
      if (event.type === 'turn_done' || event.type === 'turn_failed') ended = event;
    }
  } catch (error) {
    // The journal throws `TaskPaused` to stop between two steps; any other error is a fault.
    if (!(error instanceof Error && error.name === 'TaskPaused')) throw error;
  }
  return ended;
}

const saidNothing: TaskFailure = { kind: 'failed', message: say('workflows.modelGaveNoAnswer') };
const failureOf = (error: AppError): TaskFailure => ({ kind: 'failed', message: messageOf(error) });

function idleFailure(journal: TaskJournal): TaskFailure {
  const said = journal.load().findLast(({ message }) => message.role === 'assistant');
  const words = said ? transcriptText(said.message).trim().slice(0, 300) : '';
  const first = say('tasks.idle', { n: maxIdleAnswers });
  const message =
    words === '' ? first : say('host.twoSentences', { first, second: say('tasks.lastAnswer', { words }) });
  return { kind: 'failed', message };
}

function change({ store, clock, log }: TaskWorkDeps, { task }: RunningTask, event: TaskEvent): boolean {
  const changed = store.change(task.id, event, clock.now());
  if (!changed.ok)
    log.info('task_not_changed', { task: task.id, event: event.type, why: changed.error.message });
  return changed.ok;
}

function fail(deps: TaskWorkDeps, work: RunningTask, failure: TaskFailure): void {
  const { task, claim: by } = work;
  // A cancellation that arrived meanwhile takes precedence.
  const asked = deps.store.task(task.id)?.asked === 'cancel';
  change(deps, work, asked ? { type: 'released', by } : { type: 'failed', by, failure });
}

async function settle(deps: TaskWorkDeps, work: RunningTask): Promise<void> {
  const { task, journal, claim: by, signal } = work;
  const { stop } = journal;
  switch (stop?.type) {
    case 'finished':
      await deps.finishing(task, stop.result);
      change(deps, work, { type: 'finished', by, result: stop.result });
      return;
    case 'budget':
      journal.requestFailed(englishText(stop.message));
      return fail(deps, work, { kind: 'budget', message: stop.message });
    case 'waiting':
      return;
    case 'lost':
      // Still this worker's claim: the journal cannot continue, and a retry would not help.
      if (deps.store.task(task.id)?.claim === by.claim)
        fail(deps, work, { kind: 'failed', message: stop.message });
      return;
    default:
      if (signal.reason === ('stopped' satisfies TurnAbort))
        journal.requestFailed(englishText(say('tasks.cancelledByYou')));
      // Paused, cancelled, or returned to the queue.
      change(deps, work, { type: 'released', by });
  }
}
