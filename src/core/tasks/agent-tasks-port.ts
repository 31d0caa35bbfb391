/** The tasks of one agent, as its own tools may use them: it sees those that are for it, and no others. */
import type { Result } from '../../contract/result.ts';
import type { Task } from './task.ts';
import type { TaskStep } from './task-step.ts';

export interface AgentTaskWish {
  readonly goal: string;
  /** The one who is to do it, as `whom` told it. */
  readonly agentId: string;
  readonly project: string | null;
  readonly priority: number;
  /** ms since the epoch; null: at once. */
  readonly dueAt: number | null;
  /** Of this agent: a second wish with the same key is the first one. */
  readonly key: string;
  /** The conversation that gets the result; null: none. */
  readonly threadKey: string | null;
}

export interface AgentTasks {
  readonly self: string;
  /** By id, handle or name. */
  whom(name: string): Result<{ readonly id: string; readonly name: string }>;
  /** `rate_limited` when too many of its own wishes wait. */
  add(wish: AgentTaskWish): Promise<Result<{ readonly task: Task; readonly isNew: boolean }>>;
  /** Newest first. */
  list(query: { readonly status?: Task['status']; readonly limit: number }): Promise<Result<readonly Task[]>>;
  /** With its latest steps, oldest first; `not_found` also where it is for another agent. */
  show(task: number): Promise<Result<{ readonly task: Task; readonly steps: readonly TaskStep[] }>>;
}
