import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { AgentTasks } from '../../core/tasks/agent-tasks-port.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskAgents } from './task-agents.ts';
import type { TaskService } from './task-service.ts';

/** Limit on open tasks that an agent requested itself. */
const mostWaiting = 50;
/**
 * Includes finished tasks: otherwise tasks that each request the next would never end, and cost money (T27).
 */
const mostInAnHour = 60;
const hourMs = 3_600_000;
const latestSteps = 20;
const lookedThrough = 2_000;

const tooMany = fail(
  'rate_limited',
  'tasks.tooManyTasksWaiting',
  { mostWaiting },
  { help: 'tasks.finishSomeFirst' },
);

const tooFast = fail(
  'rate_limited',
  'tasks.tooManyTasksPerHour',
  { mostInAnHour },
  { help: 'tasks.continueLater' },
);

const isFor = (self: string, { agent, runner }: Task): boolean => agent === self || runner === self;

export interface AgentTasksDeps {
  readonly agents: Pick<TaskAgents, 'find' | 'name'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly tasks: {
    /** Creates the store if it is missing. */
    service(): Promise<Result<TaskService>>;
    /** `null` if no task ever existed. */
    known(): Promise<Result<TaskService | null>>;
  };
}

/** Access of one agent to tasks; reading creates no store. */
export function createAgentTasks({ agents, clock, tasks }: AgentTasksDeps, self: string): AgentTasks {
  return {
    self,
    whom(name) {
      const found = agents.find(name);
      return found.ok ? ok({ id: found.value, name: agents.name(found.value) }) : found;
    },
    async add({ goal, agentId, project, priority, dueAt, key, threadKey }) {
      const opened = await tasks.service();
      if (!opened.ok) return opened;
      const service = opened.value;
      const asked = (query: { readonly status?: 'pending' }): readonly Task[] =>
        service.store
          .list({ ...query, agent: agentId, limit: lookedThrough })
          .filter(({ origin }) => origin.via === 'mcp');
      if (asked({ status: 'pending' }).length >= mostWaiting) return err(tooMany);
      const since = clock.now() - hourMs;
      if (asked({}).filter(({ createdAt }) => createdAt > since).length >= mostInAnHour) return err(tooFast);
      const draft = {
        goal,
        agent: agentId,
        project,
        priority,
        dueAt,
        key: `agent:${self}:${key}`,
        origin: { via: 'mcp', threadKey } as const,
      };
      return ok(service.add(draft));
    },
    async list({ status, limit }) {
      const service = await tasks.known();
      if (!service.ok) return service;
      return ok(service.value?.store.list({ ...(status ? { status } : {}), agent: self, limit }) ?? []);
    },
    async show(id) {
      const service = await tasks.known();
      if (!service.ok) return service;
      const task = service.value?.store.task(id);
      if (!service.value || !task || !isFor(self, task)) {
        return err(fail('not_found', 'tasks.taskNotYours', { id }, { help: 'tasks.useTaskList' }));
      }
      return ok({
        task,
        steps: service.value.store.steps(id, Math.max(0, task.steps - latestSteps), latestSteps),
      });
    },
  };
}
