/** What the loop runtime is given for one agent. */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { AudiencePort, ReadLog } from '../../core/audience-ports.ts';
import type { ModelFacts, ModelPort, SpendGate, ThinkingLevel } from '../../core/model-ports.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { ProviderGate } from '../../core/models/provider-gate.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { ApprovalGate, GateCall, Tool, TranscriptStore } from '../../core/tool-ports.ts';

/** An agent's hands, made when it first needs them. */
export interface AgentKit {
  readonly tools: readonly Tool[];
  readonly gate: ApprovalGate;
  /** The question that this call waits for, if it does. */
  waitingFor(call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
  /** The last message into the turn's own thread that one of these calls, or a program outside, has sent: its id. */
  sentHere(turnId: string, callIds: readonly string[]): string | null;
  /** Words of others may be in the agent's notes, which are part of every prompt (T9). */
  foreignNotes(): boolean;
}

export interface RuntimeSettings {
  readonly thinking: ThinkingLevel;
  /** ms that a turn may work. */
  readonly turnMs: number;
}

export interface ChatLocalDeps {
  /** Asked before every request, so that a changed choice counts at once. */
  readonly choose: () => Result<ModelChoice> | Promise<Result<ModelChoice>>;
  /** Adapters load lazily; null when this build has none for the choice. */
  readonly model: (adapter: ModelChoice['adapter']) => Promise<ModelPort | null>;
  /** May ask the server of the model once. */
  readonly facts: (choice: ModelChoice) => ModelFacts | Promise<ModelFacts>;
  readonly gate: ProviderGate;
  readonly spend: SpendGate;
  /** At the first turn, and again at every one: edits of agent.yml count from the next. */
  readonly kit: () => Promise<AgentKit>;
  readonly settings: () => RuntimeSettings;
  readonly transcripts: TranscriptStore;
  readonly isOperator: (slug: string) => boolean;
  readonly audience: AudiencePort;
  readonly reads: ReadLog;
  /** sha256, hex, of a call's canonical arguments. */
  readonly digest: (tool: string, args: Readonly<Record<string, unknown>>) => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Told while a turn waits for a server. */
export type OnWaiting = (wait: {
  readonly attempt: number;
  readonly inMs: number;
  readonly error: AppError;
}) => void;
