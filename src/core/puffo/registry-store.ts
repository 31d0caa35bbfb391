/** Port of the certificate registry, shared by all accounts of one server. */

export interface RegistryEntry {
  readonly seq: number;
  readonly kind: string;
  readonly slug: string;
  readonly cert: unknown;
}

export interface PersonProfile {
  readonly slug: string;
  readonly displayName: string;
  readonly avatarUrl: string;
  readonly role: string;
  readonly roleShort: string;
  readonly agent: boolean;
}

export interface VerifiedRoot {
  /** base64url. */
  readonly root: string;
  /** ms since the epoch. */
  readonly at: number;
}

export interface RegistryStore {
  entries(slug: string): readonly RegistryEntry[];
  /** Highest `seq` seen for this slug, 0 if never synced. */
  cursor(slug: string): number;
  /**
   * One transaction: entries (insert-or-ignore by slug and seq) and the cursor. False if rows after `since`
   * are missing.
   */
  append(slug: string, entries: readonly RegistryEntry[], cursor: number, since?: number): boolean;
  /**
   * Number of row losses through damage since this store was opened. Reads before and after a loss are
   * inconsistent.
   */
  losses(): number;
  pinnedRoot(slug: string): string | null;
  /** Identity certificates with another root than the pinned one, oldest first; unverified. */
  rivals(): readonly { readonly slug: string; readonly pinnedRoot: string; readonly cert: unknown }[];
  /** A person accepted `to` as the key of `slug` and rejected `from`. False if `from` is not pinned. */
  repin(slug: string, from: string, to: string, at: number): boolean;
  /** Roots that were pinned earlier. */
  retiredRoots(slug: string): readonly string[];
  /** First use only; false without a change if another root is pinned. */
  pinRoot(slug: string, rootPublicKey: string, at: number): boolean;
  /** Keys that the operator compared with their owners, by slug; one each. */
  verifiedRoots(): ReadonlyMap<string, VerifiedRoot>;
  /** `null` takes the mark away. */
  markVerified(slug: string, mark: VerifiedRoot | null): void;
  profile(slug: string): PersonProfile | null;
  saveProfiles(profiles: readonly PersonProfile[]): void;
}

/**
 * Channels that this computer has known as encrypted; stored beside the registry of certificates, for all
 * accounts.
 */
export interface SealedChannels {
  sealedChannels(): readonly string[];
  /** Adds channels; no channel is ever removed. */
  keepSealed(channelIds: readonly string[]): void;
}
