/** Methods about workflow files and their runs. */
import { z } from 'zod';
import { gateAsks } from './gate-asks.ts';
import { hostTextSchema } from './host-text-schema.ts';
import { done, none, row } from './method-row.ts';
import { plainDataSchema, plainRecordSchema } from './plain-data.ts';
import { gateDecisions, runStatuses } from './run-states.ts';

/** An error (the workflow does not start) or a warning in a file. */
export const findingSchema = z.object({
  severity: z.enum(['error', 'warning']),
  rule: z.string(),
  message: hostTextSchema,
  /** Empty if the message says everything. */
  hint: hostTextSchema,
  /** Path of the step; empty for the file. */
  path: z.string(),
  /** Counted from 1; 0 if unknown. */
  line: z.number().int(),
  column: z.number().int(),
});
export type FindingView = z.infer<typeof findingSchema>;

export const graphSchema = z.object({
  nodes: z.array(
    z.object({
      /** The stable path of the step, or `start` or `end`. */
      id: z.string(),
      kind: z.string(),
      label: z.string(),
      /** A person decides here. */
      gate: z.boolean(),
      inside: z.string().nullable(),
      row: z.number().int(),
      column: z.number().int(),
    }),
  ),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      kind: z.enum(['next', 'branch', 'join', 'again', 'reject', 'timeout', 'fallback']),
      label: z.string().nullable(),
    }),
  ),
  rows: z.number().int(),
  columns: z.number().int(),
});
export type GraphView = z.infer<typeof graphSchema>;

export const workflowArgSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string(),
  required: z.boolean(),
  /** JSON; empty without one. */
  defaultJson: z.string(),
  /** JSON of each allowed value; empty if any value of the type is allowed. */
  values: z.array(z.string()),
});

export const workflowFileSchema = z.object({
  /** Absolute. */
  path: z.string(),
  name: z.string(),
  description: z.string(),
  args: z.array(workflowArgSchema),
  errors: z.number().int(),
  warnings: z.number().int(),
  changedAt: z.number(),
  /** Shipped with Kennel and read-only. */
  example: z.boolean(),
});
export type WorkflowFile = z.infer<typeof workflowFileSchema>;

export const runStatusSchema = z.enum(runStatuses);
export type RunStatusName = z.infer<typeof runStatusSchema>;

export const runSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  /**
   * Path of its file at the start; empty for a pipeline or text. The run is pinned to the contents of that
   * time.
   */
  file: z.string(),
  /** SHA-256 of the definition in hex. */
  definition: z.string(),
  status: runStatusSchema,
  /** Reason of a failure or cancellation, else empty. */
  message: hostTextSchema,
  /** `operator`, an agent's id or a schedule; empty if unknown. */
  initiatedBy: z.string(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  /** ms since the epoch; `null` outside the archive. */
  archivedAt: z.number().nullable(),
  /** Time of the next timer, expiry or reminder. */
  wakeAt: z.number().nullable(),
  stepsDone: z.number().int(),
  running: z.array(z.string()),
  /** Ids of open gates, the same as in `approvals`. */
  gates: z.array(z.string()),
  /** Known US dollars; simulated ones are separate, and `unpriced` tokens have no known price. */
  costUsd: z.number(),
  simulatedUsd: z.number(),
  unpriced: z.number(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export const runStepSchema = z.object({
  /** With iterations: `loop[3].send`. */
  path: z.string(),
  state: z.enum(['running', 'waiting', 'retrying', 'done', 'failed', 'skipped', 'uncertain']),
  attempts: z.number().int(),
  effect: z.enum(['pure', 'idempotent', 'once']),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The beginning of its output, at most 2,000 characters; `runs.step` returns all of it. */
  output: z.string(),
  cut: z.boolean(),
  error: hostTextSchema,
  retryAt: z.number().nullable(),
  /** For an `agent` step: its task. */
  task: z.number().int().nullable(),
  /** Taken over from the run that this one was forked from. */
  taken: z.boolean(),
  /**
   * Working and waiting times (for a person, a time or a retry), the latest 60; `to` is `null` for the open
   * one.
   */
  spans: z.array(z.object({ kind: z.enum(['work', 'wait']), from: z.number(), to: z.number().nullable() })),
  /** ms of all finished waits, including those no longer in `spans`. */
  waited: z.number(),
});
export type RunStep = z.infer<typeof runStepSchema>;

export const runGateSchema = z.object({
  /** Also the id of its question in the approvals. */
  id: z.string(),
  ...gateAsks,
  contentHash: z.string(),
  /** Eight digits for the owner's command line, while it is open. */
  shortId: z.string().optional(),
  expiresAt: z.number().nullable(),
  /** `null` while it is open. */
  decision: z.enum(gateDecisions).nullable(),
  decidedBy: z.string(),
  /** Reason of a rejection, or empty. */
  reason: z.string(),
  decidedAt: z.number().nullable(),
  responseJson: z.string(),
});
export type RunGate = z.infer<typeof runGateSchema>;

export const gateAnswerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['approve', 'done', 'repeat', 'cancel']) }),
  z.strictObject({ type: z.literal('reject'), reason: z.string().max(1_000).default('') }),
  z.strictObject({ type: z.literal('respond'), response: plainDataSchema }),
]);
export type GateAnswer = z.infer<typeof gateAnswerSchema>;

/** A fork of a run; `from` is `null` if it restarted from the beginning. */
export const runForkSchema = z.object({ run: z.string(), from: z.string().nullable(), by: z.string() });
export type RunFork = z.infer<typeof runForkSchema>;

const somePaths = z.object({
  /** At most 50. */
  paths: z.array(z.string()),
  all: z.number().int(),
});

/** A step that a run reached, and the consequences of restarting from it. */
export const againSchema = z.object({
  from: z.string(),
  /** Why that is not possible; empty if it is. */
  refusal: hostTextSchema,
  /** If it is not possible: the nearest earlier step for which it is, or empty. */
  nearest: z.string(),
  /** Earlier gates that will ask again. */
  asked: somePaths,
  /** Steps with effect `once` that were started and will run again. */
  once: somePaths,
});
export type RunAgain = z.infer<typeof againSchema>;

/** `more` is the number of further places. */
export const runPlacesSchema = z.object({ places: z.array(againSchema), more: z.number().int() });
export type RunPlaces = z.infer<typeof runPlacesSchema>;

const run = z.string().min(1).max(100);
/** Id or unique prefix. */
const runRef = z.strictObject({ run });
const text = z.string().max(1_000_000);
const checked = z.object({
  findings: z.array(findingSchema),
  /** `null` if the text is not readable as a workflow. */
  graph: graphSchema.nullable(),
  mermaid: z.string(),
  args: z.array(workflowArgSchema),
  hash: z.string(),
});

const piecePlaceSchema = z.strictObject({
  events: z.number().int().min(0),
  line: z.number().int().min(0),
  at: z.number().int().min(0),
});

export const workflowMethods = {
  /** Files of the workflow folder, and the examples. */
  'workflows.list': row(
    () => none,
    () => z.object({ folder: z.string(), files: z.array(workflowFileSchema) }),
  ),
  'workflows.read': row(
    () => z.strictObject({ file: z.string().min(1).max(4_000) }),
    () => checked.extend({ path: z.string(), text }),
  ),
  'workflows.check': row(
    () => z.strictObject({ text, file: z.string().max(4_000).optional() }),
    () => checked,
  ),
  /**
   * Only below the workflow folder. `was` is the `hash` of the text read before; `conflict` if the file has
   * changed since.
   */
  'workflows.save': row(
    () => z.strictObject({ file: z.string().min(1).max(300), text, was: z.string().max(100).nullable() }),
    () => checked.extend({ path: z.string() }),
  ),
  'workflows.remove': row(
    () => z.strictObject({ file: z.string().min(1).max(300) }),
    () => done,
  ),
  /**
   * Exactly one of `file`, `pipeline` and `text`. Durable before it returns; the run continues in the
   * background.
   */
  'runs.start': row(
    () =>
      z
        .strictObject({
          file: z.string().min(1).max(4_000).optional(),
          pipeline: z.string().min(1).max(100_000).optional(),
          text: text.optional(),
          args: plainRecordSchema.default({}),
          /** The same as text, which keeps every digit of whole numbers; takes precedence over `args`. */
          argsJson: z.string().max(1_000_000).optional(),
          key: z.string().min(1).max(200).optional(),
          cwd: z.string().max(4_000).optional(),
        })
        .refine(({ file, pipeline, text: given }) => [file, pipeline, given].filter(Boolean).length === 1, {
          error: 'Give one of file, pipeline and text',
        }),
    () => runSummarySchema,
  ),
  /** Newest first; `before` is a run id. `text` matches name, file, id or message, case-insensitively. */
  'runs.list': row(
    () =>
      z.strictObject({
        status: runStatusSchema.optional(),
        text: z.string().max(200).optional(),
        /** Only archived runs if true, none if false; absent: none, but a search with `text` finds them, too. */
        archived: z.boolean().optional(),
        before: z.string().max(100).optional(),
        limit: z.number().int().min(1).max(500).default(50),
      }),
    () => z.object({ runs: z.array(runSummarySchema), hasMore: z.boolean() }),
  ),
  'runs.get': row(
    () => runRef,
    () =>
      z.object({
        run: runSummarySchema,
        argsJson: z.string(),
        /** The definition that the run is pinned to, as text. */
        source: z.string(),
        graph: graphSchema,
        steps: z.array(runStepSchema),
        gates: z.array(runGateSchema),
        /** Output of its last step as JSON; empty until then. */
        outputJson: z.string(),
        /** `null` if it is not a fork. */
        forkedFrom: runForkSchema.nullable(),
        forks: z.array(runForkSchema),
        /** Its file, or one that it starts, compared with the pinned definition; `none` if it had no file. */
        fileNow: z.enum(['same', 'changed', 'gone', 'none']),
      }),
  ),
  /** Steps from which a finished run can restart: one step, or the first 200 in file order. */
  'runs.places': row(
    () => runRef.extend({ from: z.string().min(1).max(1_000).optional() }),
    () => runPlacesSchema,
  ),
  /** The complete output of one step, each field at most 2 million characters. */
  'runs.step': row(
    () => runRef.extend({ path: z.string().min(1).max(1_000) }),
    () => z.object({ stdout: z.string(), json: z.string(), error: hostTextSchema }),
  ),
  /**
   * Events of the journal; `total` is their current number. `verified` is true if the run's hash chain and
   * all referenced contents are intact; `brokenAt` is the first event that is not. Both are checked with the
   * first page (`after` 0) and `null` on others.
   */
  'runs.log': row(
    () =>
      runRef.extend({
        after: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(1_000).default(200),
      }),
    () =>
      z.object({
        events: z.array(
          z.object({
            seq: z.number().int(),
            at: z.number(),
            kind: z.string(),
            path: z.string(),
            json: z.string(),
            previous: z.string(),
          }),
        ),
        hasMore: z.boolean(),
        total: z.number().int(),
        verified: z.boolean().nullable(),
        brokenAt: z.number().int().nullable(),
      }),
  ),
  /** Exports the complete history as lines to a new file at this path, verifiable without Kennel. */
  'runs.export': row(
    () => runRef.extend({ path: z.string().min(1).max(4096) }),
    () => z.object({ events: z.number().int(), head: z.string(), texts: z.number().int() }),
    ['owner-cli'],
  ),
  /** The same file in pieces, for clients that cannot name a path: `from` is the previous `next`. */
  'runs.piece': row(
    () => runRef.extend({ from: piecePlaceSchema.optional() }),
    () =>
      z.object({
        text: z.string(),
        lines: z.number().int(),
        events: z.number().int(),
        next: piecePlaceSchema.nullable(),
      }),
  ),
  'runs.cancel': row(
    () => runRef,
    () => runSummarySchema,
  ),
  /**
   * Moves finished runs into the archive or back: these, or with `olderThanDays` all that ended earlier. All or
   * none; lists leave archived runs out, and a retry takes a run back.
   */
  'runs.archive': row(
    () =>
      z.strictObject({
        archived: z.boolean(),
        runs: z.array(z.string().min(1).max(100)).min(1).max(1_000).optional(),
        olderThanDays: z.number().int().min(0).max(3_650).optional(),
      }),
    () => z.object({ runs: z.array(z.string()) }),
  ),
  /** A failed run continues from the failed step. */
  'runs.retry': row(
    () => runRef,
    () => runSummarySchema,
  ),
  /**
   * Repeats a finished run as a new run with the same arguments: the pinned definition, from the beginning or
   * after the steps taken over, or with `current` the current file. Decisions are never taken over.
   */
  'runs.again': row(
    () =>
      runRef
        .extend({
          from: z.string().min(1).max(1_000).optional(),
          current: z.boolean().default(false),
          key: z.string().min(1).max(200).optional(),
        })
        .refine(({ from, current }) => from === undefined || !current, {
          error: 'Give from or current, not both: a changed file has other steps',
        }),
    () => runSummarySchema,
  ),
  /**
   * By token, or by the eight digits of the owner's own list. `digest` is the content hash that was shown.
   */
  'runs.decide': row(
    () =>
      z
        .strictObject({
          token: z.string().max(300).optional(),
          shortId: z.string().max(20).optional(),
          gate: z.string().max(100).optional(),
          digest: z.string().max(100).optional(),
          answer: gateAnswerSchema,
        })
        .refine(({ token, shortId, gate }) => [token, shortId, gate].filter(Boolean).length === 1, {
          error: 'Give one of token, shortId and gate',
        }),
    () => z.object({ run: runSummarySchema, decision: z.string().nullable() }),
  ),
} as const;

/** Topic `runs`: unfinished runs and the latest fifty finished ones, by id. */
export interface RunsView {
  readonly runs: Readonly<Record<string, RunSummary>>;
}

/** Topic `run:<id>`: one run; steps by path, gates by id. */
export interface RunView {
  readonly run: RunSummary | null;
  readonly steps: Readonly<Record<string, RunStep>>;
  readonly gates: Readonly<Record<string, RunGate>>;
}
