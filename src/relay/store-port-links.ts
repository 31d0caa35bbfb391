/** Invite links to spaces in the relay's store. */

export interface InviteLinkRow {
  /** Id of the signed event that created the link. */
  readonly linkId: string;
  readonly secretHash: string;
  readonly spaceId: string;
  readonly inviterSlug: string;
  readonly createdAt: number;
  /** `null` if the link never expires. */
  readonly expiresAt: number | null;
  /** `null` for any number of people. */
  readonly maxUses: number | null;
  readonly revokedAt: number | null;
  /** People who signed up or joined by the link. */
  readonly uses: number;
}

/** `signedUp`: the link was their invite code. `joined`: they entered the space with it. */
interface LinkUse {
  readonly signedUp: boolean;
  readonly joined: boolean;
}

export interface LinkRows {
  add(link: Omit<InviteLinkRow, 'revokedAt' | 'uses'>): void;
  bySecret(secretHash: string): InviteLinkRow | null;
  byId(linkId: string): InviteLinkRow | null;
  /** Links of a space that are not revoked, newest first. */
  ofSpace(spaceId: string): readonly InviteLinkRow[];
  revoke(linkId: string, at: number): void;
  use(linkId: string, slug: string): LinkUse | null;
  saveUse(linkId: string, slug: string, use: LinkUse, at: number): void;
  /** People who signed up by links of this inviter. */
  signUpsBy(inviterSlug: string): number;
}
