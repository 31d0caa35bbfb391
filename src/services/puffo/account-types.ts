/** The dependencies, events and methods of a Puffo account: its interface to the host. */

import type { AppError } from '../../contract/errors.ts';
import type { Connection } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import type { Clock, CryptoEngine, Log, Random } from '../../core/ports.ts';
import type { AccountPort } from '../../core/puffo/account-port.ts';
import type { AccountStore, TriggerDecision } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { OutgoingFiles } from '../../core/tools/chat-files.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AccountSession } from './account-session.ts';
import type { ServerDirectory } from './directory.ts';
import type { RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

/** All are called synchronously and must not throw; none is awaited. */
export interface AccountEvents {
  onConnection(state: Connection, detail: AppError | null): void;
  /** Called after the commit, in the order of acceptance; includes echoes of own messages. */
  onAccepted(messages: readonly StoredMessage[]): void;
  onOutbox(envelopeId: string, state: 'sent' | 'failed', error: HostText | null): void;
  /** Upload progress: bytes of the encrypted file `index` that the server has received. */
  onUpload?(envelopeId: string, index: number, sentBytes: number): void;
  /** Called for an envelope that was refused for good and counted. */
  onRefused(reason: string): void;
  /** Called if spaces, channels or members changed: read `rooms()` again. */
  onRooms(): void;
  /** Passes on the relay's `processing` frame unchanged. */
  onProcessing(frame: Readonly<Record<string, unknown>>): void;
  /** Passes on the relay's `agent_status` frame unchanged: the status of an agent that shares a space. */
  onAgentStatus?(frame: Readonly<Record<string, unknown>>): void;
  /** Called if the server holds a stranger's first message until they are allowed. */
  onContact?(slug: string): void;
  /** Called for a message left on the server, unacknowledged, because its sender's root key changed. */
  onHeld?(message: { readonly envelopeId: string; readonly senderSlug: string }): void;
  /**
   * Called after each poll with all open invitations that need a decision; the operator's are not among them.
   */
  onInvites?(waiting: readonly Invite[]): void;
  /**
   * Called after the account joined by an invitation; `channelId` is `null` for a space. Not called for
   * earlier memberships.
   */
  onJoined?(joined: Joined): void;
  /** Called if the store could not take messages; they stay on the server and are fetched again. */
  onStoreFault?(error: AppError): void;
}

export interface Invite {
  readonly eventId: string;
  readonly scope: 'space' | 'channel';
  readonly spaceId: SpaceId;
  readonly channelId: ChannelId | null;
  readonly inviterSlug: string;
  readonly spaceName: string;
  readonly channelName: string;
}

/** An open invitation sent by this account. */
export interface SentInvite extends Invite {
  readonly inviteeSlug: string;
}

export type Joined = Pick<Invite, 'spaceId' | 'channelId'>;

export interface AccountPorts {
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Callbacks of the host for reports of an account. */
export interface AccountUse {
  readonly events: AccountEvents;
  /** Decides if and why the account reacts to a message; not called for its own messages. */
  decide(message: StoredMessage): TriggerDecision;
}

/** Differences between the account of a person and that of an agent. */
export interface AccountOptions {
  /** Stores outgoing files; if absent, the account sends none. */
  readonly files?: OutgoingFiles;
  /** Keeps spaces, channels and members loaded and fresh for a viewer. By default they load on demand. */
  readonly watchRooms?: boolean;
  /** ms between heartbeats; a minute when absent. */
  readonly heartbeatMs?: number | undefined;
  /** Whether the account's agent follows a script now; its messages say so. Absent for a person. */
  readonly isScripted?: () => boolean;
}

export interface AccountDeps {
  /** The account ends it when it stops. */
  readonly session: AccountSession;
  readonly directory: ServerDirectory;
  readonly store: AccountStore;
  readonly ports: AccountPorts;
  readonly use: AccountUse;
  readonly options: AccountOptions;
}

export interface ChannelView {
  readonly id: ChannelId;
  readonly spaceId: SpaceId;
  readonly name: string;
  readonly encrypted: boolean;
  readonly members: readonly MemberView[];
}

export interface MemberView {
  readonly slug: string;
  readonly role: string;
  readonly displayName: string;
  readonly agent: boolean;
}

export interface RoomsSnapshot {
  readonly spaces: readonly {
    readonly id: SpaceId;
    readonly name: string;
    /** This account's role; empty if the server gives none. */
    readonly role: string;
    readonly archived: boolean;
  }[];
  readonly channels: readonly ChannelView[];
}

export interface ProfileChange {
  readonly displayName?: string;
  readonly avatarUrl?: string;
  readonly bio?: string;
  readonly role?: string;
  /** Sent only together with `role`. */
  readonly roleShort?: string;
}

/** Changes to spaces and channels; each reloads the rooms before it resolves. */
export interface AccountSpaces {
  rename(spaceId: string, name: string): Promise<Result<void, RequestError>>;
  archive(spaceId: string, archived: boolean): Promise<Result<void, RequestError>>;
  leave(spaceId: string): Promise<Result<void, RequestError>>;
  remove(spaceId: string, slug: string): Promise<Result<void, RequestError>>;
  /** `owner` transfers the space. */
  setRole(
    spaceId: string,
    slug: string,
    role: 'owner' | 'admin' | 'member',
  ): Promise<Result<void, RequestError>>;
  members(spaceId: string): Promise<Result<readonly MemberView[], RequestError>>;
  createChannel(
    spaceId: string,
    name: string,
    encrypted: boolean,
  ): Promise<Result<{ readonly channelId: string }, RequestError>>;
  renameChannel(spaceId: string, channelId: string, name: string): Promise<Result<void, RequestError>>;
  deleteChannel(spaceId: string, channelId: string): Promise<Result<void, RequestError>>;
  leaveChannel(spaceId: string, channelId: string): Promise<Result<void, RequestError>>;
  removeFromChannel(spaceId: string, channelId: string, slug: string): Promise<Result<void, RequestError>>;
  /** `channelId` is `null` for an invitation to the space. */
  invite(spaceId: string, channelId: string | null, slug: string): Promise<Result<void, RequestError>>;
  sentInvites(): Promise<Result<readonly SentInvite[], RequestError>>;
  cancelInvite(invite: Invite): Promise<Result<void, RequestError>>;
}

/** An invite link to a space; its secret is known only to the host that made it. */
export interface SpaceLink {
  readonly linkId: string;
  readonly inviterSlug: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly maxUses: number | null;
  readonly uses: number;
}

export interface AccountLinks {
  create(
    spaceId: string,
    limits: Pick<SpaceLink, 'expiresAt' | 'maxUses'>,
  ): Promise<Result<{ readonly linkId: string; readonly secret: string }, RequestError>>;
  list(spaceId: string): Promise<Result<readonly SpaceLink[], RequestError>>;
  revoke(spaceId: string, linkId: string): Promise<Result<void, RequestError>>;
  /** Idempotent. */
  redeem(
    secret: string,
    link: { readonly spaceId: string; readonly linkId: string },
  ): Promise<Result<void, RequestError>>;
}

export interface Account extends AccountPort {
  /** Connects, and reconnects until stopped. */
  start(): void;
  /** Resolves when nothing of the account runs any more; the store can be closed then. */
  stop(): Promise<void>;
  connection(): { readonly state: Connection; readonly detail: AppError | null };
  rooms(): RoomsSnapshot;
  refreshRooms(): Promise<Result<void, RequestError>>;
  /** Fetches what was left on the server and sends what is queued: a changed key may be accepted now. */
  lookAgain(): void;
  createSpace(
    name: string,
  ): Promise<Result<{ readonly spaceId: SpaceId; readonly generalChannelId: ChannelId }>>;
  inviteToSpace(spaceId: string, slug: string): Promise<Result<void>>;
  inviteToChannel(spaceId: string, channelId: string, slug: string): Promise<Result<void>>;
  /** Answers an invitation that `onInvites` reported. */
  answerInvite(invite: Invite, accepts: boolean): Promise<Result<void>>;
  /** Polls the server for open invitations soon and reports them. */
  lookAtInvites(): void;
  updateProfile(change: ProfileChange): Promise<Result<void>>;
  uploadBlob(bytes: Uint8Array): Promise<Result<{ readonly blobId: string }>>;
  /** `patient` (the default) waits for a file that is not there yet. */
  downloadBlob(blobId: string, patient?: boolean): Promise<Result<Uint8Array>>;
  readonly spaces: AccountSpaces;
  readonly links: AccountLinks;
  /** Signed requests in the account's name, for enrolment and diagnosis. */
  readonly client: SignedClient;
}
