/** Rows about devices that ask to be let in and about who may write to whom; the same promises as `RelayStore`. */

/** A device that wants to become one of somebody's; all keys base64url. */
export interface EnrolmentRow {
  readonly nonce: string;
  /** What a person types on the other device to name this one. */
  readonly code: string;
  /** JSON text of the request as it came. */
  readonly request: string;
  /** JSON text of what the approver sent; null until then. */
  readonly completion: string | null;
  readonly expiresAt: number;
}

export interface EnrolmentRows {
  add(enrolment: EnrolmentRow): void;
  byNonce(nonce: string): EnrolmentRow | null;
  byCode(code: string): EnrolmentRow | null;
  /** False when it was completed before. */
  complete(nonce: string, completion: string): boolean;
  count(): number;
}

export type Verdict = 'allow' | 'block';

export interface HeldEntry {
  readonly seq: number;
  readonly deviceId: string;
  readonly entry: string;
  readonly body: string;
}

export interface ContactRows {
  /** Whether strangers' first direct messages to this person wait. */
  holds(slug: string): boolean;
  setHolds(slug: string, holds: boolean): void;
  verdict(ownerSlug: string, slug: string): Verdict | null;
  /** Null takes a verdict back. */
  setVerdict(ownerSlug: string, slug: string, verdict: Verdict | null, at: number): void;
  verdicts(ownerSlug: string, verdict: Verdict): readonly string[];
  hold(ownerSlug: string, senderSlug: string, entry: Omit<HeldEntry, 'body'>): void;
  /** Who waits, with how many messages. */
  waiting(
    ownerSlug: string,
  ): readonly { readonly slug: string; readonly messages: number; readonly since: number }[];
  /** Whether anything of this message waits. */
  isHeld(seq: number): boolean;
  /** Takes out what waits of one sender, oldest first. */
  release(ownerSlug: string, senderSlug: string): readonly HeldEntry[];
  /** Whether `from` has ever written to `to` directly. */
  hasWritten(from: string, to: string): boolean;
  /** Everybody who has exchanged direct messages with this person. */
  correspondents(slug: string): readonly string[];
}
