import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { SharedRun } from '../../core/lib/shared-run.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock, Log, Random, Timer } from '../../core/ports.ts';
import { type FailureHistory, noFailures, restartPolicy } from '../../core/supervisor/restart-policy.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** A connection that can be supervised. */
export interface Supervised {
  /** Resolves when the connection is lost or closed. Never rejects. */
  readonly closed: Promise<unknown>;
  close(): Promise<void>;
}

export type OnDemandState = 'stopped' | 'starting' | 'running' | 'waiting' | 'failed';

export interface OnDemandDeps<C extends Supervised> {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly log: Log;
  /** ms without a call until the server is stopped. */
  readonly idleMs: number;
  start(signal: AbortSignal): Promise<Result<C>>;
}

/**
 * One connection that starts with its first use, stops when it is idle, and starts again after a loss: with a
 * growing delay, and not any more after five failures within ten minutes.
 */
export class OnDemand<C extends Supervised> {
  readonly #deps: OnDemandDeps<C>;
  readonly #starting = new SharedRun<Result<C>>();
  #connection: C | null = null;
  #stop = new AbortController();
  #startedAt = 0;
  #history: FailureHistory = noFailures;
  /** Monotonic ms before which no start is tried. */
  #notBefore = 0;
  #gaveUp = false;
  #reason: HostText = '';
  #uses = 0;
  #idle: Timer | null = null;
  #state: OnDemandState = 'stopped';

  constructor(deps: OnDemandDeps<C>) {
    this.#deps = deps;
  }

  get state(): OnDemandState {
    return this.#state;
  }

  /** Reason of the last failure; empty if none. */
  get reason(): HostText {
    return this.#reason;
  }

  /** The running connection, or `null`; starts nothing. */
  get running(): C | null {
    return this.#connection;
  }

  /** Starts the server if necessary. It is not idle before `work` ended. */
  async use<T>(signal: AbortSignal, work: (connection: C) => Promise<Result<T>>): Promise<Result<T>> {
    this.#uses += 1;
    this.#idle?.cancel();
    try {
      const connection = await this.#connected(signal);
      return connection.ok ? await work(connection.value) : connection;
    } finally {
      this.#uses -= 1;
      this.#rest();
    }
  }

  /** Forgets earlier failures, so that the next use starts the server at once. */
  forgive(): void {
    this.#history = noFailures;
    this.#notBefore = 0;
    this.#gaveUp = false;
    this.#reason = '';
    if (this.#connection === null) this.#state = 'stopped';
  }

  async stop(): Promise<void> {
    this.#idle?.cancel();
    this.#stop.abort();
    this.#stop = new AbortController();
    await this.#starting.running;
    const connection = this.#connection;
    this.#connection = null;
    this.#state = 'stopped';
    await connection?.close();
  }

  async #connected(signal: AbortSignal): Promise<Result<C>> {
    if (this.#connection) return ok(this.#connection);
    if (this.#gaveUp) return err(this.#failure());
    const started = this.#starting.run(() => this.#start(this.#stop.signal));
    return untilAborted(started, signal);
  }

  async #start(signal: AbortSignal): Promise<Result<C>> {
    const { clock } = this.#deps;
    const delay = this.#notBefore - clock.monotonic();
    if (delay > 0) {
      this.#state = 'waiting';
      await sleep(clock, delay, signal);
    }
    if (signal.aborted) return err(cancelled);
    this.#state = 'starting';
    this.#startedAt = clock.monotonic();
    const started = await this.#deps.start(signal);
    if (!started.ok) {
      if (signal.aborted) this.#state = 'stopped';
      else this.#failed(messageOf(started.error));
      return started;
    }
    if (signal.aborted) {
      await started.value.close();
      this.#state = 'stopped';
      return err(cancelled);
    }
    this.#connection = started.value;
    this.#reason = '';
    this.#state = 'running';
    void started.value.closed.then(() => this.#lost(started.value));
    return started;
  }

  #lost(connection: C): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#failed(say('mcpServers.ended'));
  }

  #failed(reason: HostText): void {
    const { clock, random, log } = this.#deps;
    const now = clock.monotonic();
    const failure = { now, startedAt: this.#startedAt, random: random.fraction() };
    const decision = restartPolicy(this.#history, failure);
    this.#history = decision.history;
    this.#reason = reason;
    this.#gaveUp = decision.type === 'give_up';
    if (decision.type === 'retry') this.#notBefore = now + decision.inMs;
    log.warn('mcp_server_failed', { reason: englishText(reason), gaveUp: this.#gaveUp });
    this.#state = this.#gaveUp ? 'failed' : 'waiting';
  }

  #failure() {
    return fail('unavailable', 'mcpServers.gaveUp', { why: this.#reason }, { help: 'mcpServers.startAgain' });
  }

  #rest(): void {
    if (this.#uses > 0 || !this.#connection) return;
    this.#idle = this.#deps.clock.after(this.#deps.idleMs, () => void this.stop(), { unref: true });
  }
}

const cancelled = fail('cancelled', 'mcpServers.startCancelled');

/** Other callers may wait for the same start, so an abort ends only the wait. */
function untilAborted<C>(started: Promise<Result<C>>, signal: AbortSignal): Promise<Result<C>> {
  if (signal.aborted) return Promise.resolve(err(cancelled));
  const left = new AbortController();
  const aborted = new Promise<Result<C>>((resolve) => {
    signal.addEventListener('abort', () => resolve(err(cancelled)), { once: true, signal: left.signal });
  });
  return Promise.race([started, aborted]).finally(() => left.abort());
}
