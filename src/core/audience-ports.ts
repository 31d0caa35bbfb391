/** Ports for the audience rule: an agent reveals to a reader only what that reader may know (T9). */
import type { Audience, ShareRule, Source } from './policy/source.ts';

/** Looks up the readers of one agent's rooms. Never rejects. */
export interface AudiencePort {
  of(roomId: string): Promise<Audience>;
  /** Only the operator and the operator's agents can ever read there, as in a direct message of the operator. */
  isOwnRoom(roomId: string): boolean;
  /** The operator's standing answers for this agent, as they are now. */
  shares(): readonly ShareRule[];
  /** For people to read: `#dev`, `@ada-1`. */
  roomName(roomId: string): string;
}

export interface ReadRecord {
  /** Where all that a conversation holds came from. */
  readonly sources: readonly Source[];
  /** Untrusted content was in it. */
  readonly tainted: boolean;
}

/**
 * Records the sources read in each conversation of one agent; entries are never removed, because a transcript keeps what it holds.
 * Durable when `keep` returns; throws `StoreError`.
 */
export interface ReadLog {
  /** `null` if nothing was ever kept for this conversation. */
  of(threadKey: string): ReadRecord | null;
  keep(threadKey: string, record: ReadRecord): void;
}
