/** How another part of the house has an agent do something: as a task, waited for, and never done twice. */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { JsonSchema } from '../model-ports.ts';
import type { Spent } from '../models/usage.ts';

export interface HandOut {
  readonly goal: string;
  /** Id, slug or name; null: any agent. */
  readonly agent: string | null;
  /** What the result must fit; null: any text. */
  readonly schema: JsonSchema | null;
  /** US dollars; null: no limit of its own. */
  readonly maxUsd: number | null;
  /** Handed out again under the same key it is the same task, also after a restart; an end it has had is given back. */
  readonly key: string;
  /** Who wants it, e.g. the name of a run; shown as the task's project. */
  readonly initiatedBy: string | null;
}

export interface HandedIn {
  readonly task: number;
  /** As the agent gave it; JSON where a schema was given. */
  readonly text: string;
  /** Fits the schema; without one it is the text. */
  readonly value: unknown;
  /** What this task used, of all its attempts. */
  readonly used: Spent;
}

export interface HandOutFailure {
  readonly error: AppError;
  readonly used: Spent;
}

export interface TaskDesk {
  /**
   * Resolves with the end of the task; a task that failed or was cancelled is an error (`cancelled`, `rate_limited` for a
   * spent budget, `agent_error` otherwise). A signal aborted with the reason `interrupted` leaves the task at work and ends
   * the wait only, as `unavailable`; any other reason cancels the task.
   */
  handOut(work: HandOut, signal: AbortSignal): Promise<Result<HandedIn, HandOutFailure>>;
  /** The task that was handed out under this key; null: none, or they cannot be looked at now. */
  handedOut(key: string): number | null;
}
