/** Code that ran, or a file that was written. */
export interface CodeExecution {
  readonly id: string;
  /** Its language, or `NAME:create` of a file. */
  readonly target: string;
  readonly code: string;
  readonly output: string;
  readonly status: 'completed' | 'failed';
  readonly exitCode: number | null;
  readonly durationMs: number;
}
