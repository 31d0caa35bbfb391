/**
 * What the engine must be given: one journal, runners for the steps, time and chance. It opens no file and no connection
 * itself, and holds no secret.
 */
import type { Result } from '../../../contract/result.ts';
import type { Clock, Random } from '../../ports.ts';
import type { Json, Scope, Step, WorkflowDefinition } from '../file/definition.ts';
import type {
  Continuation,
  EventRow,
  FailureCode,
  GateContent,
  GateDecision,
  ProcessMark,
  RunEvent,
  RunOrigin,
  RunStatus,
  Sha256,
} from './events.ts';
import type { StepCost } from './step-cost.ts';

export interface RunRow {
  readonly id: string;
  readonly definition: string;
  readonly idempotencyKey: string | null;
  readonly status: RunStatus;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** When a timer, an expiry or a reminder is due; null: nothing but a person moves it. */
  readonly wakeAt: number | null;
  /** The program that works on it; null: none. */
  readonly owner: string | null;
}

export interface GateRow {
  readonly id: string;
  readonly run: string;
  readonly path: string;
  /** Eight hex digits; for the owner's own command line only. */
  readonly shortId: string;
  /** Hex SHA-256 of the only token that is good; null: used up. */
  readonly tokenHash: string | null;
  readonly contentHash: string;
  /** How many have agreed while others must, too. */
  readonly votes: number;
  readonly decision: GateDecision | 'withdrawn' | null;
}

/** Changes of gates in a write. One that finds its gate decided, or its token used, undoes the whole write. */
export type GateChange =
  | { readonly type: 'open'; readonly row: GateRow }
  | {
      readonly type: 'use';
      readonly gate: string;
      /** Null: no token was shown; the host vouches for the person. */
      readonly tokenHash: string | null;
      readonly contentHash: string;
      /** As many as had agreed when this was decided upon; another number undoes the write. */
      readonly votes: number;
      /** Null: others must agree, too; a next token is good for them. */
      readonly decision: GateDecision | 'withdrawn' | null;
      readonly nextTokenHash: string | null;
    }
  | { readonly type: 'token'; readonly gate: string; readonly tokenHash: string };

export interface HeldEvent {
  readonly at: number;
  readonly event: RunEvent;
}

export interface JournalWrite {
  readonly run: string;
  /** The run is new with this write, and the first of its events says so. */
  readonly creates?: RunToBe;
  readonly at: number;
  /** Rows after this one are returned, others' and the new ones. */
  readonly afterSeq: number;
  /** The write is refused unless the run is owned so; undefined: owners do not matter, e.g. to a decision. */
  readonly owner?: string;
  /** Refused unless the run stands so: what has ended is not brought back by a word that came too late. */
  readonly standing?: readonly RunStatus[];
  /** Refused when anybody wrote after `afterSeq`: what is said of the run would not be true any more. */
  readonly exact?: true;
  /** What was held back, each with the time at which it happened; comes before `events`. */
  readonly held?: readonly HeldEvent[];
  readonly events: readonly RunEvent[];
  /** The run has no owner afterwards. */
  readonly release?: true;
  readonly gates?: readonly GateChange[];
  readonly blobs?: readonly { readonly hash: string; readonly text: string }[];
  readonly status?: RunStatus;
  readonly wakeAt?: number | null;
}

/** All that a write adds, in its order. */
export const eventsIn = ({ at, held = [], events }: JournalWrite): readonly HeldEvent[] => [
  ...held,
  ...events.map((event) => ({ at, event })),
];

export interface RunToBe {
  readonly row: RunRow;
  /** JSON texts by their hash; those that are known stay as they are. */
  readonly definitions: readonly { readonly hash: string; readonly text: string }[];
}

export interface NewRun extends RunToBe {
  readonly event: RunEvent;
  /** What another run is told of it, in the same transaction. */
  readonly tells?: { readonly run: string; readonly event: RunEvent };
}

/**
 * The one memory of all runs. Every method is one transaction, durable when it returns (SQLite, synchronous FULL);
 * `chainRows` makes the rows. A disk that fails throws `StoreError`.
 */
export interface Journal {
  /** The row that holds its idempotency key already (then nobody is told anything), or the new one. */
  create(run: NewRun): RunRow;
  run(id: string): RunRow | null;
  /** Newest first. */
  runs(query: { readonly status?: RunStatus; readonly limit: number }): readonly RunRow[];
  /** Runs that are neither finished nor waiting for later than `now`, oldest first. */
  due(now: number): readonly RunRow[];
  /** `limit`: at most so many. */
  events(run: string, afterSeq: number, limit?: number): readonly EventRow[];
  /**
   * `conflict`: another owner, another standing, rows in between, rows that an owner has seen and that are gone, a gate decided or a token used
   * before. Then nothing is written.
   */
  append(write: JournalWrite): Result<readonly EventRow[]>;
  /** Compare and set: false when it is not `expected` who owns the run. */
  claim(run: string, expected: string | null, owner: string | null): boolean;
  definition(hash: string): string | null;
  blob(hash: string): string | null;
  gate(id: string): GateRow | null;
  gateByToken(tokenHash: string): GateRow | null;
  /** Open gates only; null also where two have the same. */
  gateByShortId(shortId: string): GateRow | null;
  openGates(run?: string): readonly GateRow[];
  /** `state.get` and `state.set`: a namespace of its own, in which no record of a run lies. */
  value(key: string): string | null;
  setValue(key: string, text: string): void;
}

/** Programs that work on runs: who we are, and whether another is still there (pid, start time, boot). */
export interface Owners {
  readonly self: string;
  alive(owner: string): boolean;
}

export interface StepCall {
  readonly run: string;
  /** `loop[3].send`. */
  readonly path: string;
  readonly attempt: number;
  /** The same for every attempt of this step in this run. */
  readonly key: string;
  readonly step: Step;
  readonly definition: WorkflowDefinition;
  readonly scope: Scope;
  readonly stdin: Json | undefined;
  /** A pipeline that goes on behind its gate. */
  readonly from?: Continuation & { readonly answer: Json };
  readonly initiatedBy: string | null;
  readonly origin: RunOrigin | null;
  /** When it aborts, the runner ends everything that it started and settles only then. */
  readonly signal: AbortSignal;
  /** Called before the process may do anything, so that a crash leaves none behind unknown. */
  spawned(process: ProcessMark): void;
}

export type StepOutcome =
  /** Without `json` the standard output is parsed where it is JSON. */
  | ({ readonly type: 'done'; readonly stdout?: string; readonly json?: Json } & StepCost)
  | { readonly type: 'halted'; readonly next: Continuation; readonly asks: GateContent }
  | ({
      readonly type: 'failed';
      readonly code: FailureCode;
      readonly message: string;
      /** False: trying again could do twice what was done, e.g. after a tool was called. */
      readonly retry: boolean;
    } & StepCost);

export interface StepRunner {
  /** Nothing at all happens before it has called `spawned`: the beginning of the step may be written down with it. */
  readonly gated?: true;
  run(call: StepCall): Promise<StepOutcome>;
}

export interface StepRunners {
  readonly shell: StepRunner;
  readonly pipeline: StepRunner;
  readonly agent: StepRunner;
  readonly model: StepRunner;
  /** Ends what a killed program left running: the process and everything below it. */
  reap(process: ProcessMark, run: string): Promise<void>;
}

/** An open question, as the approval centre and the envelope show it. */
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

/** Told after the journal knows; may be told twice after a crash. */
export interface Gates {
  opened(gate: OpenGate): void;
  reminded(gate: OpenGate): void;
  closed(gate: string, decision: GateDecision | 'withdrawn'): void;
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
