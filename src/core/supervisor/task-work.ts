/**
 * One claim's work on one task, turn by turn, until it is done, failed, waits, or is given back. It promises that every end
 * is written down as what it is, and that only `finish` completes a task.
 */
import type { AppError } from '../../contract/errors.ts';
import { backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { messageText } from '../models/messages.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { RuntimeEvent, RuntimePort, TurnAbort, TurnInput } from '../runtime-ports.ts';
import type { Claim, TaskEvent } from '../tasks/lifecycle.ts';
import type { Task, TaskFailure } from '../tasks/task.ts';
import type { TaskJournal } from '../tasks/task-journal.ts';
import type { TaskStore } from '../tasks/task-ports.ts';
import { maxIdleAnswers } from '../tasks/task-words.ts';

export interface TaskWorkDeps {
  readonly store: TaskStore;
  readonly task: Task;
  readonly claim: Claim;
  readonly journal: TaskJournal;
  readonly runtime: RuntimePort;
  readonly turn: TurnInput;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly log: Log;
  /** Ends the turn: `interrupted` as one that goes on another time, `stopped` for good. */
  readonly signal: AbortSignal;
  /** Before it is written down as done: where its result is told, so that a crash in between tells it once. */
  finishing(result: string): Promise<void>;
}

type Ended = Extract<RuntimeEvent, { type: 'turn_done' | 'turn_failed' }>;

/** A server that cannot be reached is asked again this often before the task fails: about a quarter of an hour. */
const maxWaits = 6;
const waitPolicy = { firstMs: 20_000, maxMs: 300_000 };
const passing: readonly AppError['code'][] = ['unavailable', 'timeout', 'protocol', 'rate_limited'];

export async function workOnTask(deps: TaskWorkDeps): Promise<void> {
  const waits = { count: 0 };
  for (;;) {
    const next = deps.journal.stop ? 'settle' : await oneTurn(deps, waits);
    if (next === 'settle' || isOver(deps)) return settle(deps);
    if (next !== 'again') return fail(deps, next);
  }
}

const isOver = ({ journal, signal }: TaskWorkDeps): boolean => journal.stop !== null || signal.aborted;

async function oneTurn(
  deps: TaskWorkDeps,
  waits: { count: number },
): Promise<'again' | 'settle' | TaskFailure> {
  const { journal } = deps;
  const before = journal.load().length;
  const ended = await turn(deps);
  if (ended?.type === 'turn_done' && !journal.stop) journal.append('', ended.transcript);
  if (!ended || isOver(deps)) return 'settle';
  if (journal.idle >= maxIdleAnswers) return idleFailure(journal);
  const further = journal.load().length > before;
  if (ended.type === 'turn_done') return further ? 'again' : saidNothing;
  return (await outlast(deps, ended.error, waits, further)) ?? 'again';
}

/** Waits where waiting may help; what it returns is the task's failure. */
async function outlast(
  { journal, clock, random, log, task, signal }: TaskWorkDeps,
  error: AppError,
  waits: { count: number },
  further: boolean,
): Promise<TaskFailure | null> {
  journal.requestFailed(error.message);
  // What got further than the last time begins to count anew.
  if (further) waits.count = 0;
  if (!passing.includes(error.code) || waits.count >= maxWaits) return failureOf(error);
  const inMs = backoffMs(waitPolicy, waits.count, random.fraction());
  waits.count += 1;
  log.info('task_waits', { task: task.id, code: error.code, inMs });
  await sleep(clock, inMs, signal);
  journal.mayGoOn();
  return null;
}

/** Null: it was left as it is. */
async function turn({ runtime, turn: input, signal }: TaskWorkDeps): Promise<Ended | null> {
  let ended: Ended | null = null;
  try {
    for await (const event of runtime.run(input, signal)) {
      if (event.type === 'turn_done' || event.type === 'turn_failed') ended = event;
    }
  } catch (error) {
    // Its own way of stopping between two steps; anything else is a fault.
    if (!(error instanceof Error && error.name === 'TaskPaused')) throw error;
  }
  return ended;
}

const saidNothing: TaskFailure = { kind: 'failed', message: 'The model gave no answer.' };
const failureOf = ({ message }: AppError): TaskFailure => ({ kind: 'failed', message });

function idleFailure(journal: TaskJournal): TaskFailure {
  const said = journal.load().findLast(({ message }) => message.role === 'assistant');
  const words = said ? messageText(said.message).trim().slice(0, 300) : '';
  const last = words === '' ? '' : ` Its last words: ${words}`;
  return { kind: 'failed', message: `It answered ${maxIdleAnswers} times without doing anything.${last}` };
}

function change({ store, task, clock, log }: TaskWorkDeps, event: TaskEvent): boolean {
  const changed = store.change(task.id, event, clock.now());
  if (!changed.ok)
    log.info('task_not_changed', { task: task.id, event: event.type, why: changed.error.message });
  return changed.ok;
}

function fail(deps: TaskWorkDeps, failure: TaskFailure): void {
  const { store, task, claim: by } = deps;
  // Cancelled meanwhile: that is what it was.
  const asked = store.task(task.id)?.asked === 'cancel';
  change(deps, asked ? { type: 'released', by } : { type: 'failed', by, failure });
}

async function settle(deps: TaskWorkDeps): Promise<void> {
  const { journal, claim: by, signal } = deps;
  const { stop } = journal;
  switch (stop?.type) {
    case 'finished':
      await deps.finishing(stop.result);
      change(deps, { type: 'finished', by, result: stop.result });
      return;
    case 'budget':
      journal.requestFailed(stop.message);
      return fail(deps, { kind: 'budget', message: stop.message });
    case 'waiting':
      return;
    case 'lost':
      // Nobody else has it: then it cannot go on, and trying again would not change that.
      if (deps.store.task(deps.task.id)?.claim === by.claim)
        fail(deps, { kind: 'failed', message: stop.message });
      return;
    default:
      if (signal.reason === ('stopped' satisfies TurnAbort)) journal.requestFailed('You cancelled the task.');
      // Paused, cancelled, or given back to the queue.
      change(deps, { type: 'released', by });
  }
}
