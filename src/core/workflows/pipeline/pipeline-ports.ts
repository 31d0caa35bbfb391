/**
 * Ports of pipelines. Stages have no effect except through a port. Expected failures are results; a port
 * throws only for bugs.
 */
import type { Result } from '../../../contract/result.ts';
import type { ExactJsonRecord, JsonValue } from './exact-json.ts';

export interface ExecRequest {
  /** A program with its arguments, started without a shell; or one line for a non-login shell. */
  readonly command:
    | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
    | { readonly kind: 'shell'; readonly line: string };
  /** `null` if the stream is closed at once. */
  readonly stdin: string | null;
}

export type ExecEvent =
  /** Whole characters, however the bytes arrive. */
  | { readonly type: 'stdout'; readonly text: string }
  /** Last event. `stderr` is the end of the error output, cut to some KiB. */
  | {
      readonly type: 'ended';
      readonly code: number | null;
      readonly signal: string | null;
      readonly stderr: string;
    };

export interface ExecPort {
  /**
   * Size limits apply while reading. Closing the iterator (`return`) or aborting ends the whole process tree
   * and waits for it. A program that cannot start, an exceeded limit and an abort are the last element.
   */
  start(request: ExecRequest, signal: AbortSignal): AsyncIterable<Result<ExecEvent>>;
}

/**
 * `value`: state.get and state.set. `snapshot`: diff.last. `answer`: replies of models. Keys are arbitrary
 * text, compared exactly. No space contains runs, gates or tokens, so pipelines cannot read or write them.
 */
export type StateSpace = 'value' | 'snapshot' | 'answer';

export interface StatePort {
  /** `undefined` if the key was never set. */
  get(space: StateSpace, key: string): Promise<Result<JsonValue | undefined>>;
  set(space: StateSpace, key: string, value: JsonValue): Promise<Result<void>>;
}

export interface InvokeRequest {
  /** Base address of the gateway; the port appends `/tools/invoke` and follows no redirect. */
  readonly url: string;
  /** `ambient`: the token of the environment, which no stage sees; used only for a local address. */
  readonly token: { readonly kind: 'none' | 'ambient' } | { readonly kind: 'given'; readonly value: string };
  readonly body: ExactJsonRecord;
}

export interface GatewayPort {
  /** Gateway settings from the environment; `url`: `null` if not set. */
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
  /** `null` for the host's default. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly token: string | null;
  readonly prompt: string;
  readonly artifacts: readonly Artifact[];
  readonly metadata: ExactJsonRecord;
  readonly outputSchema: ExactJsonRecord | null;
  readonly schemaVersion: string;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
  /** Why the previous answer was refused; `null` on the first try. */
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
  list(): Promise<Result<readonly ExactJsonRecord[]>>;
  run(name: string, args: ExactJsonRecord, signal: AbortSignal): Promise<Result<readonly JsonValue[]>>;
}

export interface PipelinePorts {
  readonly exec: ExecPort;
  readonly state: StatePort;
  readonly gateway: GatewayPort;
  readonly llm: LlmPort;
  readonly workflows: NamedWorkflowsPort;
  /** Reads text files of templates; the host confines them to the folders of the run. */
  readonly readText: (path: string) => Promise<Result<string>>;
  /** Lower-case hex. */
  readonly sha256: (text: string) => string;
}
