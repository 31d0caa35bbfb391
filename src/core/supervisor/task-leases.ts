/**
 * Leases of running tasks: keeps the claims of this host alive with heartbeats, and recovers tasks of dead
 * owners.
 */
import { StoreError } from '../lib/store-error.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import { beatMs, judgeLeases, type Sightings } from '../tasks/judge-leases.ts';
import type { Claim } from '../tasks/lifecycle.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskStore } from '../tasks/task-ports.ts';

export interface LeaseOwner {
  /** Random per start. */
  readonly owner: string;
  readonly pid: number;
  readonly bootId: string;
  /** Whether a process of this id may still work on tasks. */
  alive(pid: number): boolean;
}

export interface ClaimedTask {
  readonly task: Task;
  readonly claim: Claim;
}

export interface TaskLeasesDeps {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly me: LeaseOwner;
  /** A task of a dead owner is ready again. */
  onRecovered(task: number): void;
}

/** Another component reports store failures; the next beat retries. */
export function despiteTaskStore<T>(log: Log, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn('task_store_failed', { error: error.message });
    return null;
  }
}

export class TaskLeases {
  readonly #deps: TaskLeasesDeps;
  readonly #kept = new Map<number, { readonly claim: Claim; onLost(): void }>();
  #seen: Sightings = new Map();
  #beat: Timer | null = null;
  #left = false;
  #wake: () => void = () => undefined;

  constructor(deps: TaskLeasesDeps) {
    this.#deps = deps;
  }

  /** Recovers tasks now and with each beat; `wake` is called when tasks may be ready. */
  begin(wake: () => void): void {
    this.#wake = wake;
    this.#recover();
    this.#keepBeating();
  }

  /** Claims the next ready task, or only this one. Throws `StoreError`. */
  claim(worker: number, only?: number): ClaimedTask | null {
    const { store, clock, me } = this.#deps;
    const lease = { owner: me.owner, pid: me.pid, bootId: me.bootId, worker, beat: 0 };
    const task = store.claim({ lease, now: clock.now(), ...(only === undefined ? {} : { only }) });
    return task && { task, claim: { owner: me.owner, claim: task.claim } };
  }

  /** Keeps the claim alive until `drop`; `onLost` is called if it is over. */
  keep({ task, claim }: ClaimedTask, onLost: () => void): void {
    this.#kept.set(task.id, { claim, onLost });
    this.#keepBeating();
  }

  /** A later claim of the same task is kept: a task may be claimed again before its last worker has ended. */
  drop({ task, claim }: ClaimedTask): void {
    if (this.#kept.get(task.id)?.claim.claim === claim.claim) this.#kept.delete(task.id);
  }

  /** A task left running returns to its position in the queue; after a fault it counts as a crash. */
  release({ task, claim }: ClaimedTask, afterFault: boolean): void {
    const event = afterFault
      ? ({ type: 'recovered', claim: claim.claim } as const)
      : ({ type: 'released', by: claim } as const);
    this.#deps.store.change(task.id, event, this.#deps.clock.now());
  }

  /** Due time of the next task in ms, or `null`. Throws `StoreError`. */
  nextDue(): number | null {
    return this.#deps.store.nextDue();
  }

  /** Recovers nothing more; the claims are still kept alive. */
  leave(): void {
    this.#left = true;
  }

  stop(): void {
    this.#beat?.cancel();
  }

  /**
   * Recovers tasks of dead owners. The store's file lock leaves an earlier start of this host as the only
   * other owner.
   */
  #recover(): void {
    const { store, clock, log, me } = this.#deps;
    despiteTaskStore(log, () => {
      const now = clock.monotonic();
      const verdict = judgeLeases(store.held(), this.#seen, { ...me, now, alive: (pid) => me.alive(pid) });
      this.#seen = verdict.seen;
      for (const { task, claim } of verdict.dead) {
        store.change(task, { type: 'recovered', claim }, clock.now());
        this.#deps.onRecovered(task);
      }
      if (verdict.dead.length > 0) this.#wake();
    });
  }

  /** Heartbeats only while tasks run or foreign claims are watched, so an idle queue has no timer. */
  #keepBeating(): void {
    if (this.#beat || (this.#kept.size === 0 && this.#seen.size === 0)) return;
    this.#beat = this.#deps.clock.after(beatMs, () => this.#beatOnce(), { unref: true });
  }

  #beatOnce(): void {
    const { store, log } = this.#deps;
    this.#beat = null;
    for (const [task, { claim, onLost }] of this.#kept) {
      if (despiteTaskStore(log, () => store.beat(task, claim)) === false) onLost();
    }
    if (!this.#left) {
      this.#recover();
      this.#wake();
    }
    this.#keepBeating();
  }
}
