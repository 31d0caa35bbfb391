/**
 * Ports of the engine: journal, step runners, time and randomness. The engine opens no file or connection
 * itself, and holds no secret.
 */

import type { Result } from '../../../contract/result.ts';
import type { HostText } from '../../../language/host-message.ts';
import type { Clock, Random } from '../../ports.ts';
import type { Json, Step, TemplateScope, WorkflowDefinition } from '../file/definition.ts';
import type {
  Continuation,
  EventRow,
  FailureCode,
  GateContent,
  RunEvent,
  RunOrigin,
  RunStatus,
  Sha256,
  StepProcess,
  WorkflowGateDecision,
} from './events.ts';
import type { StepCost } from './step-cost.ts';

export interface RunRow {
  readonly id: string;
  readonly definition: string;
  readonly idempotencyKey: string | null;
  readonly status: RunStatus;
  readonly createdAt: number;
  /** Next timer, expiry or reminder; `null` if only a person can continue the run. */
  readonly wakeAt: number | null;
  /** Program that drives the run; `null` if none does. */
  readonly owner: string | null;
  /** ms since the epoch; absent outside the archive. */
  readonly archivedAt?: number;
}

export interface GateRow {
  readonly id: string;
  readonly run: string;
  readonly path: string;
  /** Eight hex digits; for the operator's own command line only. */
  readonly shortId: string;
  /** Hex SHA-256 of the only valid token; `null` if used. */
  readonly tokenHash: string | null;
  readonly contentHash: string;
  readonly votes: number;
  readonly decision: WorkflowGateDecision | 'withdrawn' | null;
}

/** Gate changes of a write. A change whose gate is decided or whose token is used undoes the whole write. */
export type GateChange =
  | { readonly type: 'open'; readonly row: GateRow }
  | {
      readonly type: 'use';
      readonly gate: string;
      /** `null` if no token was shown; the host vouches for the person. */
      readonly tokenHash: string | null;
      readonly contentHash: string;
      /** Expected number of earlier approvals; a different number undoes the write. */
      readonly votes: number;
      /** `null` if more approvals are needed; the next token is for them. */
      readonly decision: WorkflowGateDecision | 'withdrawn' | null;
      readonly nextTokenHash: string | null;
    }
  | { readonly type: 'token'; readonly gate: string; readonly tokenHash: string };

export interface HeldEvent {
  readonly at: number;
  readonly event: RunEvent;
}

export interface JournalWrite {
  readonly run: string;
  /** Creates the run in this write; its first event is `run_created`. */
  readonly creates?: RunToBe;
  readonly at: number;
  /** `append` returns all rows after this one, the new ones included. */
  readonly afterSeq: number;
  /**
   * Refuses the write if the run has another owner; `undefined` if owners do not matter, e.g. for a decision.
   */
  readonly owner?: string;
  /**
   * Refuses the write unless the run has one of these statuses, so that a late request cannot reopen a
   * finished run.
   */
  readonly standing?: readonly RunStatus[];
  /** Refuses the write if another program wrote after `afterSeq`, because the status would be outdated. */
  readonly exact?: true;
  /** Events held back earlier, each with its own time; they precede `events`. */
  readonly held?: readonly HeldEvent[];
  readonly events: readonly RunEvent[];
  readonly release?: true;
  /**
   * Survives the end of the program, but a power loss may undo it until the next write without this member.
   */
  readonly unsynced?: true;
  readonly gates?: readonly GateChange[];
  readonly blobs?: readonly { readonly hash: string; readonly text: string }[];
  readonly status?: RunStatus;
  readonly wakeAt?: number | null;
}

/** All events that a write adds, in order. */
export const eventsIn = ({ at, held = [], events }: JournalWrite): readonly HeldEvent[] => [
  ...held,
  ...events.map((event) => ({ at, event })),
];

export interface RunToBe {
  readonly row: RunRow;
  /** JSON texts by hash; known ones stay unchanged. */
  readonly definitions: readonly { readonly hash: string; readonly text: string }[];
}

export interface NewRun extends RunToBe {
  readonly event: RunEvent;
  /** Event for another run, written in the same transaction. */
  readonly tells?: { readonly run: string; readonly event: RunEvent };
}

/**
 * Storage of all runs. Each method is one transaction, durable when it returns (SQLite, synchronous FULL);
 * `chainRows` makes the rows. A disk failure throws `StoreError`.
 */
export interface Journal {
  /**
   * Returns the existing row with the same idempotency key (then no other run is notified), or the new one.
   */
  create(run: NewRun): RunRow;
  run(id: string): RunRow | null;
  runs(query: { readonly status?: RunStatus; readonly limit: number }): readonly RunRow[];
  /** Runs that are neither finished nor waiting beyond `now`, oldest first. */
  due(now: number): readonly RunRow[];
  events(run: string, afterSeq: number, limit?: number): readonly EventRow[];
  /**
   * `conflict`: another owner or status, rows in between, rows that an owner saw and that are gone, a decided
   * gate or a used token. Nothing is written then.
   */
  append(write: JournalWrite): Result<readonly EventRow[]>;
  /** Compare-and-set; false if the owner is not `expected`. */
  claim(run: string, expected: string | null, owner: string | null): boolean;
  definition(hash: string): string | null;
  blob(hash: string): string | null;
  gate(id: string): GateRow | null;
  gateByToken(tokenHash: string): GateRow | null;
  /** Open gates only; `null` also if two gates share the id. */
  gateByShortId(shortId: string): GateRow | null;
  openGates(run?: string): readonly GateRow[];
  /** Key-value storage of `state.get` and `state.set`, separate from the records of runs. */
  value(key: string): string | null;
  setValue(key: string, text: string): void;
}

/** Identifies the programs that drive runs, and tells whether one is still alive (pid, start time, boot). */
export interface Owners {
  readonly self: string;
  alive(owner: string): boolean;
}

export interface StepCall {
  readonly run: string;
  /** Example: `loop[3].send`. */
  readonly path: string;
  readonly attempt: number;
  /** Idempotency key: the same for every attempt of this step in this run. */
  readonly key: string;
  readonly step: Step;
  readonly definition: WorkflowDefinition;
  readonly scope: TemplateScope;
  readonly stdin: Json | undefined;
  /** Set when a pipeline resumes after its gate. */
  readonly from?: Continuation & { readonly answer: Json };
  readonly initiatedBy: string | null;
  readonly origin: RunOrigin | null;
  /** On abort the runner ends everything that it started, and settles only then. */
  readonly signal: AbortSignal;
  /** Must be called before the process does anything, so that a crash leaves no unknown process. */
  spawned(process: StepProcess): void;
}

export type StepOutcome =
  /** Without `json`, the engine parses the standard output if it is JSON. */
  | ({ readonly type: 'done'; readonly stdout?: string; readonly json?: Json } & StepCost)
  | { readonly type: 'halted'; readonly next: Continuation; readonly asks: GateContent }
  | ({
      readonly type: 'failed';
      readonly code: FailureCode;
      readonly message: HostText;
      /** False if a retry could repeat an effect, e.g. after a tool call. */
      readonly retry: boolean;
    } & StepCost);

/** A slot kept for a step that waited for it. */
export interface SlotGrant {
  /** Call it once, when the step has begun or will not begin. */
  release(): void;
}

/** Resolves to `null` on abort. */
export type SlotWait = (signal: AbortSignal) => Promise<SlotGrant | null>;

export interface StepRunner {
  /** The runner does nothing before it calls `spawned`, so `step_started` may be written together with it. */
  readonly gated?: true;
  /**
   * Called right before a step of the run begins; `null` if it may begin now. Otherwise nothing of the step is
   * recorded; the engine waits until the promise resolves, checks the step, and asks again. An abort ends the
   * wait.
   */
  claim?(run: string): SlotWait | null;
  run(call: StepCall): Promise<StepOutcome>;
}

export interface StepRunners {
  readonly shell: StepRunner;
  readonly pipeline: StepRunner;
  readonly agent: StepRunner;
  readonly model: StepRunner;
  /** Ends the process tree that a killed program left behind. */
  reap(process: StepProcess, run: string): Promise<void>;
}

/** Open question as the approval centre and the envelope show it. */
export interface OpenGate {
  readonly id: string;
  readonly run: string;
  readonly path: string;
  readonly shortId: string;
  readonly content: GateContent;
  readonly contentHash: string;
  readonly initiatedBy: string | null;
  readonly expiresAt: number | null;
}

/** Called after the journal write; may repeat a call after a crash. */
export interface Gates {
  opened(gate: OpenGate): void;
  reminded(gate: OpenGate): void;
  closed(gate: string, decision: WorkflowGateDecision | 'withdrawn'): void;
}

export interface EnginePorts {
  readonly journal: Journal;
  readonly runners: StepRunners;
  readonly gates: Gates;
  readonly owners: Owners;
  readonly clock: Clock;
  readonly random: Random;
  readonly sha256: Sha256;
}
