/** Ports of the task service: one store whose every change is one durable transaction. */
import type { Result } from '../../contract/result.ts';
import type { TaskState, TaskWorktree } from '../../contract/task-methods.ts';
import type { HeldTask } from './judge-leases.ts';
import type { Claim, TaskEvent } from './lifecycle.ts';
import type { Lane } from './queue.ts';
import type { ScheduleRow } from './schedule-row.ts';
import type { Lease, Task, TaskBody, TaskBudget } from './task.ts';
import type { StepChange, StepDraft, StepEnd, TaskStep } from './task-step.ts';

export interface TaskQuery {
  readonly status?: TaskState;
  readonly project?: string;
  /** Tasks assigned to this agent, and open ones that it started or finished. */
  readonly agent?: string;
  /** Only numbers below this one. */
  readonly before?: number;
  /** Only archived ones if true, none if false; absent: both. */
  readonly archived?: boolean;
  readonly limit: number;
}

export interface NewTask {
  readonly task: TaskBody;
  /** Steps of a fork or an import; all have ended. */
  readonly steps: readonly TaskStep[];
}

export interface AddedTask {
  readonly task: Task;
  /** False if a task with this key existed; it is returned. */
  readonly isNew: boolean;
}

export interface ClaimRequest {
  readonly lease: Lease;
  /** Wall clock in ms: tasks due by then may be claimed. */
  readonly now: number;
  /** Claims only this task, even before it is due. */
  readonly only?: number;
}

export interface TaskAmendment {
  readonly priority?: number;
  readonly budget?: Partial<TaskBudget>;
  readonly dueAt?: number | null;
  readonly project?: string | null;
}

export interface TaskTimes {
  readonly status: TaskState;
  /** Ended with an error because a person cancelled it. */
  readonly cancelled: boolean;
  readonly createdAt: number;
  /** `null` if it has not ended. */
  readonly endedAt: number | null;
}

/**
 * Disk failures throw `StoreError`; an event that the state does not allow is a `conflict` and changes
 * nothing.
 */
export interface TaskStore {
  add(task: NewTask): AddedTask;
  /** All or none, in this order. */
  addAll(tasks: readonly NewTask[]): readonly AddedTask[];
  task(id: number): Task | null;
  /** Finds a task by idempotency key. */
  keyed(key: string): Task | null;
  /** Newest first. */
  list(query: TaskQuery): readonly Task[];
  /** Without archived ones. */
  counts(): Readonly<Record<TaskState, number>>;
  /** Number of failed tasks that a person cancelled, without archived ones. */
  cancelled(): number;
  /**
   * Creation and end times of tasks with either time since `since` (ms since the epoch), and numbers from
   * `from` up to, not including, `to`.
   */
  times(since: number, among: { readonly from: number; readonly to: number }): readonly TaskTimes[];
  /** In order, after this number. */
  steps(id: number, after: number, limit: number): readonly TaskStep[];
  /** `null` if nothing is ready, or every possible agent is busy. Two callers never get the same task. */
  claim(request: ClaimRequest): Task | null;
  /** Next due time of a task that is not ready yet, ms. */
  nextDue(): number | null;
  change(id: number, event: TaskEvent, at: number): Result<Task>;
  /** All of them or none; `conflict` for a task that has not ended. */
  archive(ids: readonly number[], archived: boolean, at: number): Result<readonly Task[]>;
  /** At most 5,000 finished tasks outside the archive that ended before this time in ms. */
  endedBefore(before: number): readonly number[];
  amend(id: number, amendment: TaskAmendment, at: number): Result<Task>;
  setWorktree(id: number, worktree: TaskWorktree, at: number): Result<Task>;
  /** Tasks whose worktree a crash kept from being removed. */
  removingWorktrees(): readonly Task[];
  /** A known call does not start again: use a step that has ended as it is, see `resumeStep`. */
  startStep(id: number, claim: Claim, draft: StepDraft, at: number): Result<StepChange>;
  endStep(id: number, claim: Claim, step: number, end: StepEnd, at: number): Result<StepChange>;
  /** Records a person's statement whether an interrupted step happened. */
  settleUnknown(id: number, step: number, happened: 'yes' | 'no', at: number): Result<StepChange>;
  fork(id: number, after: number, at: number): Result<Task>;
  /** False if the claim is over: the worker must stop. */
  beat(id: number, claim: Claim): boolean;
  /** Running tasks with their newest heartbeats. */
  held(): readonly HeldTask[];
  lanes(): readonly Lane[];
  /**
   * Releases the tasks of a removed agent that were not assigned to it by name, so that any agent may take
   * them. Returns their numbers.
   */
  letGo(agent: string): readonly number[];
  /** Most tasks of an agent at once; 0 prevents further starts. */
  setConcurrency(agent: string, concurrency: number): void;
  /** The same for many agents, in one transaction. */
  setConcurrencies(of: ReadonlyMap<string, number>): void;
  readonly schedules: ScheduleStore;
  /** Closes the file; the next call opens it again. */
  release(): void;
}

export interface ScheduleStore {
  all(): readonly ScheduleRow[];
  row(id: string): ScheduleRow | null;
  /**
   * Due schedules, earliest first. After a start, and after the clock was set back, check all schedules
   * instead.
   */
  due(now: number): readonly ScheduleRow[];
  /** Earliest next due time, ms. */
  next(): number | null;
  /** Stores the row and its due task, if any, in one transaction: a crash leaves both or neither. */
  keep(row: ScheduleRow, task: TaskBody | null): AddedTask | null;
  remove(id: string): boolean;
}
