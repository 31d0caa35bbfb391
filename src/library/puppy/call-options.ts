/** The options of `kennel/puppy`. */
import type { StandaloneRuntimeOptions } from './standalone-runtime.ts';

export interface CallLimits {
  /** ms; 20,000 if absent, at least 200. At the timeout running steps are ended and the run is cancelled. */
  readonly timeoutMs?: number;
  /** Maximum bytes of the envelope; 512,000 if absent, at least 1,024. */
  readonly maxStdoutBytes?: number;
  /** Interrupts the run; `continueWorkflow` resumes it. */
  readonly signal?: AbortSignal;
}

export interface RunWorkflowOptions extends CallLimits, Omit<StandaloneRuntimeOptions, 'maxPipelineOutput'> {
  readonly args?: Readonly<Record<string, unknown>>;
  /** The same as JSON text. */
  readonly argsJson?: string;
  /** Working folder of the steps, relative to `root` and inside it. */
  readonly cwd?: string;
  /** The user who requested the run; a file may exclude that user from approving. */
  readonly initiatedBy?: string | null;
  /** A second start under the same key returns the first run. */
  readonly idempotencyKey?: string;
}

/** Requires exactly one of `approve`, `response`, `answer` and `cancel`. */
export interface ResumeAnswer {
  /** From the previous envelope. */
  readonly token: string;
  readonly approve?: boolean;
  /** The reason, with `approve: false`. */
  readonly reason?: string;
  readonly response?: unknown;
  /** Whether an interrupted step was done. */
  readonly answer?: 'done' | 'repeat' | 'cancel';
  readonly cancel?: boolean;
  /** The user who decided; a file may require certain names. */
  readonly approvedBy?: string | null;
}

export interface ResumeWorkflowOptions
  extends CallLimits,
    Omit<StandaloneRuntimeOptions, 'maxPipelineOutput'> {}
