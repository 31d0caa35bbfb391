/**
 * One supervised agent: moves from its actual to its desired state one step at a time, and counts failures.
 * Slots are independent, so a slow start never delays another agent.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import { raceAgainst } from '../lib/sleep.ts';
import type { Timer } from '../ports.ts';
import type { ActualAgent, DesiredAgent } from './reconcile.ts';
import { type FailureHistory, noFailures, restartPolicy } from './restart-policy.ts';
import type { LifeReport, RunningAgent, SupervisorDeps } from './supervisor-ports.ts';

const startLimitMs = 120_000;
const stopLimitMs = 9_000;
const never = new AbortController().signal;

export class AgentSlot<Config> {
  readonly id: string;
  readonly #deps: SupervisorDeps<Config>;
  #wanted: DesiredAgent<Config> | null = null;
  #startedWith: DesiredAgent<Config> | null = null;
  #running: RunningAgent<Config> | null = null;
  #starting: AbortController | null = null;
  #stale = false;
  #busy = false;
  #converging: Promise<void> = Promise.resolve();
  #history: FailureHistory = noFailures;
  #startedAt = 0;
  /** A failed run that is still ending: nothing starts before it has ended. */
  #ending: Promise<void> = Promise.resolve();
  #retry: Timer | null = null;
  #gaveUp = false;
  #report: LifeReport = { life: 'stopping', error: null, restartAt: null };

  constructor(id: string, deps: SupervisorDeps<Config>) {
    this.id = id;
    this.#deps = deps;
  }

  get report(): LifeReport {
    return this.#report;
  }

  get working(): Promise<void> | null {
    return this.#busy ? this.#converging : null;
  }

  get actual(): ActualAgent<Config> {
    const base = {
      id: this.id,
      restartKey: this.#startedWith?.restartKey ?? null,
      config: this.#startedWith?.config ?? null,
    };
    if (this.#gaveUp) return { ...base, phase: 'gave_up' };
    if (this.#retry) return { ...base, phase: 'waiting' };
    if (this.#wanted === null && !this.#running) return { ...base, phase: 'down' };
    return { ...base, phase: this.#running ? 'running' : 'starting' };
  }

  /** Starts, or restarts with the new configuration, and clears the failures. */
  run(desired: DesiredAgent<Config>): void {
    this.#wanted = desired;
    this.#startedWith = desired;
    this.#stale = true;
    this.#forgive();
    this.#starting?.abort();
    this.#work();
  }

  update(desired: DesiredAgent<Config>): void {
    this.#wanted = desired;
    this.#startedWith = desired;
    this.#running?.update(desired.config);
  }

  /** `life`: reported once the agent is down; `null` to report nothing. */
  async halt(life: LifeReport['life'] | null): Promise<void> {
    this.#wanted = null;
    this.#forgive();
    this.#starting?.abort();
    this.#work();
    while (this.#busy) await this.#converging;
    await this.#ending;
    if (this.#wanted === null && life !== null) this.#tell(life, null, null);
  }

  /** Reports the state of an agent that should not run and does not. */
  rest(life: LifeReport['life']): void {
    if (!this.#busy && !this.#running && this.#report.life !== life) this.#tell(life, null, null);
  }

  #forgive(): void {
    this.#retry?.cancel();
    this.#retry = null;
    this.#gaveUp = false;
    this.#history = noFailures;
  }

  #work(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#converging = this.#converge();
  }

  /** Clears `#busy` in the same synchronous step that finds no work, so no new request is missed. */
  async #converge(): Promise<void> {
    for (;;) {
      if (this.#running && (this.#wanted === null || this.#stale)) await this.#stop();
      else if (this.#wanted && !this.#running && this.#stale) await this.#start(this.#wanted);
      else break;
    }
    this.#busy = false;
  }

  async #start(desired: DesiredAgent<Config>): Promise<void> {
    this.#stale = false;
    await this.#ending;
    if (this.#wanted === null) return;
    this.#startedAt = this.#deps.clock.monotonic();
    this.#tell('starting', null, null);
    const starting = new AbortController();
    this.#starting = starting;
    let mine: RunningAgent<Config> | null = null;
    let early: AppError | null = null;
    const failed = (error: AppError): void => {
      if (mine === null) early ??= error;
      else this.#broke(mine, error);
    };
    const result = await this.#launch(desired, { failed, signal: starting.signal });
    this.#starting = null;
    if (result.ok) {
      mine = result.value;
      this.#running = mine;
      if (starting.signal.aborted) return;
      if (early !== null) this.#broke(mine, early);
      else {
        if (this.#wanted && this.#wanted.config !== desired.config) mine.update(this.#wanted.config);
        this.#tell('running', null, null);
      }
    } else if (!starting.signal.aborted) this.#failed(result.error);
  }

  async #launch(
    desired: DesiredAgent<Config>,
    hooks: { failed: (error: AppError) => void; signal: AbortSignal },
  ): Promise<Result<RunningAgent<Config>>> {
    try {
      const launched = Promise.resolve(this.#deps.launcher.launch(desired, hooks));
      const raced = await raceAgainst(launched, this.#deps.clock, startLimitMs, hooks.signal);
      if (raced.type === 'value') return raced.value;
      // The launch may still succeed later: stop that run, because the slot has given it up.
      launched.then(
        (late) => (late.ok ? this.#stopQuietly(late.value) : undefined),
        () => undefined,
      );
      return err(fail('timeout', 'turns.agentNotReady', { n: startLimitMs / 1000 }));
    } catch (error) {
      this.#deps.log.error('agent_start_threw', { agent: this.id, error: String(error) });
      return err(fail('internal', 'turns.agentStartFailed'));
    }
  }

  #broke(running: RunningAgent<Config>, error: AppError): void {
    if (this.#running !== running) return;
    this.#running = null;
    this.#ending = this.#stopQuietly(running);
    this.#failed(error);
  }

  #failed(error: AppError): void {
    if (this.#wanted === null || this.#stale) return;
    const { clock, random, log } = this.#deps;
    const failure = { now: clock.monotonic(), startedAt: this.#startedAt, random: random.fraction() };
    const decision = restartPolicy(this.#history, failure);
    this.#history = decision.history;
    log.warn('agent_failed', { agent: this.id, code: error.code, next: decision.type });
    if (decision.type === 'give_up') {
      this.#gaveUp = true;
      this.#tell('gave_up', error, null);
      return;
    }
    this.#retry = clock.after(decision.inMs, () => {
      this.#retry = null;
      this.#stale = true;
      this.#work();
    });
    this.#tell('backing_off', error, clock.now() + decision.inMs);
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (!running) return;
    this.#tell('stopping', null, null);
    await this.#stopQuietly(running);
  }

  async #stopQuietly(running: RunningAgent<Config>): Promise<void> {
    try {
      const raced = await raceAgainst(running.stop(), this.#deps.clock, stopLimitMs, never);
      if (raced.type === 'timeout') this.#deps.log.warn('agent_stop_timeout', { agent: this.id });
    } catch (error) {
      this.#deps.log.error('agent_stop_threw', { agent: this.id, error: String(error) });
    }
  }

  #tell(life: LifeReport['life'], error: AppError | null, restartAt: number | null): void {
    this.#report = { life, error, restartAt };
    this.#deps.onLife(this.id, this.#report);
  }
}
