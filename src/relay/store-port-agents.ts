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
  /** 1 if scheduled, 2 if ended. */
  readonly revision: number;
  readonly reminderId: string;
  /** RFC 3339, as received. */
  readonly dueAt: string;
  readonly lifecycle: 'scheduled' | 'cancelled' | 'delivered';
  readonly lifecycleAt: string;
  readonly payloadFormat: string;
  /** Base64url; only the agent can decrypt it. */
  readonly payload: string;
  readonly claimId: string | null;
  readonly claimUntil: number | null;
  readonly endedAt: number | null;
}

export interface ReminderRows {
  reminder(ownerSlug: string, occurrenceId: string): ReminderRow | null;
  save(reminder: ReminderRow): void;
  /** Sorted by id, after `after`. */
  list(ownerSlug: string, after: string, limit: number): readonly ReminderRow[];
  count(ownerSlug: string): number;
}
