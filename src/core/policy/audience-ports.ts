/** Ports of the audience rule: an agent reveals to a reader only what that reader may know (T9). */
import type { Audience, ShareRule, Source } from './source.ts';

/** Looks up the readers of one agent's rooms. Never rejects. */
export interface AudiencePort {
  of(roomId: string): Promise<Audience>;
  /**
   * Only the operator and the operator's agents can ever read the room, such as a direct message of the
   * operator.
   */
  isOwnRoom(roomId: string): boolean;
  /** Current standing answers of the operator for this agent. */
  shares(): readonly ShareRule[];
  /** Display name: `#dev`, `@ada-1`. */
  roomName(roomId: string): string;
}

export interface ReadRecord {
  /** Sources of everything that the conversation contains. */
  readonly sources: readonly Source[];
  /** The conversation contained untrusted content. */
  readonly tainted: boolean;
}

/**
 * Records the sources read in each conversation of one agent; entries are never removed, because the
 * transcript keeps its content. Durable when `keep` returns; throws `StoreError`.
 */
export interface ReadLog {
  /** `null` if no record exists for this conversation. */
  of(threadKey: string): ReadRecord | null;
  keep(threadKey: string, record: ReadRecord): void;
}
