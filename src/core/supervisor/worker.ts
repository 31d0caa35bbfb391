/**
 * Worker of one agent: takes stored messages thread by thread, has each batch answered once, and closes it in
 * one transaction. One turn runs at a time; while it waits for a person, other threads continue. Unfinished
 * work stays open in the store and resumes at the next start.
 */
import { threadRootOf } from '../agents/thread-root.ts';
import { backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { Priority } from '../puffo/account-store.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import { createOpenTurns, storeRetry } from './open-turns.ts';
import { publicErrorMessage } from './public-error-message.ts';
import { queueResumed } from './resumed-turns.ts';
import type { TurnAbort } from './runtime-port.ts';
import { createTurnQueue, type TurnQueue } from './turn-queue.ts';
import { createTurnSlot } from './turn-slot.ts';
import type { Worker, WorkerDeps } from './worker-ports.ts';

/** ms of delay, so that agents that receive the same message do not all answer at once (spec §6.3). */
const dispatchPauseMs = 1_500;
const leastUrgentDirect: Priority = 2;
/** Most turns that may wait for a person; beyond that, messages wait, too. */
const mostOpen = 16;

export function createWorker(deps: WorkerDeps): Worker {
  const stopping = new AbortController();
  const queue = createTurnQueue();
  const add = (message: StoredMessage, priority: Priority): boolean => {
    const rootId = threadRootOf(message, (id) => deps.store.message(id));
    return queue.add({ message, priority, rootId });
  };
  const recover = (): void => {
    const open = deps.store.openWork();
    const queued = [
      ...queueResumed(deps, queue, open),
      ...open.filter((one) => add(one.message, one.priority)),
    ];
    if (queued.length > 0) deps.events.onQueued(queued.map((one) => one.message));
  };
  let made: Pump | null = null;
  /** Created on first use: an idle agent needs no pump. */
  const pump = (): Pump => {
    made ??= createPump({ deps, queue, recover, stopping: stopping.signal });
    return made;
  };

  return {
    recover() {
      recover();
      if (queue.size() > 0) pump().wake(5);
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
        pump().wake(added.reduce((least: Priority, one) => (one.priority < least ? one.priority : least), 5));
      } catch (error) {
        pump().lost(error);
      }
    },
    stopTurn: (threadKey) => made?.stopTurn(threadKey) ?? false,
    working: (threadKey) => made?.working(threadKey) ?? false,
    busy: () => made?.busy() ?? false,
    waiting: () => queue.size(),
    async stop() {
      stopping.abort('interrupted' satisfies TurnAbort);
      await made?.ended();
    },
  };
}

interface Pump {
  stopTurn(threadKey: string | null): boolean;
  working(threadKey: string): boolean;
  wake(urgency: Priority): void;
  /** The store failed while looking up work: reads it again from the store after a pause. */
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
  const place = createTurnSlot();
  let pausing: AbortController | null = null;
  let pumping = false;
  let pumped: Promise<void> = Promise.resolve();
  let faults = 0;
  /** Thread that has already had its pause. */
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
    const errorText = publicErrorMessage({ code: error instanceof StoreError ? error.code : 'internal' });
    deps.account.setStatus({ status: 'error', errorText });
  };
  const turns = createOpenTurns({ deps, queue, place, stopping, onFault: fault });
  const readAgain = async (): Promise<void> => {
    const inMs = backoffMs(storeRetry, faults - 1, deps.random.fraction());
    await sleep(deps.clock, inMs, stopping);
    if (stopping.aborted) return;
    try {
      parts.recover();
      faults = 0;
      deps.account.setStatus({ status: 'idle' });
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
      // Messages that waited for this thread, or for a free turn, can continue.
      if (batch) void turns.begin(batch).then(() => wake(5));
    }
  };
  const run = async (): Promise<void> => {
    for (;;) {
      while (!place.vacant()) await place.whenVacant();
      const next = turns.count() < mostOpen ? queue.peek() : null;
      if (stopping.aborted || (!next && faults === 0)) break;
      await step(next);
    }
    // In the same synchronous step that found no work, so no arrival is missed.
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
    stopTurn: turns.stop,
    working: turns.has,
    busy: () => turns.count() > 0,
    ended: async () => {
      await pumped;
      await turns.ended();
    },
  };
}
