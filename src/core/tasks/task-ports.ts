/** What the outside must supply for tasks: one store, whose every change is one durable transaction. */
import type { Result } from '../../contract/result.ts';
import type { HeldTask } from './leases.ts';
import type { Claim, TaskEvent } from './lifecycle.ts';
import type { Lane } from './queue.ts';
import type { ScheduleRow } from './schedule-row.ts';
import type { Lease, Task, TaskBody, TaskBudget, TaskStatus } from './task.ts';
import type { StepChange, StepDraft, StepEnd, TaskStep } from './task-step.ts';

export interface TaskQuery {
  readonly status?: TaskStatus;
  readonly project?: string;
  /** Those given to this agent, and those it has begun or done that any agent might have taken. */
  readonly agent?: string;
  /** Only numbers below this one. */
  readonly before?: number;
  readonly limit: number;
}

export interface NewTask {
  readonly task: TaskBody;
  /** Of a fork or an import: they have all ended. */
  readonly steps: readonly TaskStep[];
}

export interface AddedTask {
  readonly task: Task;
  /** False: a task with this key was there before, and is what you get. */
  readonly isNew: boolean;
}

export interface ClaimRequest {
  readonly lease: Lease;
  /** Wall clock, ms: what is due by then may be taken. */
  readonly now: number;
  /** This one and no other, also before it is due. */
  readonly only?: number;
}

export interface TaskAmendment {
  readonly priority?: number;
  readonly budget?: Partial<TaskBudget>;
  readonly dueAt?: number | null;
  readonly project?: string | null;
}

export interface TaskTimes {
  readonly status: TaskStatus;
  /** It ended with an error because a person cancelled it. */
  readonly cancelled: boolean;
  readonly createdAt: number;
  /** Null: it has not ended. */
  readonly endedAt: number | null;
}

/** Failures of the disk throw `StoreError`; what the state of a task does not allow is a `conflict`, and changes nothing. */
export interface TaskStore {
  add(task: NewTask): AddedTask;
  /** All or none, in this order. */
  addAll(tasks: readonly NewTask[]): readonly AddedTask[];
  task(id: number): Task | null;
  /** The one that was added under this key. */
  keyed(key: string): Task | null;
  /** Newest first. */
  list(query: TaskQuery): readonly Task[];
  counts(): Readonly<Record<TaskStatus, number>>;
  /** How many of those with an error a person cancelled. */
  cancelled(): number;
  /**
   * When tasks were made and came to their end, of those for which either was since then (ms since the epoch) and whose
   * numbers are from `from` up to and without `to`.
   */
  times(since: number, among: { readonly from: number; readonly to: number }): readonly TaskTimes[];
  /** In order, after this number. */
  steps(id: number, after: number, limit: number): readonly TaskStep[];
  /** Null: nothing is ready, or everybody who might take it is busy. Two callers never get the same task. */
  claim(request: ClaimRequest): Task | null;
  /** When the next task falls due that is not ready yet, ms. */
  nextDue(): number | null;
  change(id: number, event: TaskEvent, at: number): Result<Task>;
  amend(id: number, amendment: TaskAmendment, at: number): Result<Task>;
  /** A call that is known is not begun again: a step with an end in it is to be used as it is, see `resumeStep`. */
  startStep(id: number, claim: Claim, draft: StepDraft, at: number): Result<StepChange>;
  endStep(id: number, claim: Claim, step: number, end: StepEnd, at: number): Result<StepChange>;
  /** A person says whether an interrupted step happened. */
  settleUnknown(id: number, step: number, happened: 'yes' | 'no', at: number): Result<StepChange>;
  fork(id: number, after: number, at: number): Result<Task>;
  /** False: the claim is over; the worker must stop. */
  beat(id: number, claim: Claim): boolean;
  /** What is worked on, with the newest beats. */
  held(): readonly HeldTask[];
  lanes(): readonly Lane[];
  /** This agent is gone: what it has begun without having been named for it may be taken by any. Gives their numbers. */
  letGo(agent: string): readonly number[];
  /** How many tasks an agent works on at once; 0 keeps it from starting any. */
  setConcurrency(agent: string, concurrency: number): void;
  /** The same for many agents, in one transaction. */
  setConcurrencies(of: ReadonlyMap<string, number>): void;
  readonly schedules: ScheduleStore;
  /** Frees the file; the next call opens it again. */
  release(): void;
}

export interface ScheduleStore {
  all(): readonly ScheduleRow[];
  row(id: string): ScheduleRow | null;
  /** Those whose time has come, earliest first. At a start and after a clock was set back, look at all of them instead. */
  due(now: number): readonly ScheduleRow[];
  /** The earliest next due time, ms. */
  next(): number | null;
  /** The row together with the task that its due time makes, if any: a crash leaves both or neither. */
  keep(row: ScheduleRow, task: TaskBody | null): AddedTask | null;
  remove(id: string): boolean;
}
