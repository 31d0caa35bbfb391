/** How the loop asks a model: one function, so that a port, a proxy, a script or a line of test code fits. */
import type { ModelContext, ModelEvent, ThinkingLevel } from '../model-ports.ts';

export interface LoopModel {
  readonly api: string;
  readonly provider: string;
  readonly id: string;
  /** Tokens; null or absent is unknown: nothing is compacted ahead of an overflow. */
  readonly contextWindow?: number | null;
  /** False: calls are read from its text. */
  readonly nativeTools?: boolean;
}

export interface StreamOptions {
  readonly model: LoopModel;
  readonly thinkingLevel: ThinkingLevel;
  readonly apiKey: string | null;
  readonly sessionId?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly idleMs: number;
  readonly providerOptions?: Readonly<Record<string, unknown>>;
}

/**
 * Should not throw: a failure is the last event (a throw is treated as one). `context.messages` is the loop's own
 * list, which grows after the response: copy what is to be kept.
 */
export type StreamFunction = (
  context: ModelContext,
  options: StreamOptions,
  signal: AbortSignal,
) => AsyncIterable<ModelEvent>;
