import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import type { PastApprovals } from '../approvals/past-approvals.ts';
import type { Handlers } from '../dispatch.ts';
import { idleWorkers } from './empty-source.ts';
import { createTaskChanges, noTask, type TaskChangesDeps } from './task-changes.ts';
import { noTasks } from './task-feed.ts';
import type { TaskService } from './task-service.ts';

type Reading = Pick<
  Handlers,
  'tasks.list' | 'tasks.get' | 'tasks.steps' | 'tasks.step' | 'tasks.workers' | 'tasks.stats'
>;
export type TaskHandlers = Reading & ReturnType<typeof createTaskChanges>;

export interface TaskHandlersDeps extends TaskChangesDeps {
  readonly approvals: PastApprovals;
}

const views = () => import('./task-view.ts');

function createReading(deps: TaskHandlersDeps): Reading {
  const { agents, settings, tasks: all } = deps;
  const known = () => all.known();
  const withService = async <T>(
    id: number,
    work: (service: TaskService) => Result<T> | Promise<Result<T>>,
  ) => {
    const service = await known();
    if (!service.ok) return service;
    return service.value?.store.task(id) ? work(service.value) : noTask(id);
  };
  return {
    'tasks.list': async (query) => {
      const service = await known();
      if (!service.ok) return service;
      if (!service.value) return ok({ tasks: [], counts: noTasks.counts, cancelled: 0, hasMore: false });
      const { searchTasks } = await import('./search-tasks.ts');
      const { tasks, hasMore } = await searchTasks(agents, service.value.store, query);
      const { summaryOf } = await views();
      const found: TaskSummary[] = tasks.map((task) => summaryOf(deps, task));
      const { store } = service.value;
      return ok({ tasks: found, counts: store.counts(), cancelled: store.cancelled(), hasMore });
    },
    'tasks.get': ({ task: id }) =>
      withService(id, async ({ store }) => {
        const { stepView, summaryOf } = await views();
        const task = store.task(id);
        if (!task) return noTask(id);
        const steps = store.steps(id, 0, 200).map(stepView);
        const memoryJson = JSON.stringify(task.memory);
        return ok({ task: summaryOf(deps, task), result: task.result, memoryJson, steps });
      }),
    'tasks.steps': ({ task, after, limit }) =>
      withService(task, async ({ store }) => {
        const { stepView } = await views();
        const found = store.steps(task, after, limit + 1);
        return ok({ steps: found.slice(0, limit).map(stepView), hasMore: found.length > limit });
      }),
    'tasks.step': ({ task, step }) =>
      withService(task, async ({ store }) => {
        const { wholeStep } = await views();
        const [found] = store.steps(task, step - 1, 1);
        if (found?.number !== step) return err(fail('not_found', 'tasks.unknownStep', { id: task, step }));
        return ok(wholeStep(found));
      }),
    'tasks.workers': async () => {
      const service = await known();
      if (!service.ok) return service;
      if (service.value) return ok((await import('./task-source.ts')).workersView(agents, service.value));
      return ok(idleWorkers(settings));
    },
    'tasks.stats': async ({ days }) => {
      const service = await known();
      if (!service.ok) return service;
      const { taskStats } = await import('./task-stats.ts');
      return ok(await taskStats(deps, service.value?.store ?? null, days));
    },
  };
}

export const createTaskHandlers = (deps: TaskHandlersDeps): TaskHandlers => ({
  ...createReading(deps),
  ...createTaskChanges(deps),
});
