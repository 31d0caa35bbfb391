/** Resources that a runtime gets from the host for its turns, and the models of its agent. */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { ApprovalGate, GateCall } from '../approvals/approval-gate.ts';
import type { ModelChoice } from '../models/choose-model.ts';
import type { ModelFacts, ModelPort, ThinkingLevel } from '../models/model-ports.ts';
import type { ProviderGate } from '../models/provider-gate.ts';
import type { SpendGate } from '../models/spend-gate.ts';
import type { TranscriptStore } from '../models/transcript-store.ts';
import type { AudiencePort, ReadLog } from '../policy/audience-ports.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { Tool } from '../tools/tool.ts';

/** An agent's tools and gate, created at first use. */
export interface AgentKit {
  readonly tools: readonly Tool[];
  readonly gate: ApprovalGate;
  /** The id of the approval that this call waits for, or `null` if none. */
  waitingFor(call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
  /**
   * Id of the last message that one of these calls, or an external program, sent to the turn's own thread;
   * `null` if none.
   */
  sentHere(turnId: string, callIds: readonly string[]): string | null;
  /** True if the agent's notes may hold untrusted content; they are part of every prompt (T9). */
  foreignNotes(): boolean;
}

export interface RuntimeSettings {
  readonly thinking: ThinkingLevel;
  /** Maximum working time of a turn, in ms. */
  readonly turnMs: number;
  /** Directives in the text of an answer run as calls. */
  readonly directives?: boolean;
}

/** Readers of a turn's answer, and the record of what they may know (T9). */
export interface TurnReaders {
  readonly isOperator: (slug: string) => boolean;
  readonly audience: AudiencePort;
  readonly reads: ReadLog;
}

/**
 * Resources of the turns of an agent, or of one of its tasks, and the place of their records. A runtime of any
 * kind asks `kit().gate` before each call, and `spend` before each model request.
 */
export interface TurnResources {
  readonly transcripts: TranscriptStore;
  /** Called for every turn, so that edits of agent.yml apply from the next one. */
  readonly kit: () => Promise<AgentKit>;
  readonly spend: SpendGate;
  readonly settings: () => RuntimeSettings;
  readonly readers: TurnReaders;
  /** sha256, hex, of a call's canonical arguments. */
  readonly digest: (tool: string, args: Readonly<Record<string, unknown>>) => string;
}

/** The models of an agent, for runtimes that call them in the host. */
export interface RuntimeModels {
  /** Called before every request, so that a changed choice applies at once. */
  readonly choose: () => Result<ModelChoice> | Promise<Result<ModelChoice>>;
  /** Adapters load lazily; `null` if this build has none for the choice. */
  readonly model: (adapter: ModelChoice['adapter']) => Promise<ModelPort | null>;
  /** May query the model's server once. */
  readonly facts: (choice: ModelChoice) => ModelFacts | Promise<ModelFacts>;
  readonly gate: ProviderGate;
}

export interface ChatLocalDeps {
  readonly turns: TurnResources;
  readonly models: RuntimeModels;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Called while a turn waits for a server. */
export type OnWaiting = (wait: {
  readonly attempt: number;
  readonly inMs: number;
  readonly error: AppError;
}) => void;
