/** What one agent's worker needs, and what it tells while it works. */
import type { AppError } from '../../contract/errors.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { AgentPersona } from '../agents/identity-note.ts';
import type { PromptParts } from '../agents/prompt.ts';
import type { FileIntake } from '../file-ports.ts';
import type { AccountPort, AccountStore, Clock, Log, Random, StoredMessage } from '../ports.ts';
import type { RuntimePort } from '../runtime-ports.ts';
import type { TurnTrace } from '../work-ports.ts';

/** Read at the start of every turn, so that edits count from the next one. */
export interface TurnContext {
  readonly prompt: PromptParts;
  readonly persona: AgentPersona;
  /** Notes that no person has confirmed, for the model outside of its system prompt (T9); empty: none. */
  readonly untrustedNotes: string;
  /** Code points. */
  readonly maxInlineChars: number;
  readonly segmentChars: number;
  /** The text comes straight from a model: an "API Error" in it is only words. */
  readonly plainModel: boolean;
  /** A message that comes while a turn runs: into it, or after it. */
  readonly onArrival: 'steer' | 'follow_up';
}

export interface TurnInfo {
  readonly turnId: string;
  readonly roomId: string;
  readonly rootId: string;
  readonly threadKey: string;
  readonly envelopeIds: readonly string[];
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** Told in this order per turn: started, any number of deltas, retries and resets, then ended. Turns may overlap. */
export interface WorkerEvents {
  onQueued(messages: readonly StoredMessage[]): void;
  onTurnStarted(turn: TurnInfo): void;
  /** Messages that arrived meanwhile are now part of it. */
  onTurnTook(turn: TurnInfo, envelopeIds: readonly string[]): void;
  /** A tool call began, changed or ended; by `callId`. */
  onStep(turn: TurnInfo, step: ToolStep): void;
  /** A request to a model ended, or a pause before another one began. */
  onTraced(turn: TurnInfo, line: TurnTrace): void;
  onDelta(turn: TurnInfo, text: string): void;
  /** What was streamed so far is void. */
  onDraftReset(turn: TurnInfo): void;
  /** Waits before it tries again; `inMs` from now. */
  onRetrying(turn: TurnInfo, retry: { readonly inMs: number; readonly error: AppError }): void;
  onTurnEnded(turn: TurnInfo, end: TurnEnd): void;
  /** What it does, in words, e.g. "answering in #general"; holds until its end. */
  onActivity(turn: TurnInfo, text: string): void;
}

export type TurnEnd =
  | { readonly status: 'done' | 'silent'; readonly replyIds: readonly string[] }
  | { readonly status: 'failed'; readonly error: AppError; readonly partialText: string }
  /** Stopped in the middle: its messages stay open and are taken up at the next start. */
  | { readonly status: 'interrupted' };

export interface WorkerDeps {
  readonly agentId: string;
  readonly account: AccountPort;
  readonly store: AccountStore;
  readonly runtime: RuntimePort;
  /** `roomId`: where the turn answers. */
  readonly context: (roomId: string) => Promise<TurnContext>;
  readonly events: WorkerEvents;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Absent: files of messages are only named. */
  readonly files?: FileIntake;
  /** Verified by the account: whose words are the operator's. */
  isOperator(slug: string): boolean;
}

export interface Worker {
  /** Takes up what was left open by the last run. Throws `StoreError`. */
  recover(): void;
  /** Messages just stored; those whose decision asks for a turn are queued. */
  accepted(messages: readonly StoredMessage[]): void;
  /**
   * Ends the turn that is open in this conversation, or all of them (null); their messages, and those that wait for the
   * same conversation, are closed. False: none is open there.
   */
  stopTurn(threadKey: string | null): boolean;
  /** A turn of this conversation is open: it thinks, or waits for a person. */
  working(threadKey: string): boolean;
  busy(): boolean;
  waiting(): number;
  /** Aborts all turns; their messages stay open. */
  stop(): Promise<void>;
}
