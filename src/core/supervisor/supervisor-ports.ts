/** Ports and notifications of the supervisor, independent of the kind of agent. */
import type { AppError } from '../../contract/errors.ts';
import type { AgentLife } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { DesiredAgent } from './reconcile.ts';

export interface RunningAgent<Config> {
  /** Applies a change that needs no restart; effective from the next turn. */
  update(config: Config): void;
  /** Ends within its own grace period; the rest is abandoned. */
  stop(): Promise<void>;
}

export interface LaunchHooks {
  /** Reports that the agent failed after its start; call at most once. */
  failed(error: AppError): void;
  /** Aborted when the start is no longer wanted. */
  readonly signal: AbortSignal;
}

export interface AgentLauncher<Config> {
  launch(agent: DesiredAgent<Config>, hooks: LaunchHooks): Promise<Result<RunningAgent<Config>>>;
}

export interface LifeReport {
  readonly life: AgentLife;
  readonly error: AppError | null;
  /** ms since the epoch of the next start during back-off, otherwise `null`. */
  readonly restartAt: number | null;
}

export interface SupervisorDeps<Config> {
  readonly launcher: AgentLauncher<Config>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** `report`: `null` if the agent was removed. */
  readonly onLife: (id: string, report: LifeReport | null) => void;
}

export interface Supervisor<Config> {
  /** Aligns the running agents with `desired`; returns at once, and each agent proceeds on its own. */
  apply(desired: readonly DesiredAgent<Config>[]): void;
  /**
   * Stops the agent if it runs, clears its failures and starts it. False if the agent is unknown or should
   * not run.
   */
  restart(id: string): boolean;
  lifeOf(id: string): LifeReport | null;
  /** Resolves when no agent is starting or stopping. */
  settled(): Promise<void>;
  /** Stops all agents in parallel within `graceMs`. No agent starts afterwards. */
  stopAll(graceMs?: number): Promise<void>;
}
