/** What the store of an account keeps of each turn, so that it can be looked at afterwards. */
import type { ToolStep } from '../contract/work.ts';
import type { TranscriptEntry } from './tool-ports.ts';

/** What the transcript does not tell: requests that failed, pauses before another try. All times ms since the epoch. */
export type TurnTrace =
  | {
      readonly kind: 'model';
      readonly provider: string;
      readonly model: string;
      readonly startedAt: number;
      /** Null: no token came. */
      readonly firstAt: number | null;
      readonly endedAt: number;
      readonly input: number;
      readonly output: number;
      readonly cacheRead: number;
      /** Null while the price is unknown. */
      readonly usd: number | null;
      readonly stop: string;
      /** Empty when it ended well. */
      readonly error: string;
    }
  | {
      readonly kind: 'retry';
      readonly at: number;
      readonly inMs: number;
      readonly error: string;
    };

/** A turn that is open, or has ended. */
export interface TurnRecord {
  readonly turnId: string;
  readonly threadKey: string;
  readonly roomId: string;
  readonly rootId: string;
  readonly envelopeIds: readonly string[];
  readonly startedAt: number;
  /** Null: it is open. */
  readonly endedAt: number | null;
  /** `stopped`: by its operator. */
  readonly status: 'open' | 'done' | 'failed' | 'silent' | 'stopped';
  readonly detail: string;
  readonly stepCount: number;
  /** What it said; empty for an open one. */
  readonly replyIds: readonly string[];
}

export interface TurnQuery {
  /** Older than this one, in the order of (startedAt, turnId). */
  readonly before?: { readonly startedAt: number; readonly turnId: string };
  readonly statuses?: readonly TurnRecord['status'][];
  readonly roomId?: string;
  /** Bounds of `startedAt`, inclusive. */
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

export interface TurnContents {
  readonly steps: readonly ToolStep[];
  readonly trace: readonly TurnTrace[];
  /** Its part of the transcript; empty for turns of before it was kept. */
  readonly messages: readonly TranscriptEntry[];
  /** When calls began. */
  readonly calls: readonly { readonly callId: string; readonly startedAt: number }[];
}

/** Throws `StoreError`s. */
export interface TurnRecords {
  /** Newest first. */
  list(query: TurnQuery): readonly TurnRecord[];
  /** At most two whose id begins so. */
  startingWith(prefix: string): readonly TurnRecord[];
  contents(turnId: string): TurnContents;
}
