/** Rows of the method table about workflow files and their runs. */
import { z } from 'zod';
import { gateAsks } from './gate-asks.ts';
import { done, none, row } from './method-row.ts';
import { plainDataSchema, plainRecordSchema } from './plain-data.ts';

/** A place in a file that is wrong (it does not start) or doubtful. */
export const findingSchema = z.object({
  severity: z.enum(['error', 'warning']),
  rule: z.string(),
  message: z.string(),
  hint: z.string(),
  /** Path of the step; empty: the file. */
  path: z.string(),
  /** From 1; 0: unknown. */
  line: z.number().int(),
  column: z.number().int(),
});
export type FindingView = z.infer<typeof findingSchema>;

export const graphSchema = z.object({
  nodes: z.array(
    z.object({
      /** The stable path of the step; `start` and `end` besides. */
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
  /** JSON; empty: none. */
  defaultJson: z.string(),
  /** JSON of each allowed value; empty: any of the type. */
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
  /** Comes with Kennel and cannot be changed there. */
  example: z.boolean(),
});
export type WorkflowFile = z.infer<typeof workflowFileSchema>;

export const runStatusSchema = z.enum(['running', 'waiting', 'ok', 'failed', 'cancelled']);
export type RunStatusName = z.infer<typeof runStatusSchema>;

export const runSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Where its file lay when it started; empty: a pipeline or a text. The run itself is pinned to what it said then. */
  file: z.string(),
  /** SHA-256 of the definition, hex. */
  definition: z.string(),
  status: runStatusSchema,
  /** Why it failed or was cancelled; empty else. */
  message: z.string(),
  /** `operator`, an agent's id, a schedule; empty: nobody that was known. */
  initiatedBy: z.string(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  /** When a timer, an expiry or a reminder is due. */
  wakeAt: z.number().nullable(),
  stepsDone: z.number().int(),
  /** Paths of the steps that run now. */
  running: z.array(z.string()),
  /** Ids of the questions that wait. They are in `approvals`, too, under the same id. */
  gates: z.array(z.string()),
  /** Known dollars; the demo's are apart, and `unpriced` tokens cost nobody knows what. */
  costUsd: z.number(),
  simulatedUsd: z.number(),
  unpriced: z.number(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export const runStepSchema = z.object({
  /** With its rounds: `loop[3].send`. */
  path: z.string(),
  state: z.enum(['running', 'waiting', 'retrying', 'done', 'failed', 'skipped', 'uncertain']),
  attempts: z.number().int(),
  effect: z.enum(['pure', 'idempotent', 'once']),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The beginning of what it left, at most 2,000 characters; `runs.step` has all of it. */
  output: z.string(),
  cut: z.boolean(),
  error: z.string(),
  retryAt: z.number().nullable(),
  /** Of an `agent` step: the task it handed out. */
  task: z.number().int().nullable(),
  /** It was done in the run that this one was begun from. */
  taken: z.boolean(),
  /** When it worked itself and when it waited, for a person, a time or its next try: the latest 60; `to` null: it goes on. */
  spans: z.array(z.object({ kind: z.enum(['work', 'wait']), from: z.number(), to: z.number().nullable() })),
  /** How long it waited, ms: all that is over, also what is no longer among the spans. */
  waited: z.number(),
});
export type RunStep = z.infer<typeof runStepSchema>;

export const runGateSchema = z.object({
  /** Also the id of its question in the approvals. */
  id: z.string(),
  ...gateAsks,
  contentHash: z.string(),
  /** Eight digits for the owner's command line, while it waits. */
  shortId: z.string().optional(),
  expiresAt: z.number().nullable(),
  /** Null: it waits. */
  decision: z
    .enum(['approve', 'reject', 'answer', 'done', 'repeat', 'cancel', 'timeout', 'withdrawn'])
    .nullable(),
  decidedBy: z.string(),
  /** Of a no; empty: none was given. */
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

/** One run that was begun from another; `from` null: from its beginning. */
export const runForkSchema = z.object({ run: z.string(), from: z.string().nullable(), by: z.string() });
export type RunFork = z.infer<typeof runForkSchema>;

const somePaths = z.object({
  /** At most 50 of them. */
  paths: z.array(z.string()),
  all: z.number().int(),
});

/** A place that a run came to, and what running again from it means. */
export const againSchema = z.object({
  from: z.string(),
  /** Why it cannot be; empty: it can. */
  refusal: z.string(),
  /** Where it cannot be: the place at or before it from which it can; empty: there is none. */
  nearest: z.string(),
  /** Questions before it that are asked again. */
  asked: somePaths,
  /** Steps of class `once` that were begun, and will be begun again. */
  once: somePaths,
});
export type RunAgain = z.infer<typeof againSchema>;

/** `more`: so many come after these. */
export const runPlacesSchema = z.object({ places: z.array(againSchema), more: z.number().int() });
export type RunPlaces = z.infer<typeof runPlacesSchema>;

const run = z.string().min(1).max(100);
/** Or a unique beginning of it. */
const runRef = z.strictObject({ run });
const text = z.string().max(1_000_000);
const checked = z.object({
  findings: z.array(findingSchema),
  /** Null: the text could not be read as a workflow. */
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
  /** Those below the folder of workflows, and the examples. */
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
  /** Below the folder of workflows only. `hash` of the text that was read; `conflict` when the file has changed since. */
  'workflows.save': row(
    () => z.strictObject({ file: z.string().min(1).max(300), text, was: z.string().max(100).nullable() }),
    () => checked.extend({ path: z.string() }),
  ),
  'workflows.remove': row(
    () => z.strictObject({ file: z.string().min(1).max(300) }),
    () => done,
  ),
  /** One of `file`, `pipeline` and `text`. Durable before it returns; it goes on by itself. */
  'runs.start': row(
    () =>
      z
        .strictObject({
          file: z.string().min(1).max(4_000).optional(),
          pipeline: z.string().min(1).max(100_000).optional(),
          text: text.optional(),
          args: plainRecordSchema.default({}),
          /** The same as a text, which keeps every digit of whole numbers; counts where both are given. */
          argsJson: z.string().max(1_000_000).optional(),
          key: z.string().min(1).max(200).optional(),
          cwd: z.string().max(4_000).optional(),
        })
        .refine(({ file, pipeline, text: given }) => [file, pipeline, given].filter(Boolean).length === 1, {
          error: 'Give one of file, pipeline and text',
        }),
    () => runSummarySchema,
  ),
  /** Newest first; `before` is a run's id. `text`: in name, file, id or message, whatever the case. */
  'runs.list': row(
    () =>
      z.strictObject({
        status: runStatusSchema.optional(),
        text: z.string().max(200).optional(),
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
        /** As it was when the run started, written anew from what is pinned. */
        source: z.string(),
        graph: graphSchema,
        steps: z.array(runStepSchema),
        gates: z.array(runGateSchema),
        /** What its last step left, as JSON; empty: nothing yet. */
        outputJson: z.string(),
        /** Null: it was begun by itself. */
        forkedFrom: runForkSchema.nullable(),
        forks: z.array(runForkSchema),
        /** Its file, or one that it starts, compared with what it is pinned to; `none`: it never was in a file. */
        fileNow: z.enum(['same', 'changed', 'gone', 'none']),
      }),
  ),
  /** Where a run that has ended can be begun again: what that means at one place, or at the first 200 in the order of the file. */
  'runs.places': row(
    () => runRef.extend({ from: z.string().min(1).max(1_000).optional() }),
    () => runPlacesSchema,
  ),
  /** All that one step left, each at most 2 million characters. */
  'runs.step': row(
    () => runRef.extend({ path: z.string().min(1).max(1_000) }),
    () => z.object({ stdout: z.string(), json: z.string(), error: z.string() }),
  ),
  /**
   * The journal, row by row; `total`: how many there are now. `verified`: every row of the run follows from the one before
   * it, and what rows name is there as it was; `brokenAt`: the first of which that is not so. Looked at with the first page
   * (`after` 0), null with the others.
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
  /** Its whole history as a file of lines at this path, which must be free: to keep, and to verify without Kennel. */
  'runs.export': row(
    () => runRef.extend({ path: z.string().min(1).max(4096) }),
    () => z.object({ events: z.number().int(), head: z.string(), texts: z.number().int() }),
    ['owner-cli'],
  ),
  /** The same file for whom no path of this computer can be named, piece by piece: `from` is the `next` of the piece before. */
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
  /** A failed run goes on from what failed. */
  'runs.retry': row(
    () => runRef,
    () => runSummarySchema,
  ),
  /**
   * A run that has ended, once more as another run with the same arguments: as it was, from its beginning or behind what it takes
   * over; or, `current`, its file as it is now. Answers are never taken over.
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
  /** By token, or by the eight digits that the owner's own list shows. `digest`: the content hash that was shown. */
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

/** Topic `runs`: those that have not ended and the latest fifty that have, by id. */
export interface RunsView {
  readonly runs: Readonly<Record<string, RunSummary>>;
}

/** Topic `run:<id>`: one run while it goes on; steps by path, questions by id. */
export interface RunView {
  /** Null: there is no such run. */
  readonly run: RunSummary | null;
  readonly steps: Readonly<Record<string, RunStep>>;
  readonly gates: Readonly<Record<string, RunGate>>;
}
