/**
 * Interfaces that the core needs from outside. Adapters are in `src/services/<family>`, fakes in
 * `test/fakes`. Synchronous stores return plain values and throw only `StoreError`s, which the caller's
 * boundary turns into a `Result`; asynchronous ports return `Result`s or end their event stream with a
 * failure event.
 */

import type { Result } from '../contract/result.ts';
import type { ChannelId, RoomId, SpaceId } from '../contract/room-id.ts';
import type { ToolStep } from '../contract/work.ts';
import type { OutboxFiles } from './file-ports.ts';
import type { HistoryQuery } from './history-query.ts';
import type { TranscriptMessage, UserMessage } from './models/messages.ts';
import type { MessageSearch } from './search-port.ts';
import type { TranscriptStore } from './tool-ports.ts';
import type { TurnRecords, TurnTrace } from './work-ports.ts';

// --- time, chance, log -------------------------------------------------------------------------------------------

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall clock, ms since the epoch; may jump. */
  now(): number;
  /** Monotonic ms; for delays, deadlines, budgets. */
  monotonic(): number;
  /** `unref`: does not keep the process alive. */
  after(ms: number, run: () => void, options?: { readonly unref?: boolean }): Timer;
}

export interface Random {
  bytes(length: number): Uint8Array;
  /** Lower-case UUID v4. */
  uuid(): string;
  /** [0, 1): jitter only, never secrets. */
  fraction(): number;
}

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
}

// --- cryptography ------------------------------------------------------------------------------------------------

export interface KeyPair {
  readonly secret: Uint8Array;
  readonly public: Uint8Array;
}

/**
 * Processes one ChaCha20-Poly1305 message in chunks; `finish` returns the 16-byte tag, or for opening whether
 * it is valid. The next call may overwrite the result of `update`: use or copy it first.
 */
export interface AeadSealStream {
  update(piece: Uint8Array): Uint8Array;
  finish(): Uint8Array;
}
export interface AeadOpenStream {
  update(piece: Uint8Array): Uint8Array;
  /** False: discard everything that `update` returned. */
  finish(tag: Uint8Array): boolean;
}

/**
 * Primitives of the protocol (spec §1.1). A start-up self-test, in which all present engines must agree,
 * chooses one engine. Wrong lengths are bugs and throw; failed checks are return values.
 */
export interface CryptoEngine {
  readonly name: string;
  randomBytes(length: number): Uint8Array;
  sha256(data: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array;
  /** `secret` is the 32-byte seed (RFC 8032). */
  ed25519KeyPair(seed?: Uint8Array): KeyPair;
  ed25519Sign(message: Uint8Array, seed: Uint8Array): Uint8Array;
  /**
   * Strict: false for non-canonical points and scalars and for small-order keys, never an exception (T30).
   */
  ed25519Verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  x25519KeyPair(secret?: Uint8Array): KeyPair;
  /** `null` for low-order points, i.e. an all-zero shared secret (RFC 7748 §6.1). */
  x25519(secret: Uint8Array, publicKey: Uint8Array): Uint8Array | null;
  /** Returns ciphertext ‖ tag. */
  aeadSeal(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array;
  /** `null` if the tag is invalid. */
  aeadOpen(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Uint8Array | null;
  aeadSealStream(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): AeadSealStream;
  aeadOpenStream(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): AeadOpenStream;
}

// --- secrets -----------------------------------------------------------------------------------------------------

export interface KeychainPort {
  /** Name of the back end as stored beside wrapped keys, e.g. `secret-service`, `macos`, `windows`. */
  readonly backend: string;
  get(account: string): Promise<Result<Uint8Array | null>>;
  set(account: string, value: Uint8Array): Promise<Result<void>>;
  delete(account: string): Promise<Result<void>>;
}

export type VaultKind = 'keychain' | 'passphrase' | 'demo-file';

/**
 * Encrypts secrets with the master key; the label is authenticated, so a wrapped value cannot be used
 * elsewhere.
 */
export interface SecretBox {
  readonly kind: VaultKind;
  readonly backend: string;
  wrap(label: string, secret: Uint8Array): string;
  /** `corrupt` if it was not wrapped by this key under this label. */
  unwrap(label: string, wrapped: string): Result<Uint8Array>;
}

// --- files of the data folder ------------------------------------------------------------------------------------

/**
 * Small files that people or other programs may also edit. Synchronous, because none exceeds a few hundred
 * KiB.
 */
export interface DiskPort {
  /** `null` if the file does not exist; `too_large` above `maxBytes`; `corrupt` if it is not UTF-8. */
  readText(path: string, maxBytes: number): Result<string | null>;
  /**
   * Atomic: the old content or the new, never a mixture, and durable when it returns. `fleeting` content can
   * be regenerated, so it may be lost in a power cut and skips the disk sync. Modes 0700 and 0600.
   */
  write(path: string, content: string, keep?: 'durable' | 'fleeting'): Result<void>;
  /** Removes a file, or a folder with its contents; ignores missing ones. */
  remove(path: string): Result<void>;
  /** `conflict` if `to` exists. */
  move(from: string, to: string): Result<void>;
  /** Names of sub-folders, sorted; empty if the folder does not exist. */
  folders(path: string): Result<readonly string[]>;
  /** Names of plain files, sorted; empty if the folder does not exist. */
  files(path: string): Result<readonly string[]>;
  /** Renames a damaged file to a dated name beside it, and returns that name; nothing is deleted. */
  quarantine(path: string, now: number): Result<string>;
}

// --- an account's store: messages, work queue, outbox ------------------------------------------------------------

/** A decrypted, verified message as stored. `content` is a string for text/plain, otherwise JSON. */
export interface StoredMessage {
  readonly envelopeId: string;
  readonly kind: 'channel' | 'dm';
  readonly roomId: RoomId;
  readonly senderSlug: string;
  readonly spaceId: SpaceId | null;
  readonly channelId: ChannelId | null;
  readonly recipientSlug: string | null;
  readonly contentType: string;
  readonly content: unknown;
  /** ms since the epoch, by the sender. */
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly threadRootId: string | null;
  readonly replyToId: string | null;
  readonly visible: boolean;
  readonly encrypted: boolean;
}

/** Urgency, low first: 1 direct from human, 2 direct from bot, 3 human, 4 bot, 5 system (spec §6.3). */
export type Priority = 1 | 2 | 3 | 4 | 5;

/** Why an account does or does not react to a message; stored beside it. */
export interface TriggerDecision {
  readonly react: boolean;
  /**
   * From a closed list, e.g. `mention`, `dm`, `channel_all`, `channel_never`, `not_mentioned`, `own`,
   * `paused`.
   */
  readonly reason: string;
  readonly priority: Priority;
}

export interface AcceptRow {
  readonly message: StoredMessage;
  readonly decision: TriggerDecision;
  /** The signed `message_nonce`: the same sender and nonce under another envelope id is a replay (T6). */
  readonly nonce?: string;
}

/** A message that requested a turn which is not completed. */
export interface OpenWork {
  readonly message: StoredMessage;
  readonly priority: Priority;
  /** Root id of its thread, or its own id. */
  readonly rootId: string;
}

/** A message to send; `envelopeId` is the idempotency key and never changes. */
export interface OutboxDraft {
  readonly envelopeId: string;
  readonly kind: 'channel' | 'dm';
  readonly spaceId: SpaceId | null;
  readonly channelId: ChannelId | null;
  readonly recipientSlug: string | null;
  readonly threadRootId: string | null;
  readonly contentType: string;
  readonly content: unknown;
  readonly visible: boolean;
  readonly createdAt: number;
}

export interface OutboxRow extends OutboxDraft {
  readonly state: 'queued' | 'sealed' | 'sent' | 'failed';
  /** Request body exactly as first sealed (JSON): a repeated send is byte for byte the same. */
  readonly sealed: string | null;
  /** base64url content key of `sealed`, to wrap for devices that the server reports missing. */
  readonly contentKey: string | null;
  readonly attempts: number;
  readonly error: string | null;
}

/** A turn that has started and is not completed. */
export interface OpenTurn {
  readonly turnId: string;
  readonly threadKey: string;
  readonly roomId: string;
  readonly rootId: string;
  /** Messages that it answers. */
  readonly envelopeIds: readonly string[];
  /** Its first entry in the thread's transcript. */
  readonly firstSeq: number;
  /** ms since the epoch. */
  readonly startedAt: number;
}
export type TurnTaken = Omit<OpenTurn, 'firstSeq'>;

export interface TurnOutcome {
  readonly turnId: string;
  readonly threadKey: string;
  readonly envelopeIds: readonly string[];
  readonly status: 'done' | 'failed' | 'silent';
  readonly detail: string;
  readonly replies: readonly OutboxDraft[];
  /** Appended to the thread's transcript. */
  readonly transcript: readonly TranscriptMessage[];
  /**
   * Tool steps of the turn; shown under the last reply, or under `stepsUnder`, a message that a tool sent.
   */
  readonly steps: readonly ToolStep[];
  readonly stepsUnder?: string;
  /** Events that the transcript does not contain. */
  readonly trace?: readonly TurnTrace[];
  readonly at: number;
}

export type WorkStatus = 'open' | TurnOutcome['status'];

export interface RoomDigest {
  readonly roomId: string;
  readonly spaceId: string | null;
  readonly lastMessageAt: number;
  readonly lastText: string;
  readonly unread: number;
}

/** The newest `limit` messages between exclusive bounds (ms since the epoch). */
export interface MessageRange {
  readonly limit: number;
  /** Id of a message; returns later ones, ordered by id within the same ms. An unknown id sets no bound. */
  readonly since?: string;
  readonly before?: number;
  readonly after?: number;
}

/** Queries of tools about one channel or thread (spec §4.4, §7). Oldest first. */
export interface MessageQueries {
  /** `null` if no message of this channel was ever received. */
  spaceOf(channelId: string): string | null;
  recent(channelId: string, limit: number): readonly StoredMessage[];
  hasFrom(roomId: RoomId, senderSlug: string): boolean;
  /**
   * Receipt times (ms, since `since`) of this sender's messages that requested a turn: the newest `limit`,
   * oldest first.
   */
  wokenBy(senderSlug: string, since: number, limit: number): readonly number[];
  /** Thread roots with the number of replies; `null` if no message of the channel was ever received. */
  roots(
    channelId: string,
    range: MessageRange,
  ): readonly { readonly message: StoredMessage; readonly replies: number }[] | null;
  /** Root and replies; `null` if the root is unknown. */
  thread(rootId: string, range: MessageRange): readonly StoredMessage[] | null;
  /**
   * Messages to this account, or that requested a turn, without an answer since `since` (ms). Newest first.
   */
  unanswered(since: number, limit: number): readonly StoredMessage[];
}

/**
 * One encrypted SQLite file per account, opened on demand and closed when idle; every method is one
 * transaction that is durable when it returns. Failures throw `StoreError` (code `disk_full` | `io_error` |
 * `corrupt` | `locked`).
 */
export interface AccountStore {
  known(envelopeIds: readonly string[]): ReadonlySet<string>;
  /**
   * Insert-or-ignore with decision, work row and room digest; returns the new messages in order. A known id,
   * or a nonce that its sender has used before, is not new.
   */
  accept(rows: readonly AcceptRow[]): readonly StoredMessage[];
  message(envelopeId: string): StoredMessage | null;
  decision(
    envelopeId: string,
  ): (TriggerDecision & { readonly status: WorkStatus | null; readonly detail: string }) | null;
  /** Oldest first, keyset by (sentAt, envelopeId); `hasMore` in the requested direction. */
  history(query: HistoryQuery): { readonly messages: readonly StoredMessage[]; readonly hasMore: boolean };
  thread(rootId: string, limit: number): readonly StoredMessage[];
  rooms(): readonly RoomDigest[];
  markRead(roomId: string): void;
  openWork(): readonly OpenWork[];
  /** Starts the turn or extends it, and appends the model's view of its messages, in one transaction. */
  takeIntoTurn(turn: TurnTaken, message: UserMessage | null): void;
  openTurn(threadKey: string): OpenTurn | null;
  openTurns(): readonly OpenTurn[];
  /**
   * One transaction: closes the work rows and the turn, adds the replies to outbox and history, and completes
   * the transcript.
   */
  completeTurn(outcome: TurnOutcome): void;
  /** Requests a turn for a message that had none, e.g. because of the brake. */
  reopen(envelopeId: string, reason: string): void;
  /** Tool steps before an own message. */
  steps(envelopeId: string): readonly ToolStep[];
  readonly transcripts: TranscriptStore;
  readonly turns: TurnRecords;
  readonly queries: MessageQueries;
  readonly search: MessageSearch;
  /** Adds to outbox and history; moves `createdAt` by 1 ms if the previous own message has the same time. */
  enqueue(draft: OutboxDraft, senderSlug: string): void;
  outbox(envelopeId: string): OutboxRow | null;
  openOutbox(): readonly OutboxRow[];
  /**
   * `nonce`: from the signed payload, so that an own message cannot return under another id. `sentAt` (ms
   * since the epoch): the signed time, which history then shows.
   */
  outboxSealed(envelopeId: string, sealed: string, contentKey: string, nonce?: string, sentAt?: number): void;
  outboxSettled(envelopeId: string, state: 'sent' | 'failed', error: string | null): void;
  outboxAttempted(envelopeId: string, error: string): void;
  readonly outboxFiles: OutboxFiles;
  countRefused(reason: string): void;
  refused(): Readonly<Record<string, number>>;
  messageCount(): number;
  getValue(key: string): string | null;
  setValue(key: string, value: string): void;
  /** Closes the file; the next call opens it again. */
  release(): void;
}

// --- the registry of certificates, shared by all accounts of one server ------------------------------------------

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
  profile(slug: string): PersonProfile | null;
  saveProfiles(profiles: readonly PersonProfile[]): void;
}

// --- an account's connection, as its worker sees it --------------------------------------------------------------

export type AccountStatus =
  | { readonly status: 'idle' }
  | { readonly status: 'busy'; readonly messageId: string }
  | { readonly status: 'error'; readonly errorText: string };

export interface ProcessingRun {
  readonly runId: string;
  readonly messageId: string;
  readonly succeeded: boolean;
  readonly errorText?: string;
}

export interface AccountPort {
  readonly slug: string;
  readonly rootPublicKey: string;
  /** Signals new rows in the outbox. */
  kickOutbox(): void;
  /** Cached names; falls back to the slug. Never fails. */
  person(slug: string): Promise<PersonProfile>;
  spaceName(spaceId: string): string;
  channelName(channelId: string): string;
  /** Best effort; never blocks or fails a reply (spec §6.5). */
  setStatus(status: AccountStatus): void;
  processingStarted(run: { readonly runId: string; readonly messageId: string }): void;
  processingEnded(runs: readonly ProcessingRun[]): void;
}
