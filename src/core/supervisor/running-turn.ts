/**
 * The one turn that a worker is in: what it works on, who may end it, and its commit. Whatever fails on the way, its
 * messages are free again afterwards.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { OpenWork } from '../ports.ts';
import type { TurnAbort } from '../runtime-ports.ts';
import { type TurnDone, type TurnJob, workOnBatch } from './batch-turn.ts';
import type { Batch, TurnQueue } from './turn-queue.ts';
import type { WorkerDeps } from './worker-ports.ts';

export const storeRetry: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000 };

export interface RunningTurn {
  /** Throws `StoreError`. */
  work(batch: Batch): Promise<void>;
  /** False: no turn runs in this conversation (null: in any). */
  stop(threadKey: string | null): boolean;
  /** Null: none runs. */
  threadKey(): string | null;
}

interface Current {
  readonly threadKey: string;
  readonly work: OpenWork[];
  readonly abort: AbortController;
}

export function createRunningTurn(deps: WorkerDeps, queue: TurnQueue, stopping: AbortSignal): RunningTurn {
  let current: Current | null = null;
  return {
    async work(batch) {
      const abort = new AbortController();
      const interrupt = (): void => abort.abort('interrupted' satisfies TurnAbort);
      stopping.addEventListener('abort', interrupt, { once: true });
      const { threadKey } = batch;
      const work = [...batch.work];
      current = { threadKey, work, abort };
      try {
        const arrived = (): readonly OpenWork[] => queue.takeThread(threadKey);
        await answerBatch(deps, { batch, work, signal: abort.signal, arrived }, stopping);
      } finally {
        stopping.removeEventListener('abort', interrupt);
        queue.settle(work);
        current = null;
      }
    },
    stop(threadKey) {
      if (!current || (threadKey !== null && threadKey !== current.threadKey)) return false;
      // What is said after the stop is for the next turn.
      current.work.push(...queue.takeThread(current.threadKey));
      current.abort.abort('stopped' satisfies TurnAbort);
      return true;
    },
    threadKey: () => current?.threadKey ?? null,
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
