/** Ports that start programs, plain or inside an OS sandbox. */
import type { Result } from '../../contract/result.ts';
import type { SandboxKind } from '../policy/assessment.ts';

export interface ProcessRequest {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Input of the program; none if absent. */
  readonly stdin?: Uint8Array;
  /** At the end of its time a held program goes on until it is no longer held. */
  readonly isHeld?: () => boolean;
  /** Bytes kept per stream; the rest is counted and discarded while reading. */
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
}

export interface ProcessOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly durationMs: number;
}

/** Starts programs without a shell in a process group of their own, and leaves none running. */
export interface ProcessPort {
  run(request: ProcessRequest, signal: AbortSignal): Promise<Result<ProcessOutcome>>;
}

/**
 * Folders that a sandboxed program sees beside the system's programs: absolute paths, and nothing else of the
 * disk.
 */
export interface SandboxView {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly network: boolean;
}

/** `ProcessPort` with an OS sandbox around every program; absent if the system offers none. */
export interface SandboxPort {
  readonly kind: Extract<SandboxKind, 'bubblewrap'>;
  run(request: ProcessRequest, view: SandboxView, signal: AbortSignal): Promise<Result<ProcessOutcome>>;
}
