/**
 * One agent's worker: takes stored messages thread by thread, has each batch answered once, and closes it in one
 * transaction. Whatever stops it, unfinished work stays open in the store and is taken up at the next start.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import { threadRootOf } from '../agents/thread-root.ts';
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { OpenWork, Priority, StoredMessage } from '../ports.ts';
import { type TurnDone, workOnBatch } from './batch-turn.ts';
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
    const open = deps.store.openWork().filter((one) => add(one.message, one.priority));
    if (open.length > 0) deps.events.onQueued(open.map((one) => one.message));
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
    busy: pump.busy,
    waiting: () => queue.size(),
    async stop() {
      stopping.abort();
      await pump.ended();
    },
  };
}

interface Pump {
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
  let working = false;
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
    working = true;
    try {
      await answerBatch(deps, batch, stopping);
    } catch (error) {
      fault(error);
    } finally {
      queue.settle(batch);
      working = false;
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
    else if (next && next.priority > leastUrgentDirect && rested !== key) {
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
    busy: () => working,
    ended: async () => {
      await pumped;
    },
  };
}

async function answerBatch(deps: WorkerDeps, batch: Batch, stopping: AbortSignal): Promise<void> {
  const fresh = { ...batch, work: batch.work.filter((one) => stillOpen(deps, one)) };
  if (fresh.work.length === 0) return;
  const done = await workOnBatch(deps, fresh, stopping);
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
