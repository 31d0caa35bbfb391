import type { TaskLane, TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { anyAgent, type Lane, pressureOf } from '../../core/tasks/queue.ts';
import type { TaskStatus } from '../../core/tasks/task.ts';
import type { HostContext } from '../context.ts';
import type { TaskSource } from './task-feed.ts';
import type { TaskService } from './task-service.ts';
import { agentName, stepView, summaryOf } from './task-view.ts';

/** Tasks shown per status; `tasks.list` returns the rest. */
const shownOf = {
  pending: 1_000,
  running: 1_000,
  waiting: 1_000,
  paused: 1_000,
  done: 100,
  error: 100,
} as const;
const stepsShown = 500;

/** The agent's state; `starting` before it may take tasks, `gone` if it does not exist. */
function lifeOf({ agents, fleet }: HostContext, id: string, places: number): TaskLane['life'] {
  const agent = agents.get(id);
  if (agent === null) return 'gone';
  const { life } = fleet.live(agent);
  return life === 'running' && places === 0 ? 'starting' : life;
}

function lanesView(context: HostContext, lanes: readonly Lane[]): readonly TaskLane[] {
  return lanes
    .filter(({ agent, ready, running }) => agent !== anyAgent && ready + running > 0)
    .map(({ agent, concurrency, ready, running }) => ({
      agentId: agent,
      agentName: agentName(context, agent),
      life: lifeOf(context, agent, concurrency),
      running,
      places: concurrency,
      ready,
    }));
}

export function workersView(context: HostContext, room: TaskService): TaskWorkers {
  const many = room.workers();
  const busy = room.busy();
  const lanes = room.store.lanes();
  const { running, ready, forWorker, forAgent, freeAgents } = pressureOf(lanes, many);
  // After a reduction the surplus workers finish their tasks first.
  const seats = Math.max(many, ...busy.map(({ worker }) => worker + 1));
  const workers = Array.from({ length: seats }, (_, worker) => {
    const at = busy.find((one) => one.worker === worker);
    return { worker, task: at?.task ?? null, runnerName: agentName(context, at?.runner ?? null) };
  });
  const told = { running, ready, forWorker, forAgent, freeAgents };
  return { workers, ...told, lanes: [...lanesView(context, lanes)] };
}

export function createTaskSource(context: HostContext, room: TaskService): TaskSource {
  const { store } = room;
  const summary: TaskSource['summary'] = (id) => {
    const task = despiteStore(() => store.task(id), null);
    return task && summaryOf(context, task);
  };
  const totals = () => ({
    counts: store.counts(),
    cancelled: store.cancelled(),
    workers: workersView(context, room),
  });
  return {
    summary,
    totals,
    overview() {
      const tasks = (Object.keys(shownOf) as TaskStatus[]).flatMap((status) =>
        store.list({ status, limit: shownOf[status] }),
      );
      const ended = tasks
        .filter(({ status }) => status === 'done' || status === 'error')
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .slice(100);
      const old = new Set(ended.map(({ id }) => id));
      const views = tasks.filter(({ id }) => !old.has(id)).map((task) => summaryOf(context, task));
      return { tasks: byNumber(views), ...totals() };
    },
    whole(id) {
      const task = summary(id);
      const after = Math.max(0, (task?.steps ?? 0) - stepsShown);
      const steps = task ? store.steps(id, after, stepsShown) : [];
      return { task, steps: Object.fromEntries(steps.map((step) => [step.number, stepView(step)])) };
    },
  };
}

const byNumber = (tasks: readonly TaskSummary[]): Readonly<Record<string, TaskSummary>> =>
  Object.fromEntries(tasks.map((task) => [task.id, task]));
