/**
 * Configuration of one run of the loop: model, tools, and hooks. A hook may throw: before a request that ends
 * the run with a failed message, around a call it becomes the error of that call.
 */

import type { AppError } from '../../contract/errors.ts';
import type {
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolResultMessage,
  TranscriptMessage,
} from '../models/messages.ts';
import type { ThinkingLevel } from '../models/model-ports.ts';
import type { Clock, Random } from '../ports.ts';
import type { ToolOutput } from '../tools/tool.ts';
import type { LoopTool } from './loop-tool.ts';
import type { CompactionPolicy, CompactionReport } from './plan-compaction.ts';
import type { RetryPolicy, RetryReport } from './retry.ts';
import type { LoopModel, StreamFunction } from './stream-function.ts';
import type { TextCall } from './text-calls.ts';

/** The agent or `prepareNextTurn` may change these between requests. */
export interface LoopSettings {
  system: string;
  tools: readonly LoopTool[];
  model: LoopModel;
  thinkingLevel: ThinkingLevel;
}

export interface LoopRequest extends Readonly<LoopSettings> {
  readonly messages: readonly Message[];
}

export interface CallView {
  readonly assistantMessage: AssistantMessage;
  readonly toolCall: ToolCallBlock;
  /** Validated and frozen: exactly what will run. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly tool: LoopTool;
  readonly messages: readonly TranscriptMessage[];
}

export interface BeforeVerdict {
  readonly block?: boolean;
  /** Text of the call's error result. */
  readonly reason?: string;
  readonly details?: unknown;
  readonly terminate?: boolean;
}

export interface TurnView {
  readonly message: AssistantMessage;
  readonly toolResults: readonly ToolResultMessage[];
  readonly messages: readonly TranscriptMessage[];
}

/**
 * Called synchronously, before listeners. A throw (a full disk) ends the run: nothing happens without a
 * record.
 */
export interface LoopJournal {
  /** Every message in transcript order, except the results of started calls. */
  messageAdded(message: TranscriptMessage): void;
  /** Called directly before the body runs. */
  callStarted(intent: StartedCall): void;
  /** Called when the call ends, not its batch, so results may come in another order than the calls. */
  callEnded(callId: string, result: ToolResultMessage): void;
  /** `summary` replaces all but the newest `kept` messages of the transcript. */
  compacted?(summary: TranscriptMessage, kept: number): void;
}

export interface StartedCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly replay: 'safe' | 'never';
  /** ms since the epoch. */
  readonly at: number;
}

type Awaitable<T> = T | Promise<T>;

export interface LoopConfig {
  readonly stream: StreamFunction;
  readonly clock: Clock;
  readonly random: Pick<Random, 'uuid' | 'fraction'>;

  readonly sessionId?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Passed to `stream` unchanged. */
  readonly providerOptions?: Readonly<Record<string, unknown>>;
  readonly apiKey?: string;
  /** Called before every request; `undefined` falls back to `apiKey`. */
  getApiKey?(provider: string): Awaitable<string | null | undefined>;

  /**
   * Selects and converts the messages that a model sees. Each message is converted once and independently: a
   * call gets only the messages added since the last request, so a long transcript costs no more than a short
   * one.
   */
  convertToLlm?(messages: readonly TranscriptMessage[]): Awaitable<readonly Message[]>;
  /**
   * Changes only the next request, before conversion. With this hook every request costs the whole
   * transcript.
   */
  transformContext?(
    messages: readonly TranscriptMessage[],
    signal: AbortSignal,
  ): Awaitable<readonly TranscriptMessage[]>;
  prepareRequest?(request: LoopRequest, signal: AbortSignal): Awaitable<Partial<LoopRequest> | undefined>;
  prepareNextTurn?(turn: TurnView, signal: AbortSignal): Awaitable<Partial<LoopSettings> | undefined>;
  /** Before `turn_end`: `end` ends the run, `continue` calls the model again even without a tool call. */
  finishTurn?(turn: TurnView, signal: AbortSignal): Awaitable<'continue' | 'end' | undefined>;
  /** True ends the run after this turn. */
  isComplete?(turn: TurnView): Awaitable<boolean>;

  getSteeringMessages?(): Awaitable<readonly TranscriptMessage[]>;
  getFollowUpMessages?(): Awaitable<readonly TranscriptMessage[]>;

  /** Default `parallel`. */
  readonly toolExecution?: 'parallel' | 'sequential';
  beforeToolCall?(call: CallView, signal: AbortSignal): Awaitable<BeforeVerdict | undefined>;
  /** Called directly before a call runs that waited for others of its batch. */
  recheckToolCall?(call: CallView, signal: AbortSignal): Awaitable<BeforeVerdict | undefined>;
  /** Returned fields replace those of the result. */
  afterToolCall?(
    call: CallView & { readonly result: ToolOutput; readonly isError: boolean },
    signal: AbortSignal,
  ): Awaitable<Partial<ToolOutput> | undefined>;
  /** Parses calls from plain text. Default for models without native calls: `parseTextCalls`. */
  parseAction?(text: string, tools: readonly LoopTool[]): readonly TextCall[];

  /** ms until the first event of a stream; default 330,000. */
  readonly firstEventMs?: number;
  /** ms without a further event before a stream counts as stalled; default 90,000. */
  readonly idleMs?: number;
  /** ms that a stream has to end by itself after an abort; default 2,000. */
  readonly abortGraceMs?: number;
  /** ms after an abort before a tool that ignores it is cut off; default 30,000. */
  readonly toolAbortMs?: number;
  /** ms for tools without a timeout of their own; none by default. */
  readonly toolTimeoutMs?: number;

  readonly retry?: RetryPolicy;
  onRetry?(report: RetryReport): void;
  /** Receives the failure of a model request that will not be retried. */
  onFailure?(error: AppError): void;
  readonly compaction?: CompactionPolicy;
  onCompaction?(report: CompactionReport): void;
  readonly journal?: LoopJournal;
}
