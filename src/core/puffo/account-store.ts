/** Port of an account's store: messages, work queue, turns, outbox, search. */

import type { Annotation } from '../../contract/model.ts';
import type { RoomId } from '../../contract/room-id.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import type { TurnRecords, TurnTrace } from '../agents/turn-records.ts';
import type { TranscriptMessage, UserMessage } from '../models/messages.ts';
import type { TranscriptStore } from '../models/transcript-store.ts';
import type { OutboxDraft, OutboxRow, StoredMessage } from './stored-message.ts';

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
  /** `stopped`: by the operator; its messages are closed as `silent`. */
  readonly status: 'done' | 'failed' | 'silent' | 'stopped';
  readonly detail: HostText;
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

export type WorkStatus = 'open' | 'done' | 'failed' | 'silent';

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
  /** Direct messages only. */
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
   * Insert-or-ignore with decision, work row and room digest; returns the new messages in order, each in its
   * conversation. A known id, or a nonce that its sender has used before, is not new.
   */
  accept(rows: readonly AcceptRow[]): readonly StoredMessage[];
  message(envelopeId: string): StoredMessage | null;
  decision(
    envelopeId: string,
  ): (TriggerDecision & { readonly status: WorkStatus | null; readonly detail: HostText }) | null;
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
  /** Requests another turn for a message whose turn ended; returns false if none ended. */
  askAgain(envelopeId: string): boolean;
  /** Tool steps before an own message. */
  steps(envelopeId: string): readonly ToolStep[];
  readonly transcripts: TranscriptStore;
  readonly turns: TurnRecords;
  readonly queries: MessageQueries;
  readonly search: MessageSearch;
  readonly annotations: Annotations;
  readonly conversations: DmConversations;
  /** Adds to outbox and history; moves `createdAt` by 1 ms if the previous own message has the same time. */
  enqueue(draft: OutboxDraft, senderSlug: string): void;
  outbox(envelopeId: string): OutboxRow | null;
  openOutbox(): readonly OutboxRow[];
  /**
   * `nonce`: from the signed payload, so that an own message cannot return under another id. `sentAt` (ms
   * since the epoch): the signed time, which history then shows.
   */
  outboxSealed(envelopeId: string, sealed: string, contentKey: string, nonce?: string, sentAt?: number): void;
  outboxSettled(envelopeId: string, state: 'sent' | 'failed', error: HostText | null): void;
  outboxAttempted(envelopeId: string, error: HostText): void;
  readonly outboxFiles: OutboxFiles;
  countRefused(reason: string): void;
  refused(): Readonly<Record<string, number>>;
  messageCount(): number;
  getValue(key: string): string | null;
  setValue(key: string, value: string): void;
  /** Closes the file; the next call opens it again. */
  release(): void;
}

/** Selects messages of a room: the newest, those before a message, or those directly after one. */
export interface HistoryQuery {
  readonly roomId: string;
  readonly limit: number;
  /** Id of a message; returns older ones. */
  readonly before?: string;
  /** Id of a message; returns newer ones, nearest first. */
  readonly after?: string;
}

/** Conditions of a search beside its words. */
export interface SearchConditions {
  readonly senderSlugs?: readonly string[];
  /** ms since the epoch, exclusive. */
  readonly sentBefore?: number;
  /** ms since the epoch, inclusive. */
  readonly sentFrom?: number;
  readonly hasFile?: boolean;
}

interface FoundMessages {
  readonly messages: readonly StoredMessage[];
  readonly hasMore: boolean;
  /** Where the next window begins; `null` at the end of the messages, or once enough are found. */
  readonly below: number | null;
}

/** Full-text search over all messages that an account has received and sent. */
export interface MessageSearch {
  /** Indexes a batch of new messages; true while more remain. */
  catchUp(): boolean;
  /**
   * Newest arrivals first; `before` is the id of a message. Typed text is never query syntax (T25). Without
   * words, the other conditions alone select. Conditions are checked in one window of the messages, below
   * `below` (or the newest): repeat it from there. `null` if messages must be indexed first.
   */
  find(
    query: SearchConditions & {
      readonly words: string;
      readonly roomId?: string;
      readonly before?: string;
      readonly below?: number;
      readonly limit: number;
    },
  ): FoundMessages | null;
}

/** A further conversation of a direct message, or the main one if the owner named it. */
export interface DmConversation {
  readonly roomId: string;
  /** Chosen by the owner; empty if the first message names it. */
  readonly title: string;
  readonly firstText: string;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly archived: boolean;
}

/** Conversations of direct messages; times in ms since the epoch. Titles and archiving are never sent. */
export interface DmConversations {
  list(): readonly DmConversation[];
  start(roomId: string, title: string, at: number): void;
  rename(roomId: string, title: string, at: number): void;
  /** A new message takes the conversation out of the archive. */
  setArchived(roomId: string, at: number | null): void;
  /** Deletes all its messages here, like `Annotations.deleteMessage`. */
  remove(roomId: string, at: number): void;
}

/** Notes of the account's owner on messages. They are never sent, and no agent reads them. */
export interface Annotations {
  /** By message id. */
  inRoom(roomId: string): ReadonlyMap<string, Annotation>;
  of(envelopeId: string): Annotation | null;
  /** Newest pin first. */
  pinned(roomId: string): readonly StoredMessage[];
  setReactions(envelopeId: string, reactions: readonly string[]): void;
  /** `at` is ms since the epoch, or `null` to unpin. */
  setPinned(envelopeId: string, at: number | null): void;
  /**
   * Removes text and files from history, outbox and search. The id stays, so that the message is not accepted
   * again.
   */
  deleteMessage(envelopeId: string, at: number): void;
}

/** Outgoing messages with files of an account. Throws like `AccountStore`. */
export interface OutboxFiles {
  /** Updates outbox and history; a sealed message keeps its sealed content. */
  setContent(envelopeId: string, content: unknown): void;
  /** Unsent messages of this content type, failed ones included. */
  unsent(contentType: string): readonly OutboxRow[];
  /** Sends a failed message again, sealed anew for the current members. False if it has not failed. */
  retry(envelopeId: string): boolean;
}
