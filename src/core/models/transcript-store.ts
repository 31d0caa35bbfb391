/** Port of the crash-safe transcripts of an agent. */
import type { TranscriptMessage } from './messages.ts';

/** Whether a call may be repeated after a crash if its outcome is unknown. */
export type ReplayPolicy = 'safe' | 'never';

export interface CallIntent {
  readonly callId: string;
  readonly turnId: string;
  readonly tool: string;
  /** sha256 of the canonical arguments, hex. */
  readonly digest: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly replay: ReplayPolicy;
  /** ms since the epoch. */
  readonly at: number;
}

export interface TranscriptEntry {
  /** Increases from 1 per thread; gaps are possible. */
  readonly seq: number;
  readonly message: TranscriptMessage;
}

/**
 * Transcripts of one agent, by thread; every write is durable when it returns. Throws `StoreError` like
 * `AccountStore`. Intent before an effect, result after it.
 */
export interface TranscriptStore {
  /** From the newest compaction on, oldest first. */
  load(threadKey: string): readonly TranscriptEntry[];
  append(threadKey: string, messages: readonly TranscriptMessage[]): void;
  /** Earlier entries are kept for people and no longer loaded; `summary` becomes the first loaded entry. */
  compact(threadKey: string, keepFromSeq: number, summary: TranscriptMessage): void;
  callStarted(threadKey: string, intent: CallIntent): void;
  /** Stores the result message in the same transaction. */
  callEnded(threadKey: string, callId: string, result: TranscriptMessage): void;
  /** Calls that started and never ended: their outcome is unknown. */
  openCalls(threadKey: string): readonly CallIntent[];
}
