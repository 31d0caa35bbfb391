/**
 * Ports of model access: models behind one streaming port, prices, and the spending gate. An adapter never
 * throws; a failure is the last event of the stream.
 */
import type { AppError } from '../../contract/errors.ts';
import type { AssistantMessage, Message } from './messages.ts';

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type ThinkingLevel = (typeof thinkingLevels)[number];

/** JSON Schema (draft 2020-12) of one tool's arguments; its root is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** Model, server and credentials of a request. */
export interface ModelTarget {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** `null` if the server needs none. Never logged. */
  readonly apiKey: string | null;
  /** How `apiKey` is sent; `oauth` is the bearer token of a login. */
  readonly auth: 'api_key' | 'oauth';
}

/** Input of a request. The caller has adapted `messages` to the model (hand-off). */
export interface ModelContext {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
}

export interface ModelOptions {
  readonly maxOutputTokens: number;
  readonly thinkingLevel: ThinkingLevel;
  readonly temperature?: number;
  /** The same for all requests of one conversation: key of a provider's prompt cache. */
  readonly sessionId?: string;
  /** ms without any byte before the stream counts as stalled; adapters default to 90,000. */
  readonly idleMs?: number;
}

/**
 * Events of one response. Per block one `X_start`, any number of `X_delta`, one `X_end`; `contentIndex`
 * numbers blocks in order of their start. Nothing follows `done` or `error`, and a stream may consist of that
 * event alone. `partial` is one object that keeps growing: read it now or copy it (deltas make no copies).
 */
export type ModelEvent =
  | { readonly type: 'start'; readonly partial: AssistantMessage }
  | BlockEvent
  | {
      readonly type: 'done';
      readonly reason: Extract<AssistantMessage['stopReason'], 'stop' | 'length' | 'toolUse'>;
      readonly message: AssistantMessage;
    }
  | {
      readonly type: 'error';
      readonly reason: 'aborted' | 'error';
      /** Content received so far, with stopReason and errorMessage. Its calls never run. */
      readonly message: AssistantMessage;
      readonly failure: ModelFailure;
    };

export type BlockEvent =
  | {
      readonly type: 'text_start' | 'thinking_start' | 'toolcall_start';
      readonly contentIndex: number;
      readonly partial: AssistantMessage;
    }
  | {
      readonly type: 'text_delta' | 'thinking_delta' | 'toolcall_delta';
      readonly contentIndex: number;
      readonly delta: string;
      readonly partial: AssistantMessage;
    }
  | {
      readonly type: 'text_end' | 'thinking_end' | 'toolcall_end';
      readonly contentIndex: number;
      readonly partial: AssistantMessage;
    };

export interface ModelFailure {
  readonly error: AppError;
  /** HTTP status; absent without an answer. */
  readonly status?: number;
  readonly retryable: boolean;
  /** Wait in ms that the server requested. */
  readonly retryAfterMs?: number;
  /** The context exceeds the window: compact, then retry once. */
  readonly overflow?: boolean;
}

export interface ModelPort {
  /**
   * Wire format, e.g. `anthropic-messages`, `openai-responses`, `openai-completions`, `google-generative`,
   * `scripted`.
   */
  readonly api: string;
  stream(
    target: ModelTarget,
    context: ModelContext,
    options: ModelOptions,
    signal: AbortSignal,
  ): AsyncIterable<ModelEvent>;
}

/** Facts about a model; unknown values stay `null`, never a guess. */
export interface ModelFacts {
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  /** Output limit per answer chosen by the operator; `null` for the caller's limit. */
  readonly answerTokens: number | null;
  readonly temperature: number | null;
  readonly vision: boolean | null;
  /** False if the model has no native calls, so that they are parsed from its text. */
  readonly nativeTools: boolean;
  readonly price: ModelPrice | null;
}

/** US dollars per million tokens. */
export interface PriceRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelPrice extends PriceRates {
  /** A request with more input tokens than this, cached ones included, pays these rates for all tokens. */
  readonly above?: PriceRates & { readonly tokens: number };
  /** Sample price of the scripted model: shown, never billed. */
  readonly simulated: boolean;
}
