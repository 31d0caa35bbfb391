/**
 * Events of a run, as rows of one journal. Each row carries the hash of the row before it, so the history can
 * be verified years later: who approved what, and what exactly they saw.
 */

import type { gateDecisions, runStatuses } from '../../../contract/run-states.ts';
import type { HostMessage, HostText } from '../../../language/host-message.ts';
import { toHex } from '../../lib/bytes.ts';
import { writeStable } from '../../lib/stable-json.ts';
import type { EffectClass, Json, StepResult } from '../file/definition.ts';
import type { StepCost } from './step-cost.ts';

/** Identifies a process after a crash, even if its pid was reused. */
export interface StepProcess {
  readonly pid: number;
  /** As the system reports it, in the unit of the system: never compare it with a clock. */
  readonly started: string;
}

/** Result of a step as stored; `parsed`: `json` is exactly what its standard output parses to. */
export interface KeptResult {
  readonly result: StepResult;
  readonly parsed: boolean;
}
/**
 * A large result is stored beside the journal under the hash of its text: JSON of the kept result, or with
 * `text` the standard output itself, which avoids a second, escaped copy.
 */
export type ResultPlace = { readonly kept: KeptResult } | { readonly blob: string; readonly text?: true };

export type GateKind = 'approval' | 'input' | 'uncertain';
/** `withdrawn` is no decision. */
export type WorkflowGateDecision = Exclude<(typeof gateDecisions)[number], 'withdrawn'>;
/** `null` if the host cannot name the person. */
export type Person = string | null;

/** Content that approvers see and that the content hash of their decision covers. */
export interface GateContent {
  readonly kind: GateKind;
  readonly prompt: string;
  /** The prompt as a message, if the engine itself asks. */
  readonly question?: HostMessage;
  readonly items: readonly Json[];
  readonly preview: string | null;
  /** JSON schema of the answer. */
  readonly schema: Json;
  readonly defaults: Json;
  readonly subject: Json;
  readonly approvers: {
    readonly named: readonly string[];
    readonly needed: number;
    readonly notInitiator: boolean;
  };
  /** Absent from questions of versions that did not bind it. */
  readonly workflow?: ShownWorkflow;
}

/** Workflow that a question belongs to, and its working directory. */
export interface ShownWorkflow {
  readonly name: string | null;
  /** Absolute; `null` if the initiator gave none. */
  readonly cwd: string | null;
  readonly file: string | null;
}

/** Resume point of a halted pipeline: the next stage and its input items. */
export interface Continuation {
  readonly stage: number;
  readonly items: readonly Json[];
}

export type RunStatus = (typeof runStatuses)[number];
export type RunEndEvent = Extract<RunStatus, 'ok' | 'failed' | 'cancelled'>;
export type FailureCode = 'failed' | 'timeout' | 'cancelled' | 'too_large' | 'budget';

/** Origin of a run: its steps keep this working directory, however the run is resumed. */
export interface RunOrigin {
  /** Absolute, with links resolved; no step leaves it. */
  readonly cwd: string;
  /** Absolute path of the file at the start; `null` for a pipeline or an object. */
  readonly file: string | null;
  /** Chat thread of the request, as the host names it; absent if it did not come from a chat. */
  readonly thread?: string;
  /** Agent that wrote the workflow; absent if it is one of the operator's own. */
  readonly writtenBy?: string;
}

/** Result of a step, copied from the run that this one was forked from. */
export interface TakenStep {
  readonly path: string;
  readonly effect: EffectClass;
  readonly left:
    | { readonly ended: ResultPlace }
    | { readonly failed: { readonly code: FailureCode; readonly message: HostText } }
    | 'skipped';
}

/** Origin of a fork; `from`: `null` if it starts from the beginning. */
export interface ForkOrigin {
  readonly run: string;
  readonly from: string | null;
  readonly by: Person;
}

export type RunEvent =
  | {
      readonly type: 'run_created';
      readonly definition: string;
      /** Hash of every sub-workflow by `childKey`: they are pinned like the definition itself. */
      readonly children: { readonly [key: string]: string };
      readonly args: { readonly [name: string]: Json };
      readonly initiatedBy: Person;
      readonly origin?: RunOrigin;
      /**
       * In the same row as the run, so that a fork never starts with a part of it. Answers are never copied.
       */
      readonly forkedFrom?: ForkOrigin & { readonly taken: readonly TakenStep[] };
    }
  /** Recorded in a finished run: the run `run` was forked from it. */
  | { readonly type: 'run_forked'; readonly run: string; readonly from: string | null; readonly by: Person }
  | {
      readonly type: 'step_started';
      readonly path: string;
      readonly attempt: number;
      readonly effect: EffectClass;
      readonly key: string;
    }
  | { readonly type: 'step_spawned'; readonly path: string; readonly process: StepProcess }
  | ({
      readonly type: 'step_ended';
      readonly path: string;
      readonly result: ResultPlace;
      /** Set if a person confirmed that the step was done, after a crash hid its end. */
      readonly saidBy?: Person;
    } & StepCost)
  | ({
      readonly type: 'step_failed';
      readonly path: string;
      readonly code: FailureCode;
      /** Text in rows of older versions. */
      readonly message: HostText;
      /** ms since the epoch; `null` if it is not retried. */
      readonly retryAt: number | null;
    } & StepCost)
  /** Started, with an unknown end: the program was stopped or killed. */
  | {
      readonly type: 'step_interrupted';
      readonly path: string;
      /** The program died while the step ran; absent if it was stopped, or in records of older versions. */
      readonly died?: true;
      /** Earliest retry, ms since the epoch; absent for at once. */
      readonly retryAt?: number;
      /** A person decides whether the step runs again, whatever its effect class. */
      readonly asks?: true;
    }
  | { readonly type: 'step_skipped'; readonly path: string }
  | {
      readonly type: 'step_halted';
      readonly path: string;
      readonly next: Continuation;
      readonly asks: GateContent;
    }
  | { readonly type: 'block_entered'; readonly path: string; readonly deadline: number | null }
  | { readonly type: 'timer_set'; readonly path: string; readonly dueAt: number }
  | {
      readonly type: 'gate_opened';
      readonly path: string;
      readonly slot: string;
      readonly gate: string;
      readonly content: GateContent;
      readonly contentHash: string;
      readonly expiresAt: number | null;
      readonly remindAt: number | null;
    }
  | { readonly type: 'gate_token'; readonly gate: string }
  | { readonly type: 'gate_reminded'; readonly gate: string }
  | {
      readonly type: 'gate_voted';
      readonly gate: string;
      readonly by: Person;
      readonly contentHash: string;
      /** Vote of the operator, whatever name answered. */
      readonly owner?: boolean;
    }
  | {
      readonly type: 'gate_decided';
      readonly gate: string;
      readonly decision: WorkflowGateDecision;
      readonly by: Person;
      readonly contentHash: string;
      readonly response?: Json;
      /** Reason of a rejection; absent if the approver gave none. */
      readonly reason?: string;
    }
  | { readonly type: 'gate_withdrawn'; readonly gate: string }
  | { readonly type: 'cancel_requested'; readonly by: Person }
  | { readonly type: 'cost_warned'; readonly usd: number }
  /** Clears failures so that the steps run again; finished steps stay. `path`: `null` for the whole run. */
  | { readonly type: 'failures_cleared'; readonly path: string | null; readonly by?: Person }
  | {
      readonly type: 'run_finished';
      readonly status: RunEndEvent;
      readonly message: HostText | null;
      /** Result of the last step. */
      readonly output: ResultPlace | null;
    };

/** Text that an event references by hash. */
export interface NamedText {
  readonly kind: 'definition' | 'blob';
  readonly hash: string;
}

const blobOf = (place: ResultPlace): readonly NamedText[] =>
  'blob' in place ? [{ kind: 'blob', hash: place.blob }] : [];

export function textsNamedBy(event: RunEvent): readonly NamedText[] {
  switch (event.type) {
    case 'run_created':
      return [
        ...[event.definition, ...Object.values(event.children)].map(
          (hash): NamedText => ({ kind: 'definition', hash }),
        ),
        ...(event.forkedFrom?.taken ?? []).flatMap(({ left }) =>
          left !== 'skipped' && 'ended' in left ? blobOf(left.ended) : [],
        ),
      ];
    case 'step_ended':
      return blobOf(event.result);
    case 'run_finished':
      return event.output ? blobOf(event.output) : [];
    default:
      return [];
  }
}

export interface EventRow {
  readonly run: string;
  /** From 1, without gaps. */
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
  /** Hex SHA-256 of the previous row; for the first row, of the run id. */
  readonly previous: string;
}

/** Hashes text as UTF-8. */
export type Sha256 = (data: Uint8Array | string) => Uint8Array;

export const hashText = (sha256: Sha256, text: string): string => toHex(sha256(text));

/** Hash that the next row carries as `previous`. */
export const rowHash = (sha256: Sha256, row: EventRow): string => hashText(sha256, writeStable(row));

/** End of a hash chain, so that rows can be added without reading the last one again. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export const chainStart = (sha256: Sha256, run: string): ChainHead => ({
  seq: 0,
  hash: hashText(sha256, run),
});

/** Chains new rows to `head`, and returns the new head. */
export function chainRows(
  sha256: Sha256,
  run: string,
  head: ChainHead,
  events: readonly { readonly at: number; readonly event: RunEvent }[],
): { readonly rows: readonly EventRow[]; readonly head: ChainHead } {
  const rows: EventRow[] = [];
  let { seq, hash } = head;
  for (const { at, event } of events) {
    seq += 1;
    const row: EventRow = { run, seq, at, event, previous: hash };
    hash = rowHash(sha256, row);
    rows.push(row);
  }
  return { rows, head: { seq, hash } };
}

/**
 * Number of the first row that breaks the chain; `null` if the history is intact. With `kept`, the head
 * stored separately, missing rows at the end are detected, too.
 */
export function brokenAt(
  sha256: Sha256,
  run: string,
  rows: readonly EventRow[],
  kept: ChainHead | null = null,
): number | null {
  let { seq, hash } = chainStart(sha256, run);
  for (const row of rows) {
    seq += 1;
    if (row.run !== run || row.seq !== seq || row.previous !== hash) return seq;
    hash = rowHash(sha256, row);
  }
  return kept === null || (kept.seq === seq && kept.hash === hash) ? null : seq + 1;
}

/** Identifies a sub-workflow by the definition that names it and the file name. */
export const childKey = (parent: string, file: string): string => `${parent}:${file}`;
