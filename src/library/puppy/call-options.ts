/** The options of `kennel/puppy`. */
import type { WorkshopOptions } from './workshop.ts';

export interface CallLimits {
  /** ms; 20,000 when absent, at least 200. What runs then is ended, and the run cancelled. */
  readonly timeoutMs?: number;
  /** Bytes of the envelope; 512,000 when absent, at least 1,024. */
  readonly maxStdoutBytes?: number;
  /** Lays the run down: `continueWorkflow` goes on with it. */
  readonly signal?: AbortSignal;
}

export interface RunWorkflowOptions extends CallLimits, Omit<WorkshopOptions, 'maxPipelineOutput'> {
  readonly args?: Readonly<Record<string, unknown>>;
  /** The same as JSON text. */
  readonly argsJson?: string;
  /** Where steps work: relative to `root`, and inside it. */
  readonly cwd?: string;
  /** Whom your program knows to have asked for this; who that is may not approve where a file says so. */
  readonly initiatedBy?: string | null;
  /** A second start under the same key is the first one. */
  readonly idempotencyKey?: string;
}

/** Exactly one of `approve`, `response`, `answer` and `cancel`. */
export interface ResumeAnswer {
  /** As the envelope before gave it. */
  readonly token: string;
  readonly approve?: boolean;
  /** Why not: goes with `approve: false`. */
  readonly reason?: string;
  /** To a structured question. */
  readonly response?: unknown;
  /** To a step that was interrupted: whether it was done. */
  readonly answer?: 'done' | 'repeat' | 'cancel';
  /** Ends the whole run. */
  readonly cancel?: boolean;
  /** Whom your program knows to have decided; a file may ask for a name. */
  readonly approvedBy?: string | null;
}

export interface ResumeWorkflowOptions extends CallLimits, Omit<WorkshopOptions, 'maxPipelineOutput'> {}
