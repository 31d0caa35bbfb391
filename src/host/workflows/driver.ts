import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Log, Timer } from '../../core/ports.ts';
import type { Engine } from '../../core/workflows/engine/engine.ts';
import type { Journal } from '../../core/workflows/engine/engine-ports.ts';
import type { RunSlots } from './run-slots.ts';

/** Maximum ms between checks of timers: the wall clock may jump and the machine may sleep. */
const longestMs = 30_000;
const pauseMs = 1_000;
/** ms before a run that failed because of the disk or a damaged history is tried again. */
const againMs = 60_000;

export interface DriverDeps {
  readonly engine: Pick<Engine, 'drive' | 'due'>;
  readonly journal: Pick<Journal, 'runs'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly slots: Pick<RunSlots, 'take' | 'leave'> & {
    /** The agent that started it, or `null` for a person or schedule. */
    agentOf(run: string): string | null;
  };
  readonly events: {
    /** The run waits or could not continue. */
    onStood(run: string): void;
    /** Called before each check for due runs. */
    onLook(): void;
  };
}

/** Advances every run as far as possible whenever it has something to do. */
export interface Driver {
  /** Call it after a start, an answer or a write. */
  wake(): void;
  /** Starts nothing further; resolves when the running steps have ended and their runs are released. */
  leave(): Promise<void>;
  /** Interrupts all runs, even in the middle of a step; they resume later. */
  stop(): Promise<void>;
}

/** For a host of a single command: it only reads and records, and the runs continue in a permanent host. */
export const idleDriver: Driver = {
  wake: () => undefined,
  leave: async () => undefined,
  stop: async () => undefined,
};

export function createDriver(deps: DriverDeps): Driver {
  return new HostDriver(deps);
}

class HostDriver implements Driver {
  readonly #deps: DriverDeps;
  readonly #working = new Map<string, Promise<void>>();
  /** Due times of runs that wait for a time. */
  readonly #wakes = new Map<string, number>();
  /** Earliest retry, in ms of the monotonic clock. */
  readonly #held = new Map<string, number>();
  readonly #leaving = new AbortController();
  readonly #stopping = new AbortController();
  #timer: Timer | null = null;
  #looking = false;
  /** The journal was not readable; the driver retries by itself. */
  #missed = false;

  constructor(deps: DriverDeps) {
    this.#deps = deps;
    for (const { id, wakeAt } of deps.journal.runs({ status: 'waiting', limit: 1_000_000 }))
      if (wakeAt !== null) this.#wakes.set(id, wakeAt);
  }

  wake(): void {
    if (this.#looking || this.#leaving.signal.aborted) return;
    // The caller may be in the middle of a decision or a start.
    this.#looking = true;
    queueMicrotask(() => {
      this.#looking = false;
      this.#look();
    });
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    this.#timer?.cancel();
    await Promise.all(this.#working.values());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.leave();
  }

  #look(): void {
    if (this.#leaving.signal.aborted) return;
    try {
      this.#deps.events.onLook();
      for (const run of this.#deps.engine.due()) this.#begin(run);
      this.#missed = false;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#missed = true;
      this.#deps.log.warn('runs_not_read', { code: error.code });
    }
    this.#sleep();
  }

  #begin(run: string): void {
    const { clock, slots } = this.#deps;
    if (this.#working.has(run)) return;
    if ((this.#held.get(run) ?? 0) > clock.monotonic()) return;
    if (!slots.take(run, () => slots.agentOf(run))) return;
    this.#wakes.delete(run);
    const work = this.#drive(run).finally(() => {
      this.#working.delete(run);
      slots.leave(run);
      this.#deps.events.onStood(run);
      this.wake();
    });
    this.#working.set(run, work);
  }

  async #drive(run: string): Promise<void> {
    const { engine, clock, log } = this.#deps;
    this.#held.delete(run);
    try {
      const driven = await engine.drive(run, {
        signal: this.#stopping.signal,
        leaving: this.#leaving.signal,
      });
      if (driven.ok) {
        const { wakeAt, status } = driven.value;
        if (status === 'waiting' && wakeAt !== null) this.#wakes.set(run, wakeAt);
        return;
      }
      log.warn('run_not_driven', { run, code: driven.error.code, message: driven.error.message });
    } catch (error) {
      if (!(error instanceof StoreError)) log.error('run_failed', { run, error });
      else log.warn('run_store_failed', { run, code: error.code });
    }
    this.#held.set(run, clock.monotonic() + againMs);
  }

  #sleep(): void {
    const { clock } = this.#deps;
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#wakes.size === 0 && this.#held.size === 0 && !this.#missed) return;
    let next = longestMs;
    for (const at of this.#wakes.values()) next = Math.min(next, at - clock.now());
    // A due run that cannot start, because another process has it or the limit is reached, is checked again
    // soon.
    const wait = next > 0 ? next : pauseMs;
    this.#timer = clock.after(wait, () => this.#look(), { unref: true });
  }
}
