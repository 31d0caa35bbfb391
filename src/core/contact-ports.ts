/** Stores whom the operator accepted or blocked for the agents of this host. */

/** `unknown`: the operator took a decision back, so the person is asked about again whatever was written before. */
export const contactDecisions = ['accepted', 'blocked', 'unknown'] as const;
export type ContactDecision = (typeof contactDecisions)[number];

/** A person at one server. The key of the person is pinned by the registry of that server. */
export interface ContactRef {
  /** Address of the server; the same for the embedded relay whatever its port is. */
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
  /** By handle. */
  contacts(): readonly ContactRow[];
  /** `null` if the operator never decided about this person. */
  contact(ref: ContactRef): ContactRow | null;
  keepContact(row: ContactRow): void;
}
