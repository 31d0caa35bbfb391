import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { idleWorkers, noTasks } from './no-task-yet.ts';
import { createTaskChanges } from './task-changes.ts';
import type { TaskService } from './task-service.ts';

type Reading = Pick<
  Handlers,
  'tasks.list' | 'tasks.get' | 'tasks.steps' | 'tasks.step' | 'tasks.workers' | 'tasks.stats'
>;
export type TaskHandlers = Reading & ReturnType<typeof createTaskChanges>;

const noTask = (id: number) =>
  err(appError('not_found', `There is no task ${id}.`, { hint: 'List them with "kennel task list".' }));

const views = () => import('./task-view.ts');

function createReading(context: HostContext): Reading {
  const known = () => context.tasks.known();
  const withRoom = async <T>(id: number, work: (room: TaskService) => Result<T> | Promise<Result<T>>) => {
    const room = await known();
    if (!room.ok) return room;
    return room.value?.store.task(id) ? work(room.value) : noTask(id);
  };
  return {
    'tasks.list': async (query) => {
      const room = await known();
      if (!room.ok) return room;
      if (!room.value) return ok({ tasks: [], counts: noTasks.counts, cancelled: 0, hasMore: false });
      const { searchTasks } = await import('./search-tasks.ts');
      const { tasks, hasMore } = await searchTasks(context, room.value.store, query);
      const { summaryOf } = await views();
      const found: TaskSummary[] = tasks.map((task) => summaryOf(context, task));
      const { store } = room.value;
      return ok({ tasks: found, counts: store.counts(), cancelled: store.cancelled(), hasMore });
    },
    'tasks.get': ({ task: id }) =>
      withRoom(id, async ({ store }) => {
        const { stepView, summaryOf } = await views();
        const task = store.task(id);
        if (!task) return noTask(id);
        const steps = store.steps(id, 0, 200).map(stepView);
        const memoryJson = JSON.stringify(task.memory);
        return ok({ task: summaryOf(context, task), result: task.result, memoryJson, steps });
      }),
    'tasks.steps': ({ task, after, limit }) =>
      withRoom(task, async ({ store }) => {
        const { stepView } = await views();
        const found = store.steps(task, after, limit + 1);
        return ok({ steps: found.slice(0, limit).map(stepView), hasMore: found.length > limit });
      }),
    'tasks.step': ({ task, step }) =>
      withRoom(task, async ({ store }) => {
        const { wholeStep } = await views();
        const [found] = store.steps(task, step - 1, 1);
        if (found?.number !== step) return err(appError('not_found', `Task ${task} has no step ${step}.`));
        return ok(wholeStep(found));
      }),
    'tasks.workers': async () => {
      const room = await known();
      if (!room.ok) return room;
      if (room.value) return ok((await import('./task-source.ts')).workersView(context, room.value));
      return ok(idleWorkers(context));
    },
    'tasks.stats': async ({ days }) => {
      const room = await known();
      if (!room.ok) return room;
      const { taskStats } = await import('./task-stats.ts');
      return ok(await taskStats(context, room.value?.store ?? null, days));
    },
  };
}

export const createTaskHandlers = (context: HostContext): TaskHandlers => ({
  ...createReading(context),
  ...createTaskChanges(context),
});
