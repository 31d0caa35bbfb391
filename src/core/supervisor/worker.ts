/**
 * Worker of one agent: takes stored messages thread by thread, has each batch answered once, and closes it in
 * one transaction. One turn runs at a time; while it waits for a person, other threads continue. Unfinished
 * work stays open in the store and resumes at the next start.
 */
import { threadRootOf } from '../agents/thread-root.ts';
import { backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { AccountPort } from '../puffo/account-port.ts';
import type { AccountStore, Priority } from '../puffo/account-store.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import type { RunBatch } from './batch-turn.ts';
import { createOpenTurns, storeRetry } from './open-turns.ts';
import { publicErrorMessage } from './public-error-message.ts';
import { queueResumed } from './resumed-turns.ts';
import type { TurnAbort } from './runtime-port.ts';
import { createTurnQueue, type TurnQueue } from './turn-queue.ts';
import { createTurnSlot } from './turn-slot.ts';
import type { Worker, WorkerEvents, WorkerPorts } from './worker-ports.ts';

/** ms of delay, so that agents that receive the same message do not all answer at once (spec §6.3). */
const dispatchPauseMs = 1_500;
const leastUrgentDirect: Priority = 2;
/** Most turns that may wait for a person; beyond that, messages wait, too. */
const mostOpen = 16;

export interface WorkerDeps {
  readonly account: AccountPort;
  readonly store: AccountStore;
  readonly ports: WorkerPorts;
  readonly onQueued: WorkerEvents['onQueued'];
  /** Called once, for the first message. */
  readonly turns: () => RunBatch;
}

export const createWorker = (deps: WorkerDeps): Worker => new AgentWorker(deps);

/** A class, because a host keeps one for each agent. */
class AgentWorker implements Worker {
  readonly #deps: WorkerDeps;
  readonly #stopping = new AbortController();
  /** Both are created on first use: an idle agent needs neither. */
  #queued: TurnQueue | null = null;
  #pump: Pump | null = null;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  recover(): void {
    this.#recover();
    if (this.waiting() > 0) this.#pumped().wake(5);
  }

  accepted(messages: readonly StoredMessage[]): void {
    if (this.#stopping.signal.aborted) return;
    const { store, onQueued } = this.#deps;
    try {
      const added = messages.flatMap((message) => {
        const decision = store.decision(message.envelopeId);
        const wanted = decision?.react && decision.status === 'open' && this.#add(message, decision.priority);
        return wanted ? [{ message, priority: decision.priority }] : [];
      });
      if (added.length === 0) return;
      onQueued(added.map((one) => one.message));
      const least = added.reduce((least: Priority, one) => (one.priority < least ? one.priority : least), 5);
      this.#pumped().wake(least);
    } catch (error) {
      this.#pumped().lost(error);
    }
  }

  stopTurn(threadKey: string | null): boolean {
    return this.#pump?.stopTurn(threadKey) ?? false;
  }

  working(threadKey: string): boolean {
    return this.#pump?.working(threadKey) ?? false;
  }

  busy(): boolean {
    return this.#pump?.busy() ?? false;
  }

  waiting(): number {
    return this.#queued?.size() ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopping.abort('interrupted' satisfies TurnAbort);
    await this.#pump?.ended();
  }

  #add(message: StoredMessage, priority: Priority): boolean {
    const rootId = threadRootOf(message, (id) => this.#deps.store.message(id));
    return this.#queue.add({ message, priority, rootId });
  }

  get #queue(): TurnQueue {
    this.#queued ??= createTurnQueue();
    return this.#queued;
  }

  #recover(): void {
    const { store, ports } = this.#deps;
    const open = store.openWork();
    if (open.length === 0 && store.openTurns().length === 0) return;
    const queued = [
      ...queueResumed({ store, clock: ports.clock }, this.#queue, open),
      ...open.filter((one) => this.#add(one.message, one.priority)),
    ];
    if (queued.length > 0) this.#deps.onQueued(queued.map((one) => one.message));
  }

  #pumped(): Pump {
    this.#pump ??= createPump({
      deps: this.#deps,
      queue: this.#queue,
      recover: () => this.#recover(),
      stopping: this.#stopping.signal,
    });
    return this.#pump;
  }
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
    await sleep(deps.ports.clock, ms, stopping.aborted ? stopping : own.signal);
    pausing = null;
  };
  const fault = (error: unknown): void => {
    faults += 1;
    deps.ports.log.error('worker_fault', { error: String(error), faults });
    const errorText = publicErrorMessage({ code: error instanceof StoreError ? error.code : 'internal' });
    deps.account.setStatus({ status: 'error', errorText });
  };
  const turns = createOpenTurns({ deps, runBatch: deps.turns(), queue, place, stopping, onFault: fault });
  const readAgain = async (): Promise<void> => {
    const inMs = backoffMs(storeRetry, faults - 1, deps.ports.random.fraction());
    await sleep(deps.ports.clock, inMs, stopping);
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
      await rest(deps.ports.random.fraction() * dispatchPauseMs);
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
