/** Settings of a patched client. */

import type { CodeExecution } from './code-execution.ts';
import type { CodeExecutor } from './code-executor.ts';
import type { ApproveCall } from './tool-pool.ts';

export interface ProviderAddress {
  readonly baseURL?: string;
  readonly apiKey?: string;
}

export interface PatchOptions {
  /** Asked before each call of a tool; without it every call runs. */
  readonly approve?: ApproveCall;
  /** Addresses and keys by provider; keys otherwise come from the environment. */
  readonly providers?: Readonly<Record<string, ProviderAddress>>;
  /** Folder for conversations as JSON lines; `AGENTD_LOG_DIR` if absent, else none is written. */
  readonly logDir?: string;
  /** The last answer still calls tools, but no further request is made. */
  readonly onLimit?: () => void;
}

export interface PtcOptions extends PatchOptions {
  /** Where files are written and programs start; the working folder if absent. */
  readonly cwd?: string;
  /** Runs `bash` and `python`: subprocesses in `cwd` if absent; with `null` only JavaScript and TypeScript run. */
  readonly executor?: CodeExecutor | null;
  /** The default of `codeTools` of each call. */
  readonly codeTools?: boolean;
  /** Called for all code that ran, in order. */
  readonly onCode?: (execution: CodeExecution) => void;
}
