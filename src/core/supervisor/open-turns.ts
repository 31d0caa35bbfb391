/**
 * Open turns of a worker: one holds the turn slot, others wait for a person without it. Handles their
 * messages, their abort and their commit. After any failure, the messages of a turn are free again.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { AccountPort, AccountStatus } from '../puffo/account-port.ts';
import type { AccountStore, OpenWork } from '../puffo/account-store.ts';
import type { RunBatch, TurnDone, TurnJob } from './batch-turn.ts';
import type { TurnAbort } from './runtime-port.ts';
import type { Batch, TurnQueue } from './turn-queue.ts';
import type { HeldTurnSlot, SingleTurnSlot } from './turn-slot.ts';
import type { WorkerPorts } from './worker-ports.ts';

export const storeRetry: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000 };

export interface OpenTurns {
  /** Takes the slot, which must be vacant. Never rejects: calls `onFault` before the slot is free again. */
  begin(batch: Batch): Promise<void>;
  /** False if no turn is open in this conversation; `threadKey`: `null` for any conversation. */
  stop(threadKey: string | null): boolean;
  has(threadKey: string): boolean;
  count(): number;
  /** Resolves when all started turns have ended. */
  ended(): Promise<void>;
}

interface OpenTurnsDeps {
  readonly account: Pick<AccountPort, 'setStatus'>;
  readonly store: AccountStore;
  readonly ports: WorkerPorts;
}

export interface OpenTurnsParts {
  readonly deps: OpenTurnsDeps;
  readonly runBatch: RunBatch;
  readonly queue: TurnQueue;
  readonly place: SingleTurnSlot;
  readonly stopping: AbortSignal;
  onFault(error: unknown): void;
}

interface Current {
  readonly threadKey: string;
  readonly work: OpenWork[];
  readonly abort: AbortController;
  readonly seat: HeldTurnSlot;
}

export function createOpenTurns(parts: OpenTurnsParts): OpenTurns {
  const { deps, queue, place, stopping } = parts;
  const open = new Map<Current, Promise<void>>();
  const busyWith = (turn: Current | undefined): AccountStatus | null => {
    const first = turn?.work[0];
    return first ? { status: 'busy', messageId: first.message.envelopeId } : null;
  };

  const jobOf = (batch: Batch, turn: Current): TurnJob => ({
    batch,
    work: turn.work,
    signal: turn.abort.signal,
    arrived: () => queue.takeThread(turn.threadKey),
    place: {
      async lend(work) {
        try {
          return await turn.seat.lend(work);
        } finally {
          const status = turn.seat.has() ? busyWith(turn) : null;
          if (status) deps.account.setStatus(status);
        }
      },
    },
    away: () => !turn.seat.has(),
    restStatus() {
      const others = [...open.keys()].filter((other) => other !== turn);
      return busyWith(others.find(({ seat }) => seat.has()) ?? others.at(-1));
    },
  });

  const interrupt = (): void => {
    for (const { abort } of open.keys()) abort.abort('interrupted' satisfies TurnAbort);
  };
  // One listener for all, because an agent can have many open turns.
  stopping.addEventListener('abort', interrupt, { once: true });

  const run = async (batch: Batch, turn: Current): Promise<void> => {
    try {
      await answerBatch(parts, jobOf(batch, turn));
    } catch (error) {
      parts.onFault(error);
    } finally {
      queue.settle(turn.threadKey, turn.work);
      open.delete(turn);
      turn.seat.leave();
    }
  };

  return {
    begin(batch) {
      const abort = new AbortController();
      const seat = place.take(abort.signal);
      const turn: Current = { threadKey: batch.threadKey, work: [...batch.work], abort, seat };
      // Registered before it runs, because its first step may look it up.
      open.set(turn, Promise.resolve());
      const ended = run(batch, turn);
      if (open.has(turn)) open.set(turn, ended);
      return ended;
    },
    stop(threadKey) {
      const meant = [...open.keys()].filter((turn) => threadKey === null || turn.threadKey === threadKey);
      for (const { threadKey: key, work, abort } of meant) {
        // Messages after the stop belong to the next turn.
        work.push(...queue.takeThread(key));
        abort.abort('stopped' satisfies TurnAbort);
      }
      return meant.length > 0;
    },
    has: (threadKey) => [...open.keys()].some((turn) => turn.threadKey === threadKey),
    count: () => open.size,
    ended: async () => {
      await Promise.all(open.values());
    },
  };
}

async function answerBatch({ deps, runBatch, stopping }: OpenTurnsParts, job: TurnJob): Promise<void> {
  const closed = job.work.filter((one) => !stillOpen(deps, one));
  for (const one of closed) job.work.splice(job.work.indexOf(one), 1);
  if (job.work.length === 0) return;
  const done = await runBatch(job);
  if (done) await close(deps, done, stopping);
}

/** A message that an earlier batch answered is not answered again (I2). */
const stillOpen = (deps: OpenTurnsDeps, work: OpenWork): boolean =>
  deps.store.decision(work.message.envelopeId)?.status === 'open';

/** Retries while the disk is full or failing, because the answer exists and must not be lost (F4, F5). */
async function close({ store, ports }: OpenTurnsDeps, done: TurnDone, signal: AbortSignal): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      store.completeTurn(done.outcome);
      done.committed();
      return;
    } catch (error) {
      const inMs = backoffMs(storeRetry, tries, ports.random.fraction());
      ports.log.error('turn_not_saved', { error: String(error), inMs });
      done.savesAgain(inMs, storeFault(error));
      await sleep(ports.clock, inMs, signal);
      if (signal.aborted) {
        done.abandoned();
        return;
      }
    }
  }
}

function storeFault(error: unknown): AppError {
  if (error instanceof StoreError) return error.toAppError();
  return fail('internal', 'turns.answerNotSaved');
}
