/**
 * What the outside must supply to think: models behind one streaming port, prices, and the gate before spending. An
 * adapter never throws; a failure is the stream's last event.
 */
import type { AppError } from '../contract/errors.ts';
import type { Result } from '../contract/result.ts';
import type { AssistantMessage, Message, Usage } from './models/messages.ts';

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];

/** JSON Schema (draft 2020-12) of one tool's arguments; its root is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** Which model, where, and with what right to ask it. */
export interface ModelTarget {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Null where the server wants none. Never logged. */
  readonly apiKey: string | null;
  /** How `apiKey` is presented; `oauth` is a bearer token of a login. */
  readonly auth: 'api_key' | 'oauth';
}

/** What the model is to answer. `messages` were fitted to the model (hand-off) by the caller. */
export interface ModelContext {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
}

export interface ModelOptions {
  readonly maxOutputTokens: number;
  readonly thinkingLevel: ThinkingLevel;
  readonly temperature?: number;
  /** Same for all requests of one conversation: keys prompt caches where a provider has them. */
  readonly sessionId?: string;
  /** ms without any byte before the stream counts as stalled; adapters default to 90,000. */
  readonly idleMs?: number;
}

/**
 * Events of one response. Per block one `X_start`, any number of `X_delta`, one `X_end`; blocks are numbered by
 * `contentIndex` in the order in which they begin. Nothing follows `done` or `error`. A consumer must bear streams that
 * have only the terminal event. `partial` is the message as built so far: one object that goes on growing, so read it
 * now or copy it (no copy per delta is made).
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
      /** What arrived until then, with stopReason and errorMessage. Its calls never run. */
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
  /** HTTP status; absent when no answer came. */
  readonly status?: number;
  /** Worth another try after a wait. */
  readonly retryable: boolean;
  /** As the server told it: ms. */
  readonly retryAfterMs?: number;
  /** The context does not fit the window: compact, then try once more. */
  readonly overflow?: boolean;
}

export interface ModelPort {
  /** Wire format, e.g. `anthropic-messages`, `openai-responses`, `openai-completions`, `google-generative`, `scripted`. */
  readonly api: string;
  stream(
    target: ModelTarget,
    context: ModelContext,
    options: ModelOptions,
    signal: AbortSignal,
  ): AsyncIterable<ModelEvent>;
}

/** What is known about a model; unknown stays null, never a guess. */
export interface ModelFacts {
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  /** Tokens of one answer that the operator chose; `null`: what the caller wants. */
  readonly answerTokens: number | null;
  readonly temperature: number | null;
  readonly vision: boolean | null;
  /** False: the model has no native calls; they are read from its text. */
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
  /** A request that reads more tokens than this, cached ones included, pays these rates for all of itself. */
  readonly above?: PriceRates & { readonly tokens: number };
  /** Shown as a sample, never billed: the scripted model. */
  readonly simulated: boolean;
}

// --- spending ----------------------------------------------------------------------------------------------------

export interface SpendRow {
  readonly agentId: string;
  readonly threadKey: string;
  readonly turnId: string;
  readonly provider: string;
  readonly model: string;
  /** Idempotency key, made by Kennel per request: providers repeat their response ids. */
  readonly callId: string;
  readonly usage: Usage;
  readonly simulated: boolean;
  /** The response failed or was aborted, so its provider may not have told what it cost. */
  readonly unfinished?: boolean;
  /** ms since the epoch. */
  readonly at: number;
}

export interface SpendingTurn {
  readonly agentId: string;
  readonly turnId: string;
  /** Fires when the turn is over for good; when nobody is left the question is withdrawn. */
  readonly ended: AbortSignal;
}

export interface SpendQuestion {
  /** Null: it could not be asked. */
  readonly approvalId: string | null;
  /** True: it is worth asking for admission again; false: the budget stays used up. Never rejects. */
  readonly answered: Promise<boolean>;
}

/** Asked before every request to a model, told after every response (also failed ones that cost something). */
export interface SpendGate {
  /** `rate_limited` with a sentence when a budget is used up, or a money cap is set and the price is unknown. */
  admit(agentId: string, target: Pick<ModelTarget, 'provider' | 'model'>): Result<void>;
  /**
   * What the operator is asked because a budget is used up; null where nobody is: it is not, it was answered before, or
   * the agent works unattended. Asked once for a limit and its period, whoever comes.
   */
  question(turn: SpendingTurn, target: Pick<ModelTarget, 'provider' | 'model'>): SpendQuestion | null;
  /** Whether the cost of a request to this model will be known: by its price, or because its provider reports it. */
  isPriced(agentId: string, target: Pick<ModelTarget, 'provider' | 'model'>): boolean;
  /** Durable when it returns. */
  record(row: SpendRow): void;
}
