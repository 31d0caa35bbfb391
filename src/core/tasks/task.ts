/** Data of a task, stored as it is. Its steps are separate rows, see `task-step.ts`. */
import { z } from 'zod';
import {
  taskBudgetSchema,
  taskFailureSchema,
  taskStatusSchema,
  taskViaSchema,
  taskWaitingForSchema,
  taskWorktreeSchema,
} from '../../contract/task-methods.ts';
import { noneSpent, type Spent } from '../models/usage.ts';

/**
 * Owner of a running task. Heartbeats are counters, not dates, so no clock change makes a living owner look
 * dead.
 */
export const leaseSchema = z.strictObject({
  /** Random per process start, because process ids are reused. */
  owner: z.string(),
  pid: z.number().int(),
  bootId: z.string(),
  /** Number of the worker within the process. */
  worker: z.number().int(),
  beat: z.number().int(),
});
export type Lease = z.infer<typeof leaseSchema>;

export type TaskFailure = z.infer<typeof taskFailureSchema>;

export type TaskBudget = z.infer<typeof taskBudgetSchema>;

/** Older tasks count all their dollars as known ones. */
const usedSchema = z.strictObject({
  tokens: z.number(),
  usd: z.number(),
  simulatedUsd: z.number().default(0),
  unpriced: z.number().default(0),
}) satisfies z.ZodType<Spent>;

/** Source of the task, and the conversation that receives its result. */
const originSchema = z.strictObject({
  via: taskViaSchema,
  threadKey: z.string().nullable(),
});
export type TaskOrigin = z.infer<typeof originSchema>;

export const taskBodySchema = z.strictObject({
  goal: z.string(),
  status: taskStatusSchema,
  /** `null` for any agent. */
  agent: z.string().nullable(),
  /** Agent that works or last worked on it. */
  runner: z.string().nullable(),
  project: z.string().nullable(),
  /** Higher goes first. */
  priority: z.number().int(),
  /** ms since the epoch; `null` for at once. */
  dueAt: z.number().nullable(),
  parent: z.number().int().nullable(),
  /** Last step that a fork shares with its parent. */
  forkedAt: z.number().int().nullable(),
  /** Idempotency key: a second task with the same key returns the first. */
  key: z.string().nullable(),
  origin: originSchema,
  budget: taskBudgetSchema,
  used: usedSchema,
  memory: z.record(z.string(), z.unknown()),
  /** Memory before the first step; a fork starts from it. */
  seed: z.record(z.string(), z.unknown()),
  /** Number of started steps, numbered from 1. */
  steps: z.number().int(),
  /** Numbers of open steps. */
  open: z.array(z.number().int()),
  /** Request to the worker, carried out after the current step. */
  asked: z.enum(['pause', 'cancel']).nullable(),
  waitingFor: taskWaitingForSchema.nullable(),
  lease: leaseSchema.nullable(),
  /** Fence token: a worker with an older claim can no longer write. */
  claim: z.number().int(),
  /** Consecutive claims that ended with the death of their owner. */
  crashes: z.number().int(),
  result: z.string().nullable(),
  failure: taskFailureSchema.nullable(),
  /** ms since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** `null` outside the archive. */
  archivedAt: z.number().nullable().default(null),
  /** `null` if the setting of its agent decides when it starts. */
  worktree: taskWorktreeSchema.nullable().default(null),
});

export type TaskBody = Readonly<z.infer<typeof taskBodySchema>>;
/** `id`: number shown to people, assigned by the store in increasing order. */
export type Task = TaskBody & { readonly id: number };

export const hasTaskEnded = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'done' || status === 'error';

export interface TaskDraft {
  readonly goal: string;
  readonly agent?: string | null;
  readonly project?: string | null;
  readonly priority?: number;
  readonly dueAt?: number | null;
  readonly parent?: number | null;
  readonly key?: string | null;
  readonly origin?: TaskOrigin;
  readonly budget?: Partial<TaskBudget>;
  readonly memory?: Readonly<Record<string, unknown>>;
  /** Absent or `null`: as its agent is set. */
  readonly worktree?: boolean | null;
}

const noWorktree = { branch: '', path: '', repository: '', base: '', outcome: null } as const;

export const defaultSteps = 100;

export function newTask(draft: TaskDraft, at: number): TaskBody {
  const memory = { ...draft.memory };
  return {
    goal: draft.goal,
    status: 'pending',
    agent: draft.agent ?? null,
    runner: null,
    project: draft.project ?? null,
    priority: draft.priority ?? 0,
    dueAt: draft.dueAt ?? null,
    parent: draft.parent ?? null,
    forkedAt: null,
    key: draft.key ?? null,
    origin: draft.origin ?? { via: 'cli', threadKey: null },
    budget: { steps: defaultSteps, tokens: null, usd: null, ...draft.budget },
    used: noneSpent,
    memory,
    seed: memory,
    steps: 0,
    open: [],
    asked: null,
    waitingFor: null,
    lease: null,
    claim: 0,
    crashes: 0,
    result: null,
    failure: null,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
    worktree: draft.worktree == null ? null : { ...noWorktree, state: draft.worktree ? 'wanted' : 'off' },
  };
}
