/**
 * Everything that ever happens in a run, as rows of one journal. A row carries the hash of the row before it, so that
 * the history of a run can be verified years later: who approved what, and what exactly they saw.
 */
import { toHex } from '../../lib/bytes.ts';
import { writeStable } from '../../lib/stable-json.ts';
import type { EffectClass, Json, StepResult } from '../file/definition.ts';
import type { StepCost } from './step-cost.ts';

/** A process that a step started: enough to find it again after a crash, and not another one of the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** As the system tells it, in its own unit: never compared with a clock. */
  readonly started: string;
}

/** What a step left, as written down: `parsed` says that `json` is what its standard output parses to. */
export interface KeptResult {
  readonly result: StepResult;
  readonly parsed: boolean;
}
/**
 * Large results lie beside the journal, under the hash of their text: JSON of what is kept, or, `text`, the standard output itself, so
 * that a large one is never held a second time with its quotes escaped.
 */
export type ResultPlace = { readonly kept: KeptResult } | { readonly blob: string; readonly text?: true };

export type GateKind = 'approval' | 'input' | 'uncertain';
export type GateDecision = 'approve' | 'reject' | 'answer' | 'done' | 'repeat' | 'cancel' | 'timeout';
/** Null: nobody that the host could name. */
export type Person = string | null;

/** What the people who decide are shown, and what the content hash of their decision covers. */
export interface GateContent {
  readonly kind: GateKind;
  readonly prompt: string;
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

/** Which workflow a question says it belongs to, and where that works. */
export interface ShownWorkflow {
  readonly name: string | null;
  /** Absolute; `null` if whoever started the run did not say. */
  readonly cwd: string | null;
  readonly file: string | null;
}

/** A pipeline that stands still in the middle: where it goes on, and with which items. */
export interface Continuation {
  readonly stage: number;
  readonly items: readonly Json[];
}

export type RunStatus = 'running' | 'waiting' | 'ok' | 'failed' | 'cancelled';
export type RunEnd = Extract<RunStatus, 'ok' | 'failed' | 'cancelled'>;
export type FailureCode = 'failed' | 'timeout' | 'cancelled' | 'too_large' | 'budget';

/** Where a run was started: its steps work there, however it goes on later. */
export interface RunOrigin {
  /** Absolute, links resolved: no step leaves it. */
  readonly cwd: string;
  /** Absolute path of its file then; null: a pipeline, or an object. */
  readonly file: string | null;
  /** Where in the chat it was asked for, as the host names it; absent: nowhere. */
  readonly thread?: string;
  /** The agent that wrote it; absent: it is one of the operator's own. */
  readonly writtenBy?: string;
}

/** What a step left in the run that this one was begun from. */
export interface TakenStep {
  readonly path: string;
  readonly effect: EffectClass;
  readonly left:
    | { readonly ended: ResultPlace }
    | { readonly failed: { readonly code: FailureCode; readonly message: string } }
    | 'skipped';
}

/** A person began it once more, from a step or, null, from the beginning. */
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
      /** One row with what it takes over: it never begins with a part of that. Answers are never taken over. */
      readonly forkedFrom?: ForkOrigin & { readonly taken: readonly TakenStep[] };
    }
  /** Said of a run that has ended: another one, `run`, was begun from it. */
  | { readonly type: 'run_forked'; readonly run: string; readonly from: string | null; readonly by: Person }
  | {
      readonly type: 'step_started';
      readonly path: string;
      readonly attempt: number;
      readonly effect: EffectClass;
      readonly key: string;
    }
  | { readonly type: 'step_spawned'; readonly path: string; readonly process: ProcessMark }
  | ({
      readonly type: 'step_ended';
      readonly path: string;
      readonly result: ResultPlace;
      /** A person said that it had been done, after a crash hid its end. */
      readonly saidBy?: Person;
    } & StepCost)
  | ({
      readonly type: 'step_failed';
      readonly path: string;
      readonly code: FailureCode;
      readonly message: string;
      /** ms since the epoch; null: it is not tried again. */
      readonly retryAt: number | null;
    } & StepCost)
  /** Begun, and its end is not known: the program was stopped or killed. */
  | {
      readonly type: 'step_interrupted';
      readonly path: string;
      /** The program died while the step was at work; absent: it was stopped, or an older version wrote this. */
      readonly died?: true;
      /** Not done again before this time, ms; absent: at once. */
      readonly retryAt?: number;
      /** A person says whether it is done again, whatever its class. */
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
      /** The owner's vote, whatever they are called. */
      readonly owner?: boolean;
    }
  | {
      readonly type: 'gate_decided';
      readonly gate: string;
      readonly decision: GateDecision;
      readonly by: Person;
      readonly contentHash: string;
      readonly response?: Json;
      /** Why not, in the words of whoever said no; absent: they gave none. */
      readonly reason?: string;
    }
  | { readonly type: 'gate_withdrawn'; readonly gate: string }
  | { readonly type: 'cancel_requested'; readonly by: Person }
  | { readonly type: 'cost_warned'; readonly usd: number }
  /** Failures are forgotten so that they are tried again; what has ended stays. `path` null: of the whole run. */
  | { readonly type: 'failures_cleared'; readonly path: string | null; readonly by?: Person }
  | {
      readonly type: 'run_finished';
      readonly status: RunEnd;
      readonly message: string | null;
      /** What its last step left. */
      readonly output: ResultPlace | null;
    };

/** A text that an event is nothing without. */
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
  /** ms since the epoch. */
  readonly at: number;
  readonly event: RunEvent;
  /** Hex SHA-256 of the row before it; for the first row of the run's id. */
  readonly previous: string;
}

/** Of a text: of its UTF-8. */
export type Sha256 = (data: Uint8Array | string) => Uint8Array;

export const hashText = (sha256: Sha256, text: string): string => toHex(sha256(text));

/** What the next row carries as `previous`. */
export const rowHash = (sha256: Sha256, row: EventRow): string => hashText(sha256, writeStable(row));

/** The end of a history: whoever keeps it can add rows without reading the last one again. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export const chainStart = (sha256: Sha256, run: string): ChainHead => ({
  seq: 0,
  hash: hashText(sha256, run),
});

/** Rows as they follow `head`, and the new head. */
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
 * The number of the first row that does not follow from the one before it; null: the history is whole. With the head that
 * was kept beside it, rows that are gone from its end show, too.
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

/** Sub-workflows are named by the file that names them, and by whom. */
export const childKey = (parent: string, file: string): string => `${parent}:${file}`;
