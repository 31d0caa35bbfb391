/**
 * Workers of the task queue: each claims a task and releases it at its end. The pool wakes for due tasks and
 * leaves no claim behind when it stops.
 */
import { sleep } from '../lib/sleep.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import type { TurnAbort } from './runtime-port.ts';
import { type ClaimedTask, despiteTaskStore, type TaskLeases } from './task-leases.ts';

export interface TaskRun extends ClaimedTask {
  readonly signal: AbortSignal;
  /** Aborted when the worker must stop after its current step. */
  readonly leaving: AbortSignal;
}

export interface TaskWorkerPoolDeps {
  readonly leases: TaskLeases;
  readonly clock: Clock;
  readonly log: Log;
  /** Current limit of parallel workers. */
  workers(): number;
  /**
   * Works on the task and records its end; the pool releases a task that is left running. Rejects on faults.
   */
  run(run: TaskRun): Promise<void>;
  /** A worker has taken or left the task of this agent. */
  onAssigned(task: number, runner: string): void;
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
  #due: Timer | null = null;
  readonly #leaving = new AbortController();

  constructor(deps: TaskWorkerPoolDeps) {
    this.#deps = deps;
    deps.leases.begin(() => this.wake());
  }

  wake(): void {
    if (this.#stopping()) return;
    despiteTaskStore(this.#deps.log, () => {
      while (this.#claim());
      this.#sleepUntilDue();
    });
  }

  take(task: number): boolean {
    return !this.#stopping() && despiteTaskStore(this.#deps.log, () => this.#claim(task)) === true;
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
    this.#deps.leases.leave();
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
    this.#deps.leases.stop();
  }

  #stopping(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** True if another task was claimed. */
  #claim(only?: number): boolean {
    const { leases, onAssigned } = this.#deps;
    const worker = this.#freeSeat();
    if (worker === null) return false;
    const claimed = leases.claim(worker, only);
    if (!claimed) return false;
    const { id: task, runner: agent } = claimed.task;
    const runner = agent ?? '';
    const abort = new AbortController();
    const ended = this.#work({ ...claimed, signal: abort.signal, leaving: this.#leaving.signal }).finally(
      () => {
        this.#seats.delete(worker);
        leases.drop(claimed);
        onAssigned(task, runner);
        this.wake();
      },
    );
    this.#seats.set(worker, { worker, task, runner, abort, ended });
    leases.keep(claimed, () => abort.abort('interrupted' satisfies TurnAbort));
    onAssigned(task, runner);
    return true;
  }

  #freeSeat(): number | null {
    const many = this.#deps.workers();
    if (this.#seats.size >= many) return null;
    for (let worker = 0; worker < many; worker += 1) if (!this.#seats.has(worker)) return worker;
    return null;
  }

  async #work(run: TaskRun): Promise<void> {
    const { leases, clock, log } = this.#deps;
    let fault = false;
    try {
      await Promise.resolve();
      await this.#deps.run(run);
    } catch (error) {
      fault = true;
      log.error('task_fault', { task: run.task.id, error: String(error) });
      await this.#rest(run.signal);
    }
    const release = () => {
      leases.release(run, fault);
      return true;
    };
    // Retries until the disk accepts the change: otherwise the task stays claimed until the next start.
    while (despiteTaskStore(log, release) === null && !this.#stopping())
      await sleep(clock, faultRestMs, this.#leaving.signal);
  }

  /** Sleeps for the back-off; returns early on abort. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (!this.#stopping()) await sleep(this.#deps.clock, faultRestMs, signal);
  }

  #sleepUntilDue(): void {
    const { leases, clock } = this.#deps;
    this.#due?.cancel();
    this.#due = null;
    const due = leases.nextDue();
    if (due === null) return;
    const ms = Math.min(Math.max(due - clock.now(), 1), longestSleepMs);
    this.#due = clock.after(ms, () => this.wake(), { unref: true });
  }
}
