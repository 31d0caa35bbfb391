/** Ports of one agent's worker, and its notifications. */
import type { AppError } from '../../contract/errors.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AgentPersona } from '../agents/identity-note.ts';
import type { PromptParts } from '../agents/prompt.ts';
import type { TurnTrace } from '../agents/turn-records.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import type { FileIntake } from '../tools/chat-files.ts';

/** Read at the start of every turn, so edits apply from the next one. */
export interface TurnContext {
  readonly prompt: PromptParts;
  readonly persona: AgentPersona;
  /** Unconfirmed notes, passed to the model outside its system prompt (T9); empty if none. */
  readonly untrustedNotes: string;
  readonly maxInlineChars: number;
  readonly segmentChars: number;
  /** The text comes directly from a model, so "API Error" in it is ordinary text. */
  readonly plainModel: boolean;
  /** Whether a message that arrives during a turn joins it or starts the next one. */
  readonly onArrival: 'steer' | 'follow_up';
}

export interface TurnInfo {
  readonly turnId: string;
  readonly roomId: string;
  readonly rootId: string;
  readonly threadKey: string;
  readonly envelopeIds: readonly string[];
  readonly startedAt: number;
}

/** Order per turn: started, any number of deltas, retries and resets, then ended. Turns may overlap. */
export interface WorkerEvents {
  onQueued(messages: readonly StoredMessage[]): void;
  onTurnStarted(turn: TurnInfo): void;
  /** Messages that arrived meanwhile joined the turn. */
  onTurnTook(turn: TurnInfo, envelopeIds: readonly string[]): void;
  /** A tool call started, changed or ended; identified by `callId`. */
  onStep(turn: TurnInfo, step: ToolStep): void;
  /** A model request ended, or a pause before the next one started. */
  onTraced(turn: TurnInfo, line: TurnTrace): void;
  onDelta(turn: TurnInfo, text: string): void;
  /** The text streamed so far is void. */
  onDraftReset(turn: TurnInfo): void;
  onRetrying(turn: TurnInfo, retry: { readonly inMs: number; readonly error: AppError }): void;
  onTurnEnded(turn: TurnInfo, end: TurnEnd): void;
  /** Description of the current work, e.g. "answering in #general"; valid until the turn ends. */
  onActivity(turn: TurnInfo, text: HostText): void;
}

export type TurnEnd =
  | { readonly status: 'done' | 'silent'; readonly replyIds: readonly string[] }
  | { readonly status: 'failed'; readonly error: AppError; readonly partialText: string }
  /** Stopped midway: its messages stay open and resume at the next start. */
  | { readonly status: 'interrupted' };

/** Notes of the host for an agent, each given with the next message of its thread. */
export interface AgentNotes {
  /** `null` if none. Call `given` once the text is in the transcript; a crash before gives it again. */
  take(threadKey: string): Promise<{ readonly text: string; given(): void } | null>;
}

/** The parts of a turn that come from its agent and the host. */
export interface TurnSources {
  /** `roomId`: room of the answer. */
  context(roomId: string): Promise<TurnContext>;
  /** Absent if files of messages are only named. */
  readonly files?: FileIntake;
  readonly notes?: AgentNotes;
  /** Whether the sender, verified by the account, is the operator. */
  isOperator(slug: string): boolean;
}

export interface WorkerPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Names the agent in each line. */
  readonly log: Log;
}

export interface Worker {
  /** Queues messages that the last run left open. Throws `StoreError`. */
  recover(): void;
  /** Takes newly stored messages; those whose decision requests a turn are queued. */
  accepted(messages: readonly StoredMessage[]): void;
  /**
   * Ends the open turn of this conversation, or all turns (`null`), and closes their messages and those
   * waiting for the same conversation. False if none is open.
   */
  stopTurn(threadKey: string | null): boolean;
  /** Whether a turn of this conversation is open, running or waiting for a person. */
  working(threadKey: string): boolean;
  busy(): boolean;
  waiting(): number;
  /** Aborts all turns; their messages stay open. */
  stop(): Promise<void>;
}
