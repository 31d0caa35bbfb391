/** Model access of the loop: one function, so a port, a proxy, a script or a test can provide it. */
import type { ModelContext, ModelEvent, ThinkingLevel } from '../models/model-ports.ts';

export interface LoopModel {
  readonly api: string;
  readonly provider: string;
  readonly id: string;
  /** Tokens; `null` or absent if unknown: then only an overflow triggers compaction. */
  readonly contextWindow?: number | null;
  /** False if calls are parsed from its text. */
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
 * Reports a failure as the last event (a throw counts as one). `context.messages` is the loop's own list,
 * which grows after the response: copy it to keep it.
 */
export type StreamFunction = (
  context: ModelContext,
  options: StreamOptions,
  signal: AbortSignal,
) => AsyncIterable<ModelEvent>;
