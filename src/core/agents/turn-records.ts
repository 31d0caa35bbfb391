/** Turn records in the store of an account, for later inspection. */

import type { ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import type { TranscriptEntry } from '../models/transcript-store.ts';

/**
 * Events that the transcript does not contain: failed requests, pauses before a retry. All times ms since the
 * epoch.
 */
export type TurnTrace =
  | {
      readonly kind: 'model';
      readonly provider: string;
      readonly model: string;
      readonly startedAt: number;
      /** `null` if no token arrived. */
      readonly firstAt: number | null;
      readonly endedAt: number;
      readonly input: number;
      readonly output: number;
      readonly cacheRead: number;
      /** `null` while the price is unknown. */
      readonly usd: number | null;
      readonly stop: string;
      /** Empty on success. */
      readonly error: HostText;
    }
  | {
      readonly kind: 'retry';
      readonly at: number;
      readonly inMs: number;
      readonly error: HostText;
    };

export interface TurnRecord {
  readonly turnId: string;
  readonly threadKey: string;
  readonly roomId: string;
  readonly rootId: string;
  readonly envelopeIds: readonly string[];
  readonly startedAt: number;
  /** `null` while it is open. */
  readonly endedAt: number | null;
  /** `stopped`: by its operator. */
  readonly status: 'open' | 'done' | 'failed' | 'silent' | 'stopped';
  readonly detail: HostText;
  readonly stepCount: number;
  /** Ids of its replies; empty while it is open. */
  readonly replyIds: readonly string[];
}

export interface TurnQuery {
  /** Only older turns, ordered by (startedAt, turnId). */
  readonly before?: { readonly startedAt: number; readonly turnId: string };
  readonly statuses?: readonly TurnRecord['status'][];
  readonly roomId?: string;
  /** Inclusive bounds of `startedAt`, in ms since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

export interface TurnContents {
  readonly steps: readonly ToolStep[];
  readonly trace: readonly TurnTrace[];
  /** Its part of the transcript; empty for turns of versions that did not keep it. */
  readonly messages: readonly TranscriptEntry[];
  /** Start times of calls, in ms since the epoch. */
  readonly calls: readonly { readonly callId: string; readonly startedAt: number }[];
}

/** Throws `StoreError`s. */
export interface TurnRecords {
  /** Newest first. */
  list(query: TurnQuery): readonly TurnRecord[];
  /** At most two: enough to detect an ambiguous prefix. */
  startingWith(prefix: string): readonly TurnRecord[];
  contents(turnId: string): TurnContents;
}
