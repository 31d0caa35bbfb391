/** Rows that only clients from 1.0 and 2.0 need; part of the store's port. */

/** The last message of a channel. */
export interface ChannelHead {
  readonly seq: number;
  readonly envelopeId: string;
  readonly senderSlug: string;
}

export interface ReminderRow {
  readonly ownerSlug: string;
  readonly occurrenceId: string;
  /** 1: scheduled. 2: over. */
  readonly revision: number;
  readonly reminderId: string;
  /** RFC 3339, as it came. */
  readonly dueAt: string;
  readonly lifecycle: 'scheduled' | 'cancelled' | 'delivered';
  readonly lifecycleAt: string;
  readonly payloadFormat: string;
  /** Base64url; only the agent can open it. */
  readonly payload: string;
  readonly claimId: string | null;
  readonly claimUntil: number | null;
  readonly endedAt: number | null;
}

export interface ReminderRows {
  reminder(ownerSlug: string, occurrenceId: string): ReminderRow | null;
  save(reminder: ReminderRow): void;
  /** By id, those after `after`. */
  list(ownerSlug: string, after: string, limit: number): readonly ReminderRow[];
  count(ownerSlug: string): number;
}
