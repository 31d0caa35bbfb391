/**
 * What pipelines need from outside. Without a port there is no effect: stages start nothing, open nothing and remember
 * nothing by themselves. Expected failures are results; a port throws only for bugs.
 */
import type { Result } from '../../../contract/result.ts';
import type { JsonRecord, JsonValue } from './exact-json.ts';

export interface ExecRequest {
  /** A program with its words, started without a shell; or one line for a shell that is not a login shell. */
  readonly command:
    | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
    | { readonly kind: 'shell'; readonly line: string };
  /** Null: nothing, the stream is closed at once. */
  readonly stdin: string | null;
}

export type ExecEvent =
  /** Whole characters, however the bytes came. */
  | { readonly type: 'stdout'; readonly text: string }
  /** The last event. `stderr` is the end of it, cut to some KiB. */
  | {
      readonly type: 'ended';
      readonly code: number | null;
      readonly signal: string | null;
      readonly stderr: string;
    };

export interface ExecPort {
  /**
   * Caps are kept while reading. Closing the iterator (`return`) or aborting ends the whole tree of processes, and waits for
   * that. A program that could not be started, a cap and an abort are the last element.
   */
  start(request: ExecRequest, signal: AbortSignal): AsyncIterable<Result<ExecEvent>>;
}

/**
 * `value`: state.get and state.set. `snapshot`: diff.last. `answer`: replies of models. Keys are any text, told apart letter
 * by letter; no space holds anything of runs, gates or tokens, so that no pipeline can write or read these.
 */
export type StateSpace = 'value' | 'snapshot' | 'answer';

export interface StatePort {
  /** Undefined: nothing was ever kept under this key. */
  get(space: StateSpace, key: string): Promise<Result<JsonValue | undefined>>;
  set(space: StateSpace, key: string, value: JsonValue): Promise<Result<void>>;
}

export interface InvokeRequest {
  /** Base address of the gateway; the port adds `/tools/invoke`, and follows no redirect. */
  readonly url: string;
  /** `ambient`: the token of the environment, which no stage ever sees. It comes here only for a local address. */
  readonly token: { readonly kind: 'none' | 'ambient' } | { readonly kind: 'given'; readonly value: string };
  readonly body: JsonRecord;
}

export interface GatewayPort {
  /** What the environment offers; null: no address. */
  readonly ambient: { readonly url: string | null; readonly hasToken: boolean };
  post(
    request: InvokeRequest,
    signal: AbortSignal,
  ): Promise<Result<{ readonly status: number; readonly body: string }>>;
}

export interface Artifact {
  readonly kind: 'text' | 'json';
  readonly text?: string;
  readonly data?: JsonValue;
  readonly sha256: string;
}

export interface LlmRequest {
  /** Null: what the host has chosen. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly token: string | null;
  readonly prompt: string;
  readonly artifacts: readonly Artifact[];
  readonly metadata: JsonRecord;
  readonly outputSchema: JsonRecord | null;
  readonly schemaVersion: string;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
  /** Why the answer before was refused; null at the first try. */
  readonly retryContext: {
    readonly attempt: number;
    readonly errors: readonly string[];
    readonly text: string;
  } | null;
}

export interface LlmReply {
  readonly runId: string;
  readonly model: string;
  readonly text: string;
  readonly usage: JsonValue;
}

export interface LlmPort {
  ask(request: LlmRequest, signal: AbortSignal): Promise<Result<LlmReply>>;
}

export interface NamedWorkflowsPort {
  list(): Promise<Result<readonly JsonRecord[]>>;
  run(name: string, args: JsonRecord, signal: AbortSignal): Promise<Result<readonly JsonValue[]>>;
}

export interface PipelinePorts {
  readonly exec: ExecPort;
  readonly state: StatePort;
  readonly gateway: GatewayPort;
  readonly llm: LlmPort;
  readonly workflows: NamedWorkflowsPort;
  /** Text files of templates, confined by the host to where the run may read. */
  readonly readText: (path: string) => Promise<Result<string>>;
  /** Lower-case hex. */
  readonly sha256: (text: string) => string;
}
