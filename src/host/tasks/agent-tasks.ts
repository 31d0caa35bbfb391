import { appError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { AgentTasks } from '../../core/tasks/agent-tasks-port.ts';
import { newTask, type Task } from '../../core/tasks/task.ts';
import type { HostContext } from '../context.ts';
import { agentIdOf } from './task-input.ts';
import { agentName } from './task-view.ts';

/** Limit on open tasks that an agent requested itself. */
const mostWaiting = 50;
/**
 * Includes finished tasks: otherwise tasks that each request the next would never end, and cost money (T27).
 */
const mostInAnHour = 60;
const hourMs = 3_600_000;
const latestSteps = 20;
const lookedThrough = 2_000;

const tooMany = appError(
  'rate_limited',
  `${mostWaiting} tasks that agents asked for wait for this agent already.`,
  {
    hint: 'Do some of them first.',
  },
);

const tooFast = appError(
  'rate_limited',
  `Agents asked for ${mostInAnHour} tasks for this agent within an hour.`,
  {
    hint: 'Go on later, or let your operator add it.',
  },
);

const isFor = (self: string, { agent, runner }: Task): boolean => agent === self || runner === self;

/** Access of one agent to tasks; reading creates no store. */
export function agentTasks(
  context: Pick<HostContext, 'agents' | 'fleet' | 'operator' | 'ports' | 'tasks' | 'settings'>,
  self: string,
): AgentTasks {
  const known = () => context.tasks.known();
  return {
    self,
    whom(name) {
      const found = agentIdOf(context, name);
      return found.ok ? ok({ id: found.value, name: agentName(context, found.value) }) : found;
    },
    async add({ goal, agentId, project, priority, dueAt, key, threadKey }) {
      const opened = await context.tasks.room();
      if (!opened.ok) return opened;
      const room = opened.value;
      const asked = (query: { readonly status?: 'pending' }): readonly Task[] =>
        room.store
          .list({ ...query, agent: agentId, limit: lookedThrough })
          .filter(({ origin }) => origin.via === 'mcp');
      if (asked({ status: 'pending' }).length >= mostWaiting) return err(tooMany);
      const since = context.ports.clock.now() - hourMs;
      if (asked({}).filter(({ createdAt }) => createdAt > since).length >= mostInAnHour) return err(tooFast);
      const { defaultSteps } = await import('./task-service.ts');
      const draft = {
        goal,
        agent: agentId,
        project,
        priority,
        dueAt,
        key: `agent:${self}:${key}`,
        origin: { via: 'mcp', threadKey } as const,
        budget: { steps: defaultSteps(context) },
      };
      const added = room.store.add({ task: newTask(draft, context.ports.clock.now()), steps: [] });
      room.changed(added.task.id);
      room.wake();
      return ok(added);
    },
    async list({ status, limit }) {
      const room = await known();
      if (!room.ok) return room;
      return ok(room.value?.store.list({ ...(status ? { status } : {}), agent: self, limit }) ?? []);
    },
    async show(id) {
      const room = await known();
      if (!room.ok) return room;
      const task = room.value?.store.task(id);
      if (!room.value || !task || !isFor(self, task)) {
        return err(appError('not_found', `You have no task ${id}.`, { hint: 'task_list shows yours.' }));
      }
      return ok({
        task,
        steps: room.value.store.steps(id, Math.max(0, task.steps - latestSteps), latestSteps),
      });
    },
  };
}
