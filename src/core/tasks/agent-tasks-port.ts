/** Tasks of one agent, for its own tools: an agent sees only the tasks assigned to it. */
import type { Result } from '../../contract/result.ts';
import type { Task } from './task.ts';
import type { TaskStep } from './task-step.ts';

export interface AgentTaskWish {
  readonly goal: string;
  /** Assignee, as `whom` returned it. */
  readonly agentId: string;
  readonly project: string | null;
  readonly priority: number;
  /** ms since the epoch; `null` for at once. */
  readonly dueAt: number | null;
  /** Idempotency key within this agent: a second wish with the same key returns the first task. */
  readonly key: string;
  /** Conversation that receives the result; `null` if none. */
  readonly threadKey: string | null;
}

export interface AgentTasks {
  readonly self: string;
  /** Finds an agent by id, handle or name. */
  whom(name: string): Result<{ readonly id: string; readonly name: string }>;
  /** `rate_limited` if too many of the agent's own tasks wait. */
  add(wish: AgentTaskWish): Promise<Result<{ readonly task: Task; readonly isNew: boolean }>>;
  /** Newest first. */
  list(query: { readonly status?: Task['status']; readonly limit: number }): Promise<Result<readonly Task[]>>;
  /** With its latest steps, oldest first; `not_found` also if the task belongs to another agent. */
  show(task: number): Promise<Result<{ readonly task: Task; readonly steps: readonly TaskStep[] }>>;
}
