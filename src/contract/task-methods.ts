/** Rows of the method table about tasks: what agents are to do without being talked to, and who works on it. */
import { z } from 'zod';
import { done, none, row } from './method-row.ts';
import { agentLifeSchema } from './model.ts';

/** `waiting`: for an answer of a person, or for the end of a run. */
export const taskStatusSchema = z.enum(['pending', 'running', 'waiting', 'paused', 'done', 'error']);
export type TaskState = z.infer<typeof taskStatusSchema>;

/** Null: no limit. */
export const taskBudgetSchema = z.strictObject({
  steps: z.number().int().positive().max(100_000).nullable(),
  tokens: z.number().int().positive().nullable(),
  usd: z.number().positive().nullable(),
});

export const taskSummarySchema = z.object({
  id: z.number().int(),
  goal: z.string(),
  status: taskStatusSchema,
  /** Null: any agent. */
  agentId: z.string().nullable(),
  agentName: z.string(),
  /** Who works on it or did last; null: nobody yet. */
  runnerId: z.string().nullable(),
  runnerName: z.string(),
  project: z.string().nullable(),
  /** Higher goes first. */
  priority: z.number().int(),
  /** ms since the epoch; null: at once. */
  dueAt: z.number().nullable(),
  parent: z.number().int().nullable(),
  /** Of a fork: the last step it has in common with its parent. */
  forkedAt: z.number().int().nullable(),
  via: z.enum(['cli', 'chat', 'ui', 'mcp', 'schedule', 'workflow', 'import']),
  /** Where its result is posted, as you have it; null: nowhere, or where you are not a member. */
  roomId: z.string().nullable(),
  rootId: z.string().nullable(),
  budget: taskBudgetSchema,
  used: z.object({
    tokens: z.number(),
    /** Known dollars; the demo's are apart, and `unpriced` tokens cost nobody knows what. */
    usd: z.number(),
    simulatedUsd: z.number(),
    unpriced: z.number(),
  }),
  /** Steps that were begun. */
  steps: z.number().int(),
  /** What happens after the step it is at. */
  asked: z.enum(['pause', 'cancel']).nullable(),
  /** The question, or the run, it waits for. `unknown-step`: a person must say whether this step happened. */
  waitingFor: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('approval'), approvalId: z.string() }),
      z.object({ kind: z.literal('unknown-step'), step: z.number().int() }),
      /** A run that its open step has begun, and what it is called. */
      z.object({ kind: z.literal('run'), run: z.string(), name: z.string() }),
    ])
    .nullable(),
  /** The beginning of it, at most 4,000 characters; `tasks.get` has all of it. */
  result: z.string().nullable(),
  failure: z
    .object({ kind: z.enum(['failed', 'cancelled', 'budget', 'crashed']), message: z.string() })
    .nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type TaskSummary = z.infer<typeof taskSummarySchema>;

export const taskStepViewSchema = z.object({
  /** From 1. */
  number: z.number().int(),
  kind: z.enum(['decision', 'action']),
  action: z.string(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** At most 4,000 characters each; `tasks.step` has all of it. */
  result: z.string().nullable(),
  error: z.string().nullable(),
  cut: z.boolean(),
});
export type TaskStepView = z.infer<typeof taskStepViewSchema>;

export const taskCountsSchema = z.record(taskStatusSchema, z.number().int());
export type TaskCounts = z.infer<typeof taskCountsSchema>;

/** The tasks of one agent. */
export const taskLaneSchema = z.object({
  agentId: z.string(),
  agentName: z.string(),
  /** Only a running agent begins tasks. */
  life: z.enum([...agentLifeSchema.options, 'gone']),
  running: z.number().int(),
  /** How many it works on at once. */
  places: z.number().int(),
  /** Due and not begun. */
  ready: z.number().int(),
});
export type TaskLane = z.infer<typeof taskLaneSchema>;

export const taskWorkersSchema = z.object({
  /** `task` null: idle. */
  workers: z.array(
    z.object({ worker: z.number().int(), task: z.number().int().nullable(), runnerName: z.string() }),
  ),
  running: z.number().int(),
  /** Due and not begun. */
  ready: z.number().int(),
  /** Of these: wait for a worker; wait for their agent, which is busy or paused. */
  forWorker: z.number().int(),
  forAgent: z.number().int(),
  /** Agents that could begin a task now. */
  freeAgents: z.number().int(),
  /** Of each agent that has a task ready or at work. */
  lanes: z.array(taskLaneSchema),
});
export type TaskWorkers = z.infer<typeof taskWorkersSchema>;

const task = z.number().int().positive();
const taskRef = z.strictObject({ task });
const project = z.string().min(1).max(100).nullable();
const priority = z.number().int().min(-1_000).max(1_000);

export const taskMethods = {
  /** Newest first; `before` is a task number. `text`: in goal, result or project, whatever the case. */
  'tasks.list': row(
    () =>
      z.strictObject({
        status: taskStatusSchema.optional(),
        /** Of those that ended with an error: only what a person cancelled, or all but that. */
        cancelled: z.boolean().optional(),
        project: z.string().max(100).optional(),
        agent: z.string().max(200).optional(),
        text: z.string().max(200).optional(),
        before: task.optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    () =>
      z.object({
        tasks: z.array(taskSummarySchema),
        counts: taskCountsSchema,
        /** How many of `counts.error` a person cancelled. */
        cancelled: z.number().int(),
        hasMore: z.boolean(),
      }),
  ),
  /** With its whole result, its memory as JSON, and its first 200 steps. */
  'tasks.get': row(
    () => taskRef,
    () =>
      z.object({
        task: taskSummarySchema,
        result: z.string().nullable(),
        memoryJson: z.string(),
        steps: z.array(taskStepViewSchema),
      }),
  ),
  'tasks.steps': row(
    () =>
      taskRef.extend({
        after: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(500).default(200),
      }),
    () => z.object({ steps: z.array(taskStepViewSchema), hasMore: z.boolean() }),
  ),
  'tasks.step': row(
    () => taskRef.extend({ step: z.number().int().positive() }),
    () => z.object({ result: z.string().nullable(), error: z.string().nullable() }),
  ),
  /** A second task with the same `key` is the first one (`isNew` false). `room`, `rootId`: where its result is posted. */
  'tasks.add': row(
    () =>
      z.strictObject({
        goal: z.string().trim().min(1).max(50_000),
        agent: z.string().min(1).max(200).optional(),
        project: project.optional(),
        priority: priority.optional(),
        dueAt: z.number().nullable().optional(),
        budget: taskBudgetSchema.partial().optional(),
        key: z.string().min(1).max(200).optional(),
        room: z.string().min(1).max(200).optional(),
        rootId: z.string().min(1).max(100).optional(),
      }),
    () => z.object({ task: taskSummarySchema, isNew: z.boolean() }),
  ),
  /** A change of a task that has not ended. */
  'tasks.amend': row(
    () =>
      taskRef.extend({
        priority: priority.optional(),
        project: project.optional(),
        dueAt: z.number().nullable().optional(),
        budget: taskBudgetSchema.partial().optional(),
      }),
    () => taskSummarySchema,
  ),
  /** Does this one now, before the others and before it is due; without a number: wakes the workers. */
  'tasks.run': row(
    () => z.strictObject({ task: task.optional() }),
    () => z.object({ task: taskSummarySchema.nullable() }),
  ),
  /** After the step it is at. */
  'tasks.pause': row(
    () => taskRef,
    () => taskSummarySchema,
  ),
  'tasks.resume': row(
    () => taskRef,
    () => taskSummarySchema,
  ),
  'tasks.cancel': row(
    () => taskRef,
    () => taskSummarySchema,
  ),
  /** Of a task that ended with an error: it goes on behind its last step. */
  'tasks.retry': row(
    () => taskRef,
    () => taskSummarySchema,
  ),
  /** A new task that has the first `after` steps of this one behind it. */
  'tasks.fork': row(
    () => taskRef.extend({ after: z.number().int().min(0) }),
    () => taskSummarySchema,
  ),
  /** A person says whether an interrupted step happened. */
  'tasks.settle': row(
    () => taskRef.extend({ step: z.number().int().positive(), happened: z.enum(['yes', 'no']) }),
    () => taskSummarySchema,
  ),
  'tasks.workers': row(
    () => none,
    () => taskWorkersSchema,
  ),
  /** How many tasks are worked on at once, and how many of one agent; null: as many as this computer suggests. */
  'tasks.setWorkers': row(
    () =>
      z.strictObject({
        workers: z.number().int().min(0).max(64).nullable().optional(),
        agent: z
          .strictObject({ agent: z.string().min(1).max(200), concurrency: z.number().int().min(1).max(16) })
          .optional(),
      }),
    () => done,
  ),
  /**
   * The `tasks.json` of a Personal Agent that lies at this path. What is not understood whole brings nothing; a second import of
   * the same file adds nothing.
   */
  'tasks.import': row(
    () => z.strictObject({ path: z.string().min(1).max(4096) }),
    () => z.object({ added: z.array(task), known: z.number().int(), notes: z.array(z.string()) }),
    ['owner-cli'],
  ),
  /** For the plots. Days are local and without gaps, oldest first. */
  'tasks.stats': row(
    () => z.strictObject({ days: z.number().int().min(1).max(366).default(30) }),
    () =>
      z.object({
        days: z.array(
          z.object({
            day: z.string(),
            added: z.number().int(),
            done: z.number().int(),
            /** Without what a person cancelled. */
            error: z.number().int(),
          }),
        ),
        /** How long answered questions had waited, ms, newest first, at most 500; of tasks, chats and workflows alike. */
        waits: z.array(
          z.object({
            at: z.number(),
            ms: z.number(),
            kind: z.enum(['tool', 'spending', 'invitation', 'contact', 'workflow', 'question']),
            agentName: z.string(),
          }),
        ),
      }),
  ),
} as const;

/** Topic `tasks`: everything that has not ended, the latest hundred that have, by number; counts and workers. */
export interface TasksView {
  readonly tasks: Readonly<Record<string, TaskSummary>>;
  readonly counts: TaskCounts;
  /** How many of `counts.error` a person cancelled. */
  readonly cancelled: number;
  readonly workers: TaskWorkers;
}

/** Topic `task:<number>`: one task and its steps by number, the latest 500 of them, while they happen. */
export interface TaskView {
  /** Null: there is no such task. */
  readonly task: TaskSummary | null;
  readonly steps: Readonly<Record<string, TaskStepView>>;
}
