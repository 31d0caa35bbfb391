/** Methods about tasks of agents outside of chat turns, and their workers. */

import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { done, none, row } from './method-row.ts';
import { agentLifeSchema } from './model.ts';

/** `waiting`: for a person's answer, or for the end of a run. */
export const taskStatusSchema = z.enum(['pending', 'running', 'waiting', 'paused', 'done', 'error']);
export type TaskState = z.infer<typeof taskStatusSchema>;

/** Where a task came from. */
export const taskViaSchema = z.enum(['cli', 'chat', 'ui', 'mcp', 'schedule', 'workflow', 'import']);

/** The question or run that a task waits for. */
export const taskWaitingForSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('approval'), approvalId: z.string() }),
  /** A step was interrupted that must not repeat without approval, and it may or may not have happened. */
  z.strictObject({ kind: z.literal('unknown-step'), step: z.number().int() }),
  /** A workflow run that its open step started; `name` is its display name. */
  z.strictObject({ kind: z.literal('run'), run: z.string(), name: z.string() }),
]);

export const taskFailureSchema = z.strictObject({
  kind: z.enum(['failed', 'cancelled', 'budget', 'crashed']),
  /** Text in rows of older versions. */
  message: hostTextSchema,
});

/** `null` for no limit. */
export const taskBudgetSchema = z.strictObject({
  steps: z.number().int().positive().max(100_000).nullable(),
  tokens: z.number().int().positive().nullable(),
  usd: z.number().positive().nullable(),
});

/**
 * `off`: works in the agent's workspace. `wanted`: made when the task starts. `making` and `removing` last until git is
 * done, also across a restart.
 */
export const worktreeStates = ['off', 'wanted', 'making', 'open', 'removing', 'merged', 'discarded'] as const;

/** A git worktree of the agent's workspace, in which a task works on a branch of its own. */
export const taskWorktreeSchema = z.strictObject({
  state: z.enum(worktreeStates),
  /** Empty until it is made, like the other fields. */
  branch: z.string(),
  path: z.string(),
  /** Top folder of the repository. */
  repository: z.string(),
  /** Commit at which the branch began. */
  base: z.string(),
  /** State after `removing`. */
  outcome: z.enum(['merged', 'discarded']).nullable(),
});
export type TaskWorktree = z.infer<typeof taskWorktreeSchema>;

export const taskDiffSchema = z.object({
  branch: z.string(),
  /** Branch of the workspace that a merge changes; `null` if none is checked out. */
  into: z.string().nullable(),
  /** Id of the tree that was compared; a merge takes exactly this one. */
  tree: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['created', 'changed', 'removed']),
      /** Hunks of a unified diff; empty for content that is not text. */
      diff: z.string(),
      cut: z.boolean(),
    }),
  ),
  /** Number of changed files that are not listed. */
  more: z.number().int(),
});
export type TaskDiff = z.infer<typeof taskDiffSchema>;

export const taskSummarySchema = z.object({
  id: z.number().int(),
  goal: z.string(),
  status: taskStatusSchema,
  /** `null` for any agent. */
  agentId: z.string().nullable(),
  agentName: z.string(),
  /** The agent that works on it or did last, or `null`. */
  runnerId: z.string().nullable(),
  runnerName: z.string(),
  project: z.string().nullable(),
  /** Higher runs first. */
  priority: z.number().int(),
  /** ms since the epoch, or `null` for at once. */
  dueAt: z.number().nullable(),
  parent: z.number().int().nullable(),
  /** For a fork: the last step shared with its parent. */
  forkedAt: z.number().int().nullable(),
  via: taskViaSchema,
  /** Room for the result from the operator's side, or `null` if the task has none or they are not a member. */
  roomId: z.string().nullable(),
  rootId: z.string().nullable(),
  budget: taskBudgetSchema,
  used: z.object({
    tokens: z.number(),
    /** Known US dollars; simulated ones are separate, and `unpriced` tokens have no known price. */
    usd: z.number(),
    simulatedUsd: z.number(),
    unpriced: z.number(),
  }),
  /** Started steps. */
  steps: z.number().int(),
  /** Takes effect after the current step. */
  asked: z.enum(['pause', 'cancel']).nullable(),
  waitingFor: taskWaitingForSchema.nullable(),
  /** The beginning, at most 4,000 characters; `tasks.get` returns all of it. */
  result: z.string().nullable(),
  failure: taskFailureSchema.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** ms since the epoch; `null` outside the archive. */
  archivedAt: z.number().nullable(),
  /** `null` if the setting of its agent decides when it starts. */
  worktree: taskWorktreeSchema.nullable(),
});
export type TaskSummary = z.infer<typeof taskSummarySchema>;

export const taskStepViewSchema = z.object({
  /** Counted from 1. */
  number: z.number().int(),
  kind: z.enum(['decision', 'action']),
  action: z.string(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** At most 4,000 characters each; `tasks.step` returns all of it. */
  result: z.string().nullable(),
  error: z.string().nullable(),
  cut: z.boolean(),
});
export type TaskStepView = z.infer<typeof taskStepViewSchema>;

export const taskCountsSchema = z.record(taskStatusSchema, z.number().int());
export type TaskCounts = z.infer<typeof taskCountsSchema>;

export const taskLaneSchema = z.object({
  agentId: z.string(),
  agentName: z.string(),
  life: z.enum([...agentLifeSchema.options, 'gone']),
  running: z.number().int(),
  /** Limit on its concurrent tasks. */
  places: z.number().int(),
  /** Due and not started. */
  ready: z.number().int(),
});
export type TaskLane = z.infer<typeof taskLaneSchema>;

export const taskWorkersSchema = z.object({
  /** `task` is `null` if idle. */
  workers: z.array(
    z.object({ worker: z.number().int(), task: z.number().int().nullable(), runnerName: z.string() }),
  ),
  running: z.number().int(),
  ready: z.number().int(),
  /** Of these: waiting for a worker, and waiting for their agent. */
  forWorker: z.number().int(),
  forAgent: z.number().int(),
  freeAgents: z.number().int(),
  /** One per agent with a due or running task. */
  lanes: z.array(taskLaneSchema),
});
export type TaskWorkers = z.infer<typeof taskWorkersSchema>;

const task = z.number().int().positive();
const taskRef = z.strictObject({ task });
const project = z.string().min(1).max(100).nullable();
const priority = z.number().int().min(-1_000).max(1_000);

export const taskMethods = {
  /** Newest first; `before` is a task id. `text` matches goal, result or project, case-insensitively. */
  'tasks.list': row(
    () =>
      z.strictObject({
        status: taskStatusSchema.optional(),
        /** For status `error`: only cancelled tasks if true, only failed ones if false. */
        cancelled: z.boolean().optional(),
        project: z.string().max(100).optional(),
        agent: z.string().max(200).optional(),
        text: z.string().max(200).optional(),
        /** Only archived tasks if true, none if false; absent: none, but a search with `text` finds them, too. */
        archived: z.boolean().optional(),
        before: task.optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    () =>
      z.object({
        tasks: z.array(taskSummarySchema),
        counts: taskCountsSchema,
        /** Number of cancelled tasks in `counts.error`. */
        cancelled: z.number().int(),
        hasMore: z.boolean(),
      }),
  ),
  /** Includes the complete result, its memory as JSON, and its first 200 steps. */
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
  /**
   * A repeated `key` returns the first task with `isNew` false. `room` and `rootId` are the conversation for
   * the result.
   */
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
        /** Absent: as its agent is set. */
        worktree: z.boolean().optional(),
      }),
    () => z.object({ task: taskSummarySchema, isNew: z.boolean() }),
  ),
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
  /** Starts this task at once, before others and before it is due; without an id it wakes the workers. */
  'tasks.run': row(
    () => z.strictObject({ task: task.optional() }),
    () => z.object({ task: taskSummarySchema.nullable() }),
  ),
  /** Takes effect after the current step. */
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
  /** Continues a failed or cancelled task after its last step. */
  'tasks.retry': row(
    () => taskRef,
    () => taskSummarySchema,
  ),
  /**
   * Moves finished tasks into the archive or back: these, or with `olderThanDays` all that ended earlier. All
   * or none; lists and counts leave archived tasks out, and a retry takes a task back.
   */
  'tasks.archive': row(
    () =>
      z.strictObject({
        archived: z.boolean(),
        tasks: z.array(task).min(1).max(1_000).optional(),
        olderThanDays: z.number().int().min(0).max(3_650).optional(),
      }),
    () => z.object({ tasks: z.array(task) }),
  ),
  /** A new task with the first `after` steps of this one. */
  'tasks.fork': row(
    () => taskRef.extend({ after: z.number().int().min(0) }),
    () => taskSummarySchema,
  ),
  /** Changes in the worktree of a task since it began, committed or not. */
  'tasks.diff': row(
    () => taskRef,
    () => taskDiffSchema,
  ),
  /**
   * Merges the worktree of an ended task into the branch of the workspace and removes it. `tree` is the one that was
   * shown. `conflict` without a change if the worktree or the workspace does not allow it.
   */
  'tasks.merge': row(
    () => taskRef.extend({ tree: z.string().min(1).max(100) }),
    () => z.object({ task: taskSummarySchema, how: z.enum(['fast-forward', 'merge', 'nothing']) }),
  ),
  /** Deletes the worktree of an ended task and its branch. */
  'tasks.discard': row(
    () => taskRef,
    () => taskSummarySchema,
  ),
  'tasks.settle': row(
    () => taskRef.extend({ step: z.number().int().positive(), happened: z.enum(['yes', 'no']) }),
    () => taskSummarySchema,
  ),
  'tasks.workers': row(
    () => none,
    () => taskWorkersSchema,
  ),
  /** Limits of concurrent tasks, in total and for one agent; `null` restores the default of this computer. */
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
   * Imports the `tasks.json` of a Personal Agent. An invalid file imports nothing; a second import of the
   * same file adds nothing.
   */
  'tasks.import': row(
    () => z.strictObject({ path: z.string().min(1).max(4096) }),
    () => z.object({ added: z.array(task), known: z.number().int(), notes: z.array(hostTextSchema) }),
    ['owner-cli'],
  ),
  /** Data for charts. Local days without gaps, oldest first. */
  'tasks.stats': row(
    () => z.strictObject({ days: z.number().int().min(1).max(366).default(30) }),
    () =>
      z.object({
        days: z.array(
          z.object({
            day: z.string(),
            added: z.number().int(),
            done: z.number().int(),
            /** Without cancelled tasks. */
            error: z.number().int(),
          }),
        ),
        /**
         * Waiting times of answered questions in ms, newest first, at most 500; of tasks, chats and
         * workflows.
         */
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

/** Topic `tasks`: all unfinished tasks and the latest hundred finished ones, by id; counts and workers. */
export interface TasksView {
  readonly tasks: Readonly<Record<string, TaskSummary>>;
  readonly counts: TaskCounts;
  /** Number of cancelled tasks in `counts.error`. */
  readonly cancelled: number;
  readonly workers: TaskWorkers;
}

/** Topic `task:<number>`: one task and its latest 500 steps, by number. */
export interface TaskView {
  readonly task: TaskSummary | null;
  readonly steps: Readonly<Record<string, TaskStepView>>;
}
