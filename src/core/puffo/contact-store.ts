/** Stores which people the operator accepted or blocked for the agents of this host. */

/**
 * `unknown`: the operator withdrew a decision, so the person is asked about again despite earlier messages.
 */
export const contactDecisions = ['accepted', 'blocked', 'unknown'] as const;

export type ContactDecision = (typeof contactDecisions)[number];

/** A person at one server. That server's registry pins the person's key. */
export interface ContactRef {
  /** Address of the server; the embedded relay keeps one address for every port. */
  readonly server: string;
  readonly slug: string;
}

export interface ContactRow extends ContactRef {
  readonly state: ContactDecision;
  /** ms since the epoch. */
  readonly decidedAt: number;
}

/** Durable when a method returns; throws `StoreError`. */
export interface ContactStore {
  /** Sorted by handle. */
  contacts(): readonly ContactRow[];
  /** `null` if the operator never decided about this person. */
  contact(ref: ContactRef): ContactRow | null;
  keepContact(row: ContactRow): void;
}
