import type { TaskLane, TaskState, TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { anyAgent, type Lane, pressureOf } from '../../core/tasks/queue.ts';
import type { TaskAgents } from './task-agents.ts';
import type { TaskSource } from './task-feed.ts';
import type { TaskService } from './task-service.ts';
import { stepView, summaryOf, type TaskViewDeps } from './task-view.ts';

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

/** `starting` until it may take tasks. */
function lifeOf(agents: TaskAgents, id: string, places: number): TaskLane['life'] {
  const life = agents.life(id);
  return life === 'running' && places === 0 ? 'starting' : life;
}

function lanesView(agents: TaskAgents, lanes: readonly Lane[]): readonly TaskLane[] {
  return lanes
    .filter(({ agent, ready, running }) => agent !== anyAgent && ready + running > 0)
    .map(({ agent, concurrency, ready, running }) => ({
      agentId: agent,
      agentName: agents.name(agent),
      life: lifeOf(agents, agent, concurrency),
      running,
      places: concurrency,
      ready,
    }));
}

export function workersView(agents: TaskAgents, service: TaskService): TaskWorkers {
  const many = service.workers();
  const busy = service.busy();
  const lanes = service.store.lanes();
  const { running, ready, forWorker, forAgent, freeAgents } = pressureOf(lanes, many);
  // After a reduction the surplus workers finish their tasks first.
  const seats = Math.max(many, ...busy.map(({ worker }) => worker + 1));
  const workers = Array.from({ length: seats }, (_, worker) => {
    const at = busy.find((one) => one.worker === worker);
    return { worker, task: at?.task ?? null, runnerName: agents.name(at?.runner ?? null) };
  });
  const told = { running, ready, forWorker, forAgent, freeAgents };
  return { workers, ...told, lanes: [...lanesView(agents, lanes)] };
}

export interface TaskSourceDeps extends TaskViewDeps {
  readonly agents: TaskAgents;
}

export function createTaskSource(deps: TaskSourceDeps, service: TaskService): TaskSource {
  const { store } = service;
  const summary: TaskSource['summary'] = (id) => {
    const task = despiteStore(() => store.task(id), null);
    return task && summaryOf(deps, task);
  };
  const totals = () => ({
    counts: store.counts(),
    cancelled: store.cancelled(),
    workers: workersView(deps.agents, service),
  });
  return {
    summary,
    totals,
    overview() {
      const tasks = (Object.keys(shownOf) as TaskState[]).flatMap((status) =>
        store.list({ status, archived: false, limit: shownOf[status] }),
      );
      const ended = tasks
        .filter(({ status }) => status === 'done' || status === 'error')
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .slice(100);
      const old = new Set(ended.map(({ id }) => id));
      const views = tasks.filter(({ id }) => !old.has(id)).map((task) => summaryOf(deps, task));
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
