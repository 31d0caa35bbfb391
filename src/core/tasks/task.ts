/** What a task is: plain data that a store keeps as it is. Its steps are rows of their own, see `task-step.ts`. */
import { z } from 'zod';
import { noneSpent, type Spent } from '../models/usage.ts';

export const taskStatuses = ['pending', 'running', 'waiting', 'paused', 'done', 'error'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Who works on it. Heartbeats are counted, not dated, so that no clock can make a living owner look dead. */
export const leaseSchema = z.strictObject({
  /** Random, new with every start of a process: a process id may be used again. */
  owner: z.string(),
  pid: z.number().int(),
  bootId: z.string(),
  /** The worker within that process. */
  worker: z.number().int(),
  beat: z.number().int(),
});
export type Lease = z.infer<typeof leaseSchema>;

/** What stops it: a person's answer, or the end of what it began. */
const waitingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('approval'), approvalId: z.string() }),
  /** A step was interrupted that must not be repeated unasked, and nobody knows whether it happened. */
  z.strictObject({ kind: z.literal('unknown-step'), step: z.number().int() }),
  /** A run of a workflow that its open step has begun; `name` as people know it. */
  z.strictObject({ kind: z.literal('run'), run: z.string(), name: z.string() }),
]);

const failureSchema = z.strictObject({
  kind: z.enum(['failed', 'cancelled', 'budget', 'crashed']),
  /** A sentence for a person. */
  message: z.string(),
});
export type TaskFailure = z.infer<typeof failureSchema>;

/** Null: no limit. */
export const budgetSchema = z.strictObject({
  steps: z.number().int().positive().nullable(),
  tokens: z.number().int().positive().nullable(),
  usd: z.number().positive().nullable(),
});
export type TaskBudget = z.infer<typeof budgetSchema>;

/** Tasks of before count all their dollars as known ones. */
const usedSchema = z.strictObject({
  tokens: z.number(),
  usd: z.number(),
  simulatedUsd: z.number().default(0),
  unpriced: z.number().default(0),
}) satisfies z.ZodType<Spent>;

/** The conversation that gets its result. */
const originSchema = z.strictObject({
  via: z.enum(['cli', 'chat', 'ui', 'mcp', 'schedule', 'workflow', 'import']),
  threadKey: z.string().nullable(),
});
export type TaskOrigin = z.infer<typeof originSchema>;

export const taskBodySchema = z.strictObject({
  goal: z.string(),
  status: z.enum(taskStatuses),
  /** Null: any agent. */
  agent: z.string().nullable(),
  /** The agent that works on it or did last. */
  runner: z.string().nullable(),
  project: z.string().nullable(),
  /** Higher goes first. */
  priority: z.number().int(),
  /** ms since the epoch; null: at once. */
  dueAt: z.number().nullable(),
  parent: z.number().int().nullable(),
  /** Of a fork: the last step it has in common with its parent. */
  forkedAt: z.number().int().nullable(),
  /** A second task with the same key is the first one. */
  key: z.string().nullable(),
  origin: originSchema,
  budget: budgetSchema,
  used: usedSchema,
  memory: z.record(z.string(), z.unknown()),
  /** Memory before the first step, from which a fork counts again. */
  seed: z.record(z.string(), z.unknown()),
  /** Steps that were begun; they are numbered from 1. */
  steps: z.number().int(),
  /** Steps that have no end yet, by number. */
  open: z.array(z.number().int()),
  /** What the worker shall do after the step it is at. */
  asked: z.enum(['pause', 'cancel']).nullable(),
  waitingFor: waitingSchema.nullable(),
  lease: leaseSchema.nullable(),
  /** Counts claims: who holds an older one may write nothing more. */
  claim: z.number().int(),
  /** Claims in a row that ended with the death of their owner. */
  crashes: z.number().int(),
  result: z.string().nullable(),
  failure: failureSchema.nullable(),
  /** ms since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
});

export type TaskBody = Readonly<z.infer<typeof taskBodySchema>>;
/** `id` is the number people use, given by the store, counting up. */
export type Task = TaskBody & { readonly id: number };

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
}

/** Steps when nobody said how many. */
export const defaultSteps = 100;

export function newTask(draft: TaskDraft, at: number): TaskBody {
  const memory = { ...draft.memory };
  return {
    ...{ goal: draft.goal, status: 'pending', agent: draft.agent ?? null, runner: null },
    ...{ project: draft.project ?? null, priority: draft.priority ?? 0, dueAt: draft.dueAt ?? null },
    ...{ parent: draft.parent ?? null, forkedAt: null, key: draft.key ?? null },
    origin: draft.origin ?? { via: 'cli', threadKey: null },
    budget: { steps: defaultSteps, tokens: null, usd: null, ...draft.budget },
    used: noneSpent,
    ...{ memory, seed: memory, steps: 0, open: [], asked: null, waitingFor: null },
    ...{ lease: null, claim: 0, crashes: 0, result: null, failure: null, createdAt: at, updatedAt: at },
  };
}
