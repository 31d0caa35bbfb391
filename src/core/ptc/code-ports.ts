/** Port of an engine that runs JavaScript of a model without a process, and what a tool call looks like to it. */
import type { Result } from '../../contract/result.ts';

export interface CodeLimits {
  /** ms of computing between two waits for calls. */
  readonly sliceMs: number;
  /** ms of computing in total; time in which the code waits for calls does not count. */
  readonly computeMs: number;
  readonly memoryBytes: number;
  /** Characters of output that are kept: the beginning and the end. */
  readonly outputCharacters: number;
}

/** `structured` is data of a failure, if the tool gave some. */
export type CodeAnswer =
  | { readonly type: 'value'; readonly value: unknown }
  | {
      readonly type: 'error';
      readonly tool: string;
      readonly message: string;
      readonly structured?: unknown;
    };

/** A function of the code: `tools.<path>(args)`. */
export interface CodeFunction {
  readonly path: readonly string[];
  /** Passed to `call`. */
  readonly tool: string;
}

export interface CodeRequest {
  readonly code: string;
  readonly functions: readonly CodeFunction[];
  readonly limits: CodeLimits;
  /**
   * Never throws: every failure is an answer. `.search`, `.describe`, `.ls` and `.cat` are questions about the tools,
   * with the argument `text`.
   */
  call(tool: string, args: unknown, signal: AbortSignal): Promise<CodeAnswer>;
}

/** `stuck`: the code waits for a promise that cannot resolve. */
export type CodeEnd = 'done' | 'threw' | 'timeout' | 'memory' | 'stuck' | 'aborted';

export interface CodeOutcome {
  readonly end: CodeEnd;
  /** Text of the error that ended the code; `null` after `done`. */
  readonly error: string | null;
  /** The returned value as JSON; `null` if the code returned none. */
  readonly returned: string | null;
  readonly printed: string;
  /** Characters that were printed but not kept. */
  readonly cutCharacters: number;
  readonly computeMs: number;
}

/** Isolates the code from the host: no files, network, process, timers or modules. */
export interface CodeEngine {
  run(request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome>;
}

/** The folder and the environment with which a program can call tools. */
export interface OpenBroker {
  /** Absolute path of a folder of this run alone: the socket, and `skills` with the generated files. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Aborts the calls that are open, and deletes the folder. */
  close(): Promise<void>;
}

export interface BrokerRequest extends Pick<CodeRequest, 'call'> {
  /** Written to the folder by path; private to the owner. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Lets programs outside of the host call tools, over a Unix socket with a token that counts for one run. A connection
 * that closes aborts its calls.
 */
export interface ToolBroker {
  open(request: BrokerRequest): Promise<Result<OpenBroker>>;
}
