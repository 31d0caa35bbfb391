/**
 * Lets other modules have an agent do work as a task: they wait for its result, and it is never done twice.
 */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { JsonSchema } from '../models/model-ports.ts';
import type { Spent } from '../models/usage.ts';

export interface HandOut {
  readonly goal: string;
  /** Id, slug or name; `null` for any agent. */
  readonly agent: string | null;
  /** Schema of the result; `null` for any text. */
  readonly schema: JsonSchema | null;
  /** US dollars; `null` for no limit of its own. */
  readonly maxUsd: number | null;
  /** Idempotency key, also across a restart: the same key returns the same task and its result. */
  readonly key: string;
  /** Requester, e.g. the name of a run; shown as the project of the task. */
  readonly initiatedBy: string | null;
}

export interface HandedIn {
  readonly task: number;
  /** As the agent gave it; JSON if a schema was given. */
  readonly text: string;
  /** Value that fits the schema; without a schema, the text. */
  readonly value: unknown;
  /** Usage of the task over all attempts. */
  readonly used: Spent;
}

export interface HandOutFailure {
  readonly error: AppError;
  readonly used: Spent;
}

export interface HandOutPort {
  /**
   * Resolves at the end of the task; a failed or cancelled task is an error (`cancelled`, `rate_limited` for
   * a spent budget, `agent_error` otherwise). Aborting with the reason `interrupted` ends only the wait, as
   * `unavailable`, and the task continues; any other reason cancels the task.
   */
  handOut(work: HandOut, signal: AbortSignal): Promise<Result<HandedIn, HandOutFailure>>;
  /** Task number of this key; `null` if none exists or the store cannot be read now. */
  handedOut(key: string): number | null;
}
