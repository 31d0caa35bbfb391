/**
 * One agent's worker: takes stored messages thread by thread, has each batch answered once, and closes it in one
 * transaction. Whatever stops it, unfinished work stays open in the store and is taken up at the next start.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import { threadRootOf } from '../agents/thread-root.ts';
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { OpenTurn, OpenWork, Priority, StoredMessage, TurnAbort, TurnOutcome } from '../ports.ts';
import { type TurnDone, type TurnJob, workOnBatch } from './batch-turn.ts';
import { type Batch, createTurnQueue, type TurnQueue } from './turn-queue.ts';
import type { Worker, WorkerDeps } from './worker-ports.ts';

/** ms; so that agents that hear the same message do not all answer in the same instant (spec §6.3). */
const dispatchPauseMs = 1_500;
const leastUrgentDirect: Priority = 2;
const storeRetry: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000 };

export function createWorker(deps: WorkerDeps): Worker {
  const stopping = new AbortController();
  const queue = createTurnQueue();
  const add = (message: StoredMessage, priority: Priority): boolean => {
    const rootId = threadRootOf(message, (id) => deps.store.message(id));
    return queue.add({ message, priority, rootId });
  };
  const recover = (): void => {
    const open = deps.store.openWork();
    const queued = [...resumed(deps, queue, open), ...open.filter((one) => add(one.message, one.priority))];
    if (queued.length > 0) deps.events.onQueued(queued.map((one) => one.message));
  };
  const pump = createPump({ deps, queue, recover, stopping: stopping.signal });

  return {
    recover() {
      recover();
      if (queue.size() > 0) pump.wake(5);
    },
    accepted(messages) {
      if (stopping.signal.aborted) return;
      try {
        const added = messages.flatMap((message) => {
          const decision = deps.store.decision(message.envelopeId);
          const wanted = decision?.react && decision.status === 'open' && add(message, decision.priority);
          return wanted ? [{ message, priority: decision.priority }] : [];
        });
        if (added.length === 0) return;
        deps.events.onQueued(added.map((one) => one.message));
        pump.wake(added.reduce((least: Priority, one) => (one.priority < least ? one.priority : least), 5));
      } catch (error) {
        pump.lost(error);
      }
    },
    stopTurn: pump.stopTurn,
    working: pump.working,
    busy: pump.busy,
    waiting: () => queue.size(),
    async stop() {
      stopping.abort('interrupted' satisfies TurnAbort);
      await pump.ended();
    },
  };
}

/** Turns that were begun and not completed go on first, with the messages they had taken. */
function resumed(deps: WorkerDeps, queue: TurnQueue, open: readonly OpenWork[]): readonly OpenWork[] {
  const byId = new Map(open.map((one) => [one.message.envelopeId, one]));
  const queued: OpenWork[] = [];
  for (const turn of deps.store.openTurns()) {
    const work = turn.envelopeIds.flatMap((id) => byId.get(id) ?? []);
    const withRoot = work.map((one) => ({
      ...one,
      rootId: threadRootOf(one.message, (id) => deps.store.message(id)),
    }));
    if (work.length === 0) deps.store.completeTurn(nothingLeft(turn, deps.clock.now()));
    else if (queue.addTurn(turn, withRoot)) queued.push(...withRoot);
  }
  return queued;
}

/** Its messages were closed in another way. */
const nothingLeft = ({ turnId, threadKey, envelopeIds }: OpenTurn, at: number): TurnOutcome => ({
  ...{ turnId, threadKey, envelopeIds, at },
  ...{ status: 'silent', detail: '', replies: [], transcript: [], steps: [] },
});

interface Current {
  readonly threadKey: string;
  readonly work: OpenWork[];
  readonly abort: AbortController;
}

interface Pump {
  stopTurn(threadKey: string | null): boolean;
  working(): string | null;
  wake(urgency: Priority): void;
  /** The store failed while work was looked up: it is read again from there, after a wait. */
  lost(error: unknown): void;
  busy(): boolean;
  ended(): Promise<void>;
}

interface PumpParts {
  readonly deps: WorkerDeps;
  readonly queue: TurnQueue;
  readonly recover: () => void;
  readonly stopping: AbortSignal;
}

function createPump(parts: PumpParts): Pump {
  const { deps, queue, stopping } = parts;
  let pausing: AbortController | null = null;
  let pumping = false;
  let pumped: Promise<void> = Promise.resolve();
  let current: Current | null = null;
  let faults = 0;
  /** The thread that has had its pause. */
  let rested = '';

  const rest = async (ms: number): Promise<void> => {
    const own = new AbortController();
    pausing = own;
    await sleep(deps.clock, ms, stopping.aborted ? stopping : own.signal);
    pausing = null;
  };
  const fault = (error: unknown): void => {
    faults += 1;
    deps.log.error('worker_fault', { agent: deps.agentId, error: String(error), faults });
  };
  const work = async (batch: Batch): Promise<void> => {
    const own = new AbortController();
    const interrupt = (): void => own.abort('interrupted' satisfies TurnAbort);
    stopping.addEventListener('abort', interrupt, { once: true });
    const taken = [...batch.work];
    current = { threadKey: batch.threadKey, work: taken, abort: own };
    try {
      const arrived = (): readonly OpenWork[] => queue.takeThread(batch.threadKey);
      await answerBatch(deps, { batch, work: taken, signal: own.signal, arrived }, stopping);
    } catch (error) {
      fault(error);
    } finally {
      stopping.removeEventListener('abort', interrupt);
      queue.settle(taken);
      current = null;
    }
  };
  const readAgain = async (): Promise<void> => {
    const inMs = backoffMs(storeRetry, faults - 1, deps.random.fraction());
    await sleep(deps.clock, inMs, stopping);
    if (stopping.aborted) return;
    try {
      parts.recover();
      faults = 0;
    } catch (error) {
      fault(error);
    }
  };
  const step = async (next: ReturnType<TurnQueue['peek']>): Promise<void> => {
    const key = next ? `${next.roomId} ${next.rootId}` : '';
    if (faults > 0) await readAgain();
    else if (next && !next.turn && next.priority > leastUrgentDirect && rested !== key) {
      rested = key;
      await rest(deps.random.fraction() * dispatchPauseMs);
    } else {
      rested = '';
      const batch = queue.take();
      if (batch) await work(batch);
    }
  };
  const run = async (): Promise<void> => {
    for (;;) {
      const next = queue.peek();
      if (stopping.aborted || (!next && faults === 0)) break;
      await step(next);
    }
    // In the same step in which nothing was left: no arrival can fall in between.
    pumping = false;
  };
  const wake = (urgency: Priority): void => {
    if (urgency <= leastUrgentDirect) pausing?.abort();
    if (pumping) return;
    pumping = true;
    pumped = run();
  };
  stopping.addEventListener('abort', () => pausing?.abort(), { once: true });
  return {
    wake,
    lost(error) {
      fault(error);
      wake(5);
    },
    stopTurn(threadKey) {
      if (!current || (threadKey !== null && threadKey !== current.threadKey)) return false;
      // What is said after the stop is for the next turn.
      current.work.push(...queue.takeThread(current.threadKey));
      current.abort.abort('stopped' satisfies TurnAbort);
      return true;
    },
    working: () => current?.threadKey ?? null,
    busy: () => current !== null,
    ended: async () => {
      await pumped;
    },
  };
}

async function answerBatch(deps: WorkerDeps, job: TurnJob, stopping: AbortSignal): Promise<void> {
  const closed = job.work.filter((one) => !stillOpen(deps, one));
  for (const one of closed) job.work.splice(job.work.indexOf(one), 1);
  if (job.work.length === 0) return;
  const done = await workOnBatch(deps, job);
  if (done) await close(deps, done, stopping);
}

/** Already answered, or answered meanwhile by an earlier batch: nobody is answered twice (I2). */
const stillOpen = (deps: WorkerDeps, work: OpenWork): boolean =>
  deps.store.decision(work.message.envelopeId)?.status === 'open';

/** Waits out a full or failing disk: the answer is there, and is worth waiting with (F4, F5). */
async function close(deps: WorkerDeps, done: TurnDone, signal: AbortSignal): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      deps.store.completeTurn(done.outcome);
      done.committed();
      return;
    } catch (error) {
      const inMs = backoffMs(storeRetry, tries, deps.random.fraction());
      deps.log.error('turn_not_saved', { agent: deps.agentId, error: String(error), inMs });
      deps.events.onRetrying(done.turn, { inMs, error: storeFault(error) });
      await sleep(deps.clock, inMs, signal);
      if (signal.aborted) {
        done.abandoned();
        return;
      }
    }
  }
}

function storeFault(error: unknown): AppError {
  if (error instanceof StoreError) return error.toAppError();
  return appError('internal', 'The answer could not be saved yet.');
}
