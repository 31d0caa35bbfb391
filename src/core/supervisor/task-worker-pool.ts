/**
 * Workers of the task queue: each claims a task from the store and releases it at its end. The pool keeps its
 * claims alive, recovers tasks of dead owners, wakes for due tasks, and leaves no claim behind when it stops.
 */
import { sleep } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import { beatMs, judgeLeases, type Sightings } from '../tasks/leases.ts';
import type { Claim } from '../tasks/lifecycle.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskStore } from '../tasks/task-ports.ts';
import type { TurnAbort } from './runtime-port.ts';

export interface CrewOwner {
  /** Random per start. */
  readonly owner: string;
  readonly pid: number;
  readonly bootId: string;
  /** Whether a process of this id may still work on tasks. */
  alive(pid: number): boolean;
}

export interface TaskRun {
  readonly task: Task;
  readonly claim: Claim;
  readonly signal: AbortSignal;
  /** Aborted when the worker must stop after its current step. */
  readonly leaving: AbortSignal;
}

export interface TaskWorkerPoolDeps {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly me: CrewOwner;
  /** Current limit of parallel workers. */
  workers(): number;
  /**
   * Works on the task and records its end; the pool releases a task that is left running. Rejects on faults.
   */
  run(run: TaskRun): Promise<void>;
  onChanged(task: number): void;
  /** An agent has started or left a task. */
  onBusy(runner: string): void;
}

export interface BusyWorker {
  readonly worker: number;
  readonly task: number;
  readonly runner: string;
}

export interface TaskWorkerPool {
  /** Claims ready tasks if workers are free. */
  wake(): void;
  /**
   * Claims this task at once, before others and before it is due; false if no worker or agent is free for it.
   */
  take(task: number): boolean;
  busy(): readonly BusyWorker[];
  /** Ends the current step of a task. `stopped`: for good; `interrupted`: the task resumes later. */
  abort(task: number, why: TurnAbort): void;
  abortRunner(runner: string): void;
  /** Claims nothing more; resolves when the current steps have ended and their tasks are released. */
  leave(): Promise<void>;
  /** Gives current steps `graceMs` to end. */
  stop(graceMs: number): Promise<void>;
}

interface BusySlot extends BusyWorker {
  readonly claim: Claim;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** Wall clocks jump, so a later due time is checked again after this time. */
const longestSleepMs = 60_000;
/** ms before the task of a failed worker is released. */
const faultRestMs = 10_000;

export function createTaskWorkerPool(deps: TaskWorkerPoolDeps): TaskWorkerPool {
  return new WorkerPool(deps);
}

class WorkerPool implements TaskWorkerPool {
  readonly #deps: TaskWorkerPoolDeps;
  readonly #seats = new Map<number, BusySlot>();
  #seen: Sightings = new Map();
  #due: Timer | null = null;
  #beat: Timer | null = null;
  readonly #leaving = new AbortController();

  constructor(deps: TaskWorkerPoolDeps) {
    this.#deps = deps;
    this.#recover();
    this.#keepBeating();
  }

  wake(): void {
    if (this.#stopping()) return;
    this.#safely(() => {
      while (this.#claim());
      this.#sleepUntilDue();
    });
  }

  take(task: number): boolean {
    return !this.#stopping() && this.#safely(() => this.#claim(task)) === true;
  }

  busy(): readonly BusyWorker[] {
    return [...this.#seats.values()].map(({ worker, task, runner }) => ({ worker, task, runner }));
  }

  abort(task: number, why: TurnAbort): void {
    for (const seat of this.#seats.values()) if (seat.task === task) seat.abort.abort(why);
  }

  abortRunner(runner: string): void {
    for (const seat of this.#seats.values()) {
      if (seat.runner === runner) seat.abort.abort('interrupted' satisfies TurnAbort);
    }
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    this.#due?.cancel();
    await Promise.all([...this.#seats.values()].map(({ ended }) => ended));
  }

  async stop(graceMs: number): Promise<void> {
    const { clock } = this.#deps;
    const all = this.leave();
    const late = new Promise<void>((resolve) => clock.after(graceMs, resolve, { unref: true }));
    await Promise.race([all, late]);
    for (const { abort } of this.#seats.values()) abort.abort('interrupted' satisfies TurnAbort);
    await all;
    this.#beat?.cancel();
  }

  #stopping(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** True if another task was claimed. */
  #claim(only?: number): boolean {
    const { store, clock, me } = this.#deps;
    const worker = this.#freeSeat();
    if (worker === null) return false;
    const lease = { owner: me.owner, pid: me.pid, bootId: me.bootId, worker, beat: 0 };
    const task = store.claim({ lease, now: clock.now(), ...(only === undefined ? {} : { only }) });
    if (!task) return false;
    const abort = new AbortController();
    const claim = { owner: me.owner, claim: task.claim };
    const leaving = this.#leaving.signal;
    const ended = this.#work({ task, claim, signal: abort.signal, leaving }).finally(() => {
      this.#seats.delete(worker);
      this.#deps.onChanged(task.id);
      this.#deps.onBusy(task.runner ?? '');
      this.wake();
    });
    this.#seats.set(worker, { worker, task: task.id, runner: task.runner ?? '', claim, abort, ended });
    this.#keepBeating();
    this.#deps.onChanged(task.id);
    this.#deps.onBusy(task.runner ?? '');
    return true;
  }

  #freeSeat(): number | null {
    const many = this.#deps.workers();
    if (this.#seats.size >= many) return null;
    for (let worker = 0; worker < many; worker += 1) if (!this.#seats.has(worker)) return worker;
    return null;
  }

  async #work({ task, claim, ...run }: TaskRun): Promise<void> {
    const { store, clock } = this.#deps;
    let fault = false;
    try {
      await Promise.resolve();
      await this.#deps.run({ task, claim, ...run });
    } catch (error) {
      fault = true;
      this.#deps.log.error('task_fault', { task: task.id, error: String(error) });
      await this.#rest(run.signal);
    }
    // A task left running returns to its position in the queue; after a fault it counts as a crash.
    const event = fault
      ? ({ type: 'recovered', claim: claim.claim } as const)
      : ({ type: 'released', by: claim } as const);
    // Retries until the disk accepts the change: otherwise the task stays claimed until the next start.
    while (this.#safely(() => store.change(task.id, event, clock.now())) === null && !this.#stopping())
      await sleep(clock, faultRestMs, this.#leaving.signal);
  }

  /** Sleeps for the back-off; returns early on abort. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (!this.#stopping()) await sleep(this.#deps.clock, faultRestMs, signal);
  }

  /**
   * Recovers tasks of dead owners. The store's file lock leaves an earlier start of this host as the only
   * other owner.
   */
  #recover(): void {
    this.#safely(() => {
      const { store, clock, me } = this.#deps;
      const now = clock.monotonic();
      const verdict = judgeLeases(store.held(), this.#seen, { ...me, now, alive: (pid) => me.alive(pid) });
      this.#seen = verdict.seen;
      for (const { task, claim } of verdict.dead) {
        store.change(task, { type: 'recovered', claim }, clock.now());
        this.#deps.onChanged(task);
      }
      if (verdict.dead.length > 0) this.wake();
    });
  }

  /** Heartbeats only while tasks run or foreign claims are watched, so an idle queue has no timer. */
  #keepBeating(): void {
    if (this.#beat || (this.#seats.size === 0 && this.#seen.size === 0)) return;
    this.#beat = this.#deps.clock.after(beatMs, () => this.#beatOnce(), { unref: true });
  }

  #beatOnce(): void {
    this.#beat = null;
    for (const { task, claim, abort } of this.#seats.values()) {
      const alive = this.#safely(() => this.#deps.store.beat(task, claim));
      if (alive === false) abort.abort('interrupted' satisfies TurnAbort);
    }
    if (!this.#stopping()) {
      this.#recover();
      this.wake();
    }
    this.#keepBeating();
  }

  #sleepUntilDue(): void {
    const { store, clock } = this.#deps;
    this.#due?.cancel();
    this.#due = null;
    const due = store.nextDue();
    if (due === null) return;
    const ms = Math.min(Math.max(due - clock.now(), 1), longestSleepMs);
    this.#due = clock.after(ms, () => this.wake(), { unref: true });
  }

  /** Another component reports store failures; the next beat retries. */
  #safely<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.log.warn('task_store_failed', { error: error.message });
      return null;
    }
  }
}
