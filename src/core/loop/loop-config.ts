/**
 * What one run of the loop is made of: where answers come from, what may be called, and the hooks around both. Hooks
 * may throw: before a request that ends the run with a failed message, around a call it becomes that call's error.
 */
import type { ThinkingLevel } from '../model-ports.ts';
import type {
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolResultMessage,
  TranscriptMessage,
} from '../models/messages.ts';
import type { Clock, Random } from '../ports.ts';
import type { ToolOutput } from '../tool-ports.ts';
import type { CompactionPolicy, CompactionReport } from './compaction.ts';
import type { LoopTool } from './loop-tool.ts';
import type { RetryPolicy, RetryReport } from './retry.ts';
import type { LoopModel, StreamFunction } from './stream-function.ts';
import type { TextCall } from './text-calls.ts';

/** May be changed between requests, by the agent or by `prepareNextTurn`. */
export interface LoopSettings {
  system: string;
  tools: readonly LoopTool[];
  model: LoopModel;
  thinkingLevel: ThinkingLevel;
}

/** What is about to be asked. */
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
  /** The text of the call's error result. */
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
 * Told synchronously, before anybody else hears of it. A throw (a full disk) ends the run: what cannot be recorded is
 * not done.
 */
export interface LoopJournal {
  /** Every message but the results of calls that were begun, in transcript order. */
  messageAdded(message: TranscriptMessage): void;
  /** Right before the body runs. */
  callStarted(intent: StartedCall): void;
  /** When that call ends, not when its batch does; so results may come in another order than the calls. */
  callEnded(callId: string, result: ToolResultMessage): void;
  /** `summary` stands for all but the newest `kept` messages of the transcript. */
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
  /** Handed to `stream` as they are. */
  readonly providerOptions?: Readonly<Record<string, unknown>>;
  readonly apiKey?: string;
  /** Asked before every request; undefined falls back to `apiKey`. */
  getApiKey?(provider: string): Awaitable<string | null | undefined>;

  /**
   * Which messages a model sees, and how. Each message is looked at by itself, once: called with those that were added
   * since the last request, so that a long transcript costs no more than a short one.
   */
  convertToLlm?(messages: readonly TranscriptMessage[]): Awaitable<readonly Message[]>;
  /** Changes the next request only, before conversion. With it every request costs the whole transcript. */
  transformContext?(
    messages: readonly TranscriptMessage[],
    signal: AbortSignal,
  ): Awaitable<readonly TranscriptMessage[]>;
  prepareRequest?(request: LoopRequest, signal: AbortSignal): Awaitable<Partial<LoopRequest> | undefined>;
  prepareNextTurn?(turn: TurnView, signal: AbortSignal): Awaitable<Partial<LoopSettings> | undefined>;
  /** Before `turn_end`: `end` ends the run, `continue` asks the model again even if it called nothing. */
  finishTurn?(turn: TurnView, signal: AbortSignal): Awaitable<'continue' | 'end' | undefined>;
  /** The run ends after the turn of which it says so. */
  isComplete?(turn: TurnView): Awaitable<boolean>;

  getSteeringMessages?(): Awaitable<readonly TranscriptMessage[]>;
  getFollowUpMessages?(): Awaitable<readonly TranscriptMessage[]>;

  /** Default `parallel`. */
  readonly toolExecution?: 'parallel' | 'sequential';
  beforeToolCall?(call: CallView, signal: AbortSignal): Awaitable<BeforeVerdict | undefined>;
  /** Right before a call runs that waited for others of its batch to be prepared. */
  recheckToolCall?(call: CallView, signal: AbortSignal): Awaitable<BeforeVerdict | undefined>;
  /** What it returns replaces those fields of the result. */
  afterToolCall?(
    call: CallView & { readonly result: ToolOutput; readonly isError: boolean },
    signal: AbortSignal,
  ): Awaitable<Partial<ToolOutput> | undefined>;
  /** Reads calls from plain text. Default, for models without native calls: `parseTextCalls`. */
  parseAction?(text: string, tools: readonly LoopTool[]): readonly TextCall[];

  /** ms until the first event of a stream; default 330,000. */
  readonly firstEventMs?: number;
  /** ms without a further event before a stream counts as stalled; default 90,000. */
  readonly idleMs?: number;
  /** ms that a stream has to end by itself after an abort; default 2,000. */
  readonly abortGraceMs?: number;
  /** ms after an abort at which a tool that ignores it is cut off; default 30,000. */
  readonly toolAbortMs?: number;
  /** For tools without one of their own; none by default. */
  readonly toolTimeoutMs?: number;

  readonly retry?: RetryPolicy;
  onRetry?(report: RetryReport): void;
  readonly compaction?: CompactionPolicy;
  onCompaction?(report: CompactionReport): void;
  readonly journal?: LoopJournal;
}
