/** What an account needs, tells and offers: the seam between a Puffo account and the host. */

import type { AppError } from '../../contract/errors.ts';
import type { Connection } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import type { OutgoingFiles } from '../../core/file-ports.ts';
import type {
  AccountPort,
  AccountStore,
  Clock,
  CryptoEngine,
  Log,
  Random,
  StoredMessage,
  TriggerDecision,
} from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { ServerDirectory } from './directory.ts';
import type { RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import type { SessionFile } from './subkeys.ts';

/** All are called synchronously and must not throw; none is awaited. */
export interface AccountEvents {
  onConnection(state: Connection, detail: AppError | null): void;
  /** After the commit, in the order of acceptance; own echoes included. */
  onAccepted(messages: readonly StoredMessage[]): void;
  onOutbox(envelopeId: string, state: 'sent' | 'failed', error: string | null): void;
  /** Bytes of the sealed file at this place that the server has, while it goes up. */
  onUpload?(envelopeId: string, index: number, sentBytes: number): void;
  /** An envelope was refused for good and counted. */
  onRefused(reason: string): void;
  /** Spaces, channels or members changed: read `rooms()` again. */
  onRooms(): void;
  /** The relay's own `processing` frame, as it came. */
  onProcessing(frame: Readonly<Record<string, unknown>>): void;
  /** The relay's own `agent_status` frame, as it came: what an agent that shares a space does now. */
  onAgentStatus?(frame: Readonly<Record<string, unknown>>): void;
  /** A stranger wants to write and the server holds it until they are allowed. */
  onContact?(slug: string): void;
  /** Left on the server, not acknowledged, because its sender's root key changed. */
  onHeld?(message: { readonly envelopeId: string; readonly senderSlug: string }): void;
  /** All open invitations that somebody has to decide about, told after each look; none is the operator's. */
  onInvites?(waiting: readonly Invite[]): void;
  /** It became a member by an invitation; `channelId` is null for a space. Not told of what was before. */
  onJoined?(joined: Joined): void;
  /** The store could not take messages; they stay on the server and are fetched again. */
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

/** Open, from this account to somebody. */
export interface SentInvite extends Invite {
  readonly inviteeSlug: string;
}

export type Joined = Pick<Invite, 'spaceId' | 'channelId'>;

export interface AccountDeps {
  readonly identity: Identity;
  readonly store: AccountStore;
  readonly directory: ServerDirectory;
  readonly sessions: SessionFile;
  readonly crypto: CryptoEngine;
  /** Where files of its messages wait; absent: it sends none. */
  readonly files?: OutgoingFiles;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Whether and why the account reacts to a message; not asked about its own. */
  decide(message: StoredMessage): TriggerDecision;
  readonly events: AccountEvents;
  /** Keep spaces, channels and members loaded and fresh, for somebody who looks at them. Default: on demand. */
  readonly watchRooms?: boolean;
  /** ms between heartbeats; a minute when absent. */
  readonly heartbeatMs?: number | undefined;
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
    /** Of this account; empty where the server does not say. */
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
  /** Goes only together with `role`. */
  readonly roleShort?: string;
}

/** What a member does to spaces and channels; rooms are read anew before each of them is over. */
export interface AccountSpaces {
  rename(spaceId: string, name: string): Promise<Result<void, RequestError>>;
  archive(spaceId: string, archived: boolean): Promise<Result<void, RequestError>>;
  leave(spaceId: string): Promise<Result<void, RequestError>>;
  remove(spaceId: string, slug: string): Promise<Result<void, RequestError>>;
  /** `owner` hands the space over. */
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
  /** `channelId` null: to the space. */
  invite(spaceId: string, channelId: string | null, slug: string): Promise<Result<void, RequestError>>;
  sentInvites(): Promise<Result<readonly SentInvite[], RequestError>>;
  cancelInvite(invite: Invite): Promise<Result<void, RequestError>>;
}

export interface Account extends AccountPort {
  /** Connects and keeps connecting until stopped. */
  start(): void;
  /** Resolves when nothing of the account runs any more; the store can be closed then. */
  stop(): Promise<void>;
  connection(): { readonly state: Connection; readonly detail: AppError | null };
  rooms(): RoomsSnapshot;
  refreshRooms(): Promise<Result<void, RequestError>>;
  /** Fetches what was left on the server and sends what waits: somebody may be believed now. */
  lookAgain(): void;
  createSpace(
    name: string,
  ): Promise<Result<{ readonly spaceId: SpaceId; readonly generalChannelId: ChannelId }>>;
  inviteToSpace(spaceId: string, slug: string): Promise<Result<void>>;
  inviteToChannel(spaceId: string, channelId: string, slug: string): Promise<Result<void>>;
  /** Somebody has decided about an invitation that `onInvites` told of. */
  answerInvite(invite: Invite, accepts: boolean): Promise<Result<void>>;
  /** Asks the server for open invitations soon, and tells of them. */
  lookAtInvites(): void;
  updateProfile(change: ProfileChange): Promise<Result<void>>;
  uploadBlob(bytes: Uint8Array): Promise<Result<{ readonly blobId: string }>>;
  /** `patient`, as it is by default: a file that is not there yet is waited for. */
  downloadBlob(blobId: string, patient?: boolean): Promise<Result<Uint8Array>>;
  readonly spaces: AccountSpaces;
  /** Signed requests in the account's name, for enrolment and diagnosis. */
  readonly client: SignedClient;
}
