/**
 * The store that the relay needs. Every method is synchronous and runs inside the current `transaction`, if
 * any; no request is acknowledged before that transaction has committed. Times are ms since the epoch.
 * Failures throw `StoreError`.
 */

import type { ChannelHead, ReminderRows } from './store-port-agents.ts';
import type { LinkRows } from './store-port-links.ts';

export type IdentityType = 'human' | 'agent';

export interface IdentityRow {
  readonly slug: string;
  readonly username: string;
  readonly rootPublicKey: string;
  readonly identityType: IdentityType;
  readonly operatorRootPublicKey: string | null;
  readonly operatorSlug: string | null;
  readonly displayName: string;
  readonly avatarUrl: string;
  readonly bio: string;
  readonly role: string;
  readonly roleShort: string;
  readonly profileUpdatedAt: number;
  readonly createdAt: number;
}

export type ProfileFields = Pick<IdentityRow, 'displayName' | 'avatarUrl' | 'bio' | 'role' | 'roleShort'>;

export interface DeviceRow {
  readonly deviceId: string;
  readonly slug: string;
  readonly signingPublicKey: string;
  readonly kemPublicKey: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedFrom: number | null;
}

export interface SubkeyRow {
  readonly subkeyId: string;
  readonly deviceId: string;
  readonly slug: string;
  readonly publicKey: string;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
}

export interface CertRow {
  readonly seq: number;
  readonly kind: string;
  readonly slug: string;
  /** The exact JSON text that was verified. */
  readonly cert: string;
}

/** A sign-up between its two phases: the server has chosen a slug, the binding is still missing. */
export interface PendingSignUp {
  readonly tokenHash: string;
  readonly slug: string;
  /** Hash of the invite code it uses; `null` for agents. */
  readonly inviteHash: string | null;
  readonly identity: IdentityRow;
  readonly device: DeviceRow;
  readonly certs: readonly { readonly kind: string; readonly cert: string }[];
  readonly expiresAt: number;
  readonly completed: boolean;
}

export interface PeopleRows {
  addInvite(codeHash: string, createdAt: number, expiresAt: number | null): void;
  inviteOpen(codeHash: string, at: number): boolean;
  /** False if it was used, expired or never existed. */
  takeInvite(codeHash: string, at: number, usedBy: string): boolean;
  addPending(pending: PendingSignUp): void;
  pending(tokenHash: string): PendingSignUp | null;
  completePending(tokenHash: string): void;
  /** Drops the unfinished sign-ups of an invite except the newest `keep`. */
  dropPending(inviteHash: string, keep: number): void;
  /**
   * Agents of an operator, including unfinished sign-ups. Retired ones leave rows: if they are many, ten
   * count as one.
   */
  countAgents(operatorSlug: string, at: number): number;
  slugTaken(slug: string): boolean;
  addIdentity(identity: IdentityRow): void;
  identity(slug: string): IdentityRow | null;
  identityByRoot(rootPublicKey: string): IdentityRow | null;
  identities(slugs: readonly string[]): readonly IdentityRow[];
  /** Sorted by slug. */
  everybody(limit: number): readonly IdentityRow[];
  saveProfile(slug: string, fields: ProfileFields, at: number): void;
  addDevice(device: DeviceRow): void;
  device(deviceId: string): DeviceRow | null;
  devicesOf(slugs: readonly string[]): readonly DeviceRow[];
  revokeDevice(deviceId: string, from: number): void;
  addSubkey(subkey: SubkeyRow): void;
  subkey(subkeyId: string): SubkeyRow | null;
  /** Returns the new entry's `seq`. */
  addCert(slug: string, kind: string, cert: string): number;
  certs(slugs: readonly string[], since: number, limit: number): readonly CertRow[];
}

export type MemberRole = 'owner' | 'admin' | 'member';

export interface SpaceRow {
  readonly spaceId: string;
  readonly name: string;
  readonly ownerSlug: string;
  readonly createdAt: number;
  /** True if the space is read-only until its owner restores it. */
  readonly archived: boolean;
}

export interface ChannelRow {
  readonly channelId: string;
  readonly spaceId: string;
  readonly name: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly isEncrypted: boolean;
  readonly ownerSlug: string;
  readonly createdAt: number;
}

export interface SpaceMemberRow {
  readonly slug: string;
  readonly role: MemberRole;
}

export interface MemberSettings {
  readonly autoAcceptOwnerInvite: boolean;
  readonly autoAcceptMemberInvite: boolean;
}

export interface SpaceEventRow {
  readonly eventId: string;
  readonly spaceId: string;
  readonly channelId: string | null;
  readonly kind: string;
  readonly signerSlug: string;
  /** Time at which this relay accepted it; strictly increasing, so that a cursor never skips one. */
  readonly at: number;
  /** JSON text of the signed event. */
  readonly event: string;
}

export type InvitationState = 'open' | 'accepted' | 'rejected' | 'cancelled';

export interface InvitationRow {
  readonly eventId: string;
  readonly scope: 'space' | 'channel';
  readonly spaceId: string;
  readonly channelId: string | null;
  readonly inviterSlug: string;
  readonly inviteeSlug: string;
  readonly createdAt: number;
  readonly state: InvitationState;
}

export interface SpaceRows {
  addSpace(space: SpaceRow): void;
  space(spaceId: string): SpaceRow | null;
  setSpaceOwner(spaceId: string, slug: string): void;
  renameSpace(spaceId: string, name: string): void;
  setArchived(spaceId: string, archived: boolean): void;
  /** Also removes its channels, members and settings; its id is never reused. */
  removeSpace(spaceId: string): void;
  /** True for the id of a deleted space or channel. */
  isGone(id: string): boolean;
  spacesOf(slug: string): readonly SpaceRow[];
  /** Spaces owned by an operator or one of their agents. */
  countOwned(operatorSlug: string): number;
  saveMember(spaceId: string, member: SpaceMemberRow, at: number): void;
  member(spaceId: string, slug: string): SpaceMemberRow | null;
  joinedAt(spaceId: string, slug: string): number | null;
  members(spaceId: string): readonly SpaceMemberRow[];
  /** Removes the member from the space and from every channel in it. */
  removeMember(spaceId: string, slug: string): void;
  settings(spaceId: string, slug: string): MemberSettings | null;
  saveSettings(spaceId: string, slug: string, settings: MemberSettings): void;
  addChannel(channel: ChannelRow): void;
  channel(channelId: string): ChannelRow | null;
  channels(spaceId: string): readonly ChannelRow[];
  changeChannel(channelId: string, change: Pick<ChannelRow, 'name' | 'description'>): void;
  /** Also removes its members; its id is never reused. */
  removeChannel(channelId: string): void;
  saveChannelMember(channelId: string, member: SpaceMemberRow, at: number): void;
  channelMember(channelId: string, slug: string): SpaceMemberRow | null;
  channelMembers(channelId: string): readonly SpaceMemberRow[];
  removeChannelMember(channelId: string, slug: string): void;
  /** Everyone who shares a space with `slug`, including `slug`. */
  companions(slug: string): readonly string[];
  shareSpace(a: string, b: string): boolean;
  addEvent(event: Omit<SpaceEventRow, 'at'>, now: number): SpaceEventRow;
  event(eventId: string): SpaceEventRow | null;
  /** Events after `since` that `slug` may see, oldest first. */
  events(query: {
    readonly spaceId: string;
    readonly slug: string;
    readonly since: { readonly at: number; readonly signerSlug: string; readonly eventId: string } | null;
    readonly limit: number;
  }): readonly SpaceEventRow[];
  addInvitation(invitation: InvitationRow): void;
  invitation(eventId: string): InvitationRow | null;
  setInvitationState(eventId: string, state: InvitationState): void;
  openInvitations(
    query: { readonly invitee: string } | { readonly inviter: string } | { readonly space: string },
  ): readonly InvitationRow[];
}

export interface MailRow {
  readonly seq: number;
  readonly envelopeId: string;
  readonly kind: 'channel' | 'dm';
  readonly senderSlug: string;
  readonly spaceId: string | null;
  readonly channelId: string | null;
  readonly recipientSlug: string | null;
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly encrypted: boolean;
  /** JSON text of the envelope without its `recipients`. */
  readonly body: string;
  /** Covers everything that must not differ between two sends of one envelope. */
  readonly digest: string;
  /** Every device it was queued for, delivered or not. */
  readonly devices: readonly string[];
}

export type NewMailRow = Omit<MailRow, 'seq' | 'devices'>;

export interface PendingRow {
  readonly seq: number;
  readonly envelopeId: string;
  readonly body: string;
  /** JSON text of this device's entry of `recipients`; empty for a plaintext envelope. */
  readonly entry: string;
}

export type RoomQuery =
  | { readonly spaceId: string; readonly channelId: string }
  | { readonly dm: readonly [string, string] };

export interface MailRows {
  message(envelopeId: string): MailRow | null;
  addMessage(message: Omit<MailRow, 'seq'>): number;
  setDevices(seq: number, devices: readonly string[]): void;
  queue(deviceId: string, seq: number, entry: string): void;
  /** `only` filters by kind and sender; `null` matches any. */
  pending(
    deviceId: string,
    after: number,
    limit: number,
    only: { readonly kind: string | null; readonly sender: string | null } | null,
  ): readonly PendingRow[];
  acknowledge(deviceId: string, envelopeIds: readonly string[]): number;
  recent(room: RoomQuery, limit: number): readonly MailRow[];
  /** The last message of a channel, even if that message was pruned; `null` if the channel never had one. */
  channelHead(channelId: string): ChannelHead | null;
  /** JSON text of the freshness that the message was sent with; `null` if it had none. */
  freshness(seq: number): string | null;
  saveFreshness(seq: number, freshness: string): void;
}

export interface ProcessingRunRow {
  readonly runId: string;
  readonly messageId: string;
  readonly agentSlug: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly succeeded: boolean | null;
  readonly errorText: string | null;
}

/** Clients from 1.0 send `paused` and `archived`. */
export const agentStatuses = ['idle', 'busy', 'error', 'paused', 'archived'] as const;
export type AgentStatus = (typeof agentStatuses)[number];

export interface StatusRow {
  readonly slug: string;
  readonly status: AgentStatus;
  readonly lastHeartbeatAt: number;
  readonly currentMessageId: string | null;
  readonly errorText: string | null;
}

export interface ActivityRows {
  run(runId: string): ProcessingRunRow | null;
  saveRun(run: ProcessingRunRow): void;
  runs(messageId: string): readonly ProcessingRunRow[];
  status(slug: string): StatusRow | null;
  saveStatus(status: StatusRow): void;
}

export interface BlobRow {
  readonly blobId: string;
  readonly ownerSlug: string;
  readonly size: number;
  readonly uploadedAt: number;
}

export interface BlobRows {
  addBlob(blob: BlobRow, data: Uint8Array): void;
  /** Usage of an operator and their agents. */
  usage(operatorSlug: string): { readonly count: number; readonly bytes: number };
  blob(blobId: string): { readonly row: BlobRow; readonly data: Uint8Array } | null;
}

export interface NonceRows {
  seen(key: string): boolean;
  remember(key: string, expiresAt: number): void;
}

/** A device that requests to join an identity; all keys base64url. */
export interface EnrolmentRow {
  readonly nonce: string;
  /** A person types this code on the other device to identify this one. */
  readonly code: string;
  /** JSON text of the request as received. */
  readonly request: string;
  /** JSON text of the approver's completion; `null` until then. */
  readonly completion: string | null;
  readonly expiresAt: number;
}

export interface EnrolmentRows {
  add(enrolment: EnrolmentRow): void;
  byNonce(nonce: string): EnrolmentRow | null;
  byCode(code: string): EnrolmentRow | null;
  /** False if it was completed before. */
  complete(nonce: string, completion: string): boolean;
  count(): number;
  /** Removes the oldest open request; false if none is open. */
  dropOldest(): boolean;
}

export type ContactVerdict = 'allow' | 'block';

export interface HeldEntry {
  readonly seq: number;
  readonly deviceId: string;
  readonly entry: string;
  readonly body: string;
}

export interface ContactRows {
  /** True if strangers' first direct messages to this person are held. */
  holds(slug: string): boolean;
  setHolds(slug: string, holds: boolean): void;
  verdict(ownerSlug: string, slug: string): ContactVerdict | null;
  /** `null` removes a verdict. */
  setVerdict(ownerSlug: string, slug: string, verdict: ContactVerdict | null, at: number): void;
  verdicts(ownerSlug: string, verdict: ContactVerdict): readonly string[];
  hold(ownerSlug: string, senderSlug: string, entry: Omit<HeldEntry, 'body'>): void;
  /** Senders with held messages. */
  waiting(
    ownerSlug: string,
  ): readonly { readonly slug: string; readonly messages: number; readonly since: number }[];
  /** Number of held messages of this sender. */
  heldOf(ownerSlug: string, senderSlug: string): number;
  /** True if this message is held for a device. */
  isHeld(seq: number): boolean;
  /** Removes and returns the held entries of one sender, oldest first. */
  release(ownerSlug: string, senderSlug: string): readonly HeldEntry[];
  dropHeld(ownerSlug: string, senderSlug: string): void;
  /** True if `from` has ever sent `to` a direct message. */
  hasWritten(from: string, to: string): boolean;
  /** Everyone who has exchanged direct messages with this person. */
  correspondents(slug: string): readonly string[];
}

export interface RetentionLimits {
  /** Messages that every device acknowledged are deleted if older than this instant. */
  readonly deliveredBefore: number;
  /** Unfetched messages are deleted if older than this instant, and so are blobs that no profile shows. */
  readonly undeliveredBefore: number;
  readonly now: number;
}

export interface RelayStore {
  readonly people: PeopleRows;
  readonly spaces: SpaceRows;
  readonly links: LinkRows;
  readonly mail: MailRows;
  readonly activity: ActivityRows;
  readonly blobs: BlobRows;
  readonly nonces: NonceRows;
  readonly enrolments: EnrolmentRows;
  readonly contacts: ContactRows;
  readonly reminders: ReminderRows;
  /** Durable when it returns; rolled back if `run` throws. */
  transaction<T>(run: () => T): T;
  /** Inside a transaction: undoes only what `run` wrote if `keep` returns false or `run` throws. */
  attempt<T>(run: () => T, keep: (value: T) => boolean): T;
  value(key: string): string | null;
  setValue(key: string, value: string): void;
  prune(limits: RetentionLimits): { readonly messages: number; readonly blobs: number };
  close(): void;
}
