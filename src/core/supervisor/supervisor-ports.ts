/** What the supervisor needs from outside to run agents of any kind, and what it tells. */
import type { AppError } from '../../contract/errors.ts';
import type { AgentLife } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { DesiredAgent } from './reconcile.ts';

export interface RunningAgent<Config> {
  /** A change that needs no restart; counts from the next turn. */
  update(config: Config): void;
  /** Ends within its own grace; whatever is left after that is abandoned. */
  stop(): Promise<void>;
}

export interface LaunchHooks {
  /** The agent broke after its start; call once. */
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
  /** ms since the epoch of the next start, while backing off. */
  readonly restartAt: number | null;
}

export interface SupervisorDeps<Config> {
  readonly launcher: AgentLauncher<Config>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Null: the agent is gone. */
  readonly onLife: (id: string, report: LifeReport | null) => void;
}

export interface Supervisor<Config> {
  /** Brings what runs in line with `desired`; returns at once, every agent at its own pace. */
  apply(desired: readonly DesiredAgent<Config>[]): void;
  /** Stops if it runs, forgets its failures, starts. False: no such agent, or it should not run. */
  restart(id: string): boolean;
  lifeOf(id: string): LifeReport | null;
  /** Resolves when nothing is starting or stopping. */
  settled(): Promise<void>;
  /** Stops all agents at once; at most `graceMs`. Nothing starts afterwards. */
  stopAll(graceMs?: number): Promise<void>;
}
