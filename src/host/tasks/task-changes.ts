import { appError } from '../../contract/errors.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TaskEvent } from '../../core/tasks/lifecycle.ts';
import type { Task, TaskDraft } from '../../core/tasks/task.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { agentIdOf, originOf } from './task-input.ts';
import type { TaskService } from './task-service.ts';

type Changing = Pick<
  Handlers,
  | 'tasks.add'
  | 'tasks.amend'
  | 'tasks.run'
  | 'tasks.pause'
  | 'tasks.resume'
  | 'tasks.cancel'
  | 'tasks.retry'
  | 'tasks.fork'
  | 'tasks.settle'
  | 'tasks.setWorkers'
  | 'tasks.import'
>;

type Changed = Result<Task>;

/** Changes an existing task; does not create a store just to report a missing one. */
function onTask(context: HostContext) {
  return async (id: number, change: (room: TaskService, now: number) => Changed | Promise<Changed>) => {
    const room = await context.tasks.known();
    if (!room.ok) return room;
    if (!room.value?.store.task(id)) {
      return err(
        appError('not_found', `There is no task ${id}.`, { hint: 'List them with "kennel task list".' }),
      );
    }
    const changed = await change(room.value, context.ports.clock.now());
    if (!changed.ok) return changed;
    room.value.changed(changed.value.id);
    room.value.wake();
    const { summaryOf } = await import('./task-view.ts');
    return ok(summaryOf(context, room.value.store.task(changed.value.id) ?? changed.value));
  };
}

/** Only the given fields; the others keep their values. */
const givenBudget = (budget: MethodParsed<'tasks.amend'>['budget']): NonNullable<TaskDraft['budget']> =>
  Object.fromEntries(Object.entries(budget ?? {}).filter(([, value]) => value !== undefined));

async function addTask(
  context: HostContext,
  input: MethodParsed<'tasks.add'>,
  via: 'cli' | 'ui',
): Promise<Result<{ readonly task: Task; readonly isNew: boolean }>> {
  const agent = input.agent === undefined ? ok(null) : agentIdOf(context, input.agent);
  if (!agent.ok) return agent;
  const origin = originOf(context, via, agent.value, input);
  if (!origin.ok) return origin;
  const opened = await context.tasks.room();
  if (!opened.ok) return opened;
  const room = opened.value;
  const [{ defaultSteps }, { newTask }] = await Promise.all([
    import('./task-service.ts'),
    import('../../core/tasks/task.ts'),
  ]);
  const draft: TaskDraft = {
    goal: input.goal,
    agent: agent.value,
    project: input.project ?? null,
    origin: origin.value,
    priority: input.priority ?? 0,
    dueAt: input.dueAt ?? null,
    key: input.key ?? null,
    budget: { steps: defaultSteps(context), ...givenBudget(input.budget) },
  };
  const added = room.store.add({ task: newTask(draft, context.ports.clock.now()), steps: [] });
  room.changed(added.task.id);
  room.wake();
  return ok({ task: room.store.task(added.task.id) ?? added.task, isNew: added.isNew });
}

function createAdding(context: HostContext) {
  return {
    'tasks.add': async (input, { kind }) => {
      const added = await addTask(context, input, kind === 'owner-ui' ? 'ui' : 'cli');
      if (!added.ok) return added;
      const { summaryOf } = await import('./task-view.ts');
      return ok({ task: summaryOf(context, added.value.task), isNew: added.value.isNew });
    },
    'tasks.import': async ({ path }) => {
      const { addImported, readImport } = await import('./import-file.ts');
      const tasks = await readImport(path);
      if (!tasks.ok) return tasks;
      const opened = await context.tasks.room();
      if (!opened.ok) return opened;
      const room = opened.value;
      const imported = await addImported(room.store, tasks.value);
      context.tasks.feed.changed(null);
      room.wake();
      if (!imported.ok) return imported;
      const { added, known, pending } = imported.value;
      const notes = pending > 0 ? [`${pending} of them had not ended and are in the queue now.`] : [];
      return ok({ added: [...added], known, notes });
    },
  } satisfies Partial<Changing>;
}

export function createTaskChanges(context: HostContext): Changing {
  const change = onTask(context);
  const event = (id: number, type: Extract<TaskEvent['type'], 'pause' | 'resume' | 'retry'>) =>
    change(id, ({ store }, now) => store.change(id, { type }, now));
  return {
    ...createAdding(context),
    'tasks.amend': ({ task, budget, ...more }) =>
      change(task, ({ store }, now) => {
        const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
        return store.amend(task, { ...given, budget: givenBudget(budget) }, now);
      }),
    'tasks.run': async ({ task }) => {
      if (task !== undefined) {
        const run = await change(task, (room) => runNow(room, task));
        return run.ok ? ok({ task: run.value }) : run;
      }
      const room = await context.tasks.known();
      if (!room.ok) return room;
      room.value?.wake();
      return ok({ task: null });
    },
    'tasks.pause': ({ task }) => event(task, 'pause'),
    'tasks.resume': ({ task }) => event(task, 'resume'),
    'tasks.cancel': ({ task }) => change(task, (room) => room.cancel(task)),
    'tasks.retry': ({ task }) => event(task, 'retry'),
    'tasks.fork': ({ task, after }) => change(task, ({ store }, now) => store.fork(task, after, now)),
    'tasks.settle': ({ task, step, happened }) =>
      change(task, ({ store }, now) => {
        const settled = store.settleUnknown(task, step, happened, now);
        return settled.ok ? ok(settled.value.task) : settled;
      }),
    'tasks.setWorkers': ({ workers, agent }) => {
      const { settings } = context;
      const named = agent === undefined ? null : agentIdOf(context, agent.agent);
      if (named && !named.ok) return named;
      const saved: Result<void>[] = [];
      if (workers !== undefined) saved.push(settings.setWorkers(workers));
      if (named && agent) saved.push(settings.setTasksOf(named.value, agent.concurrency));
      context.tasks.settingsChanged();
      return saved.find((one) => !one.ok) ?? ok({});
    },
  };
}

function runNow(room: TaskService, id: number): Changed {
  const task = room.store.task(id);
  if (task?.status !== 'pending') {
    const status = task?.status ?? 'gone';
    return err(appError('conflict', `Task ${id} is ${status}: only a pending task can be run.`));
  }
  if (!room.take(id)) {
    return err(
      appError('conflict', `Task ${id} cannot begin now: every worker, or its agent, is busy or paused.`, {
        hint: '"kennel workers" shows who works on what. The task keeps its place in the queue.',
      }),
    );
  }
  const taken = room.store.task(id);
  return taken ? ok(taken) : err(appError('not_found', `There is no task ${id}.`));
}
