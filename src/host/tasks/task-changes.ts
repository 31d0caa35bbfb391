import { fail } from '../../contract/fail.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { archivedBefore } from '../../core/lib/archive.ts';
import type { Clock } from '../../core/ports.ts';
import type { TaskEvent } from '../../core/tasks/lifecycle.ts';
import type { Task, TaskDraft } from '../../core/tasks/task.ts';
import type { AddedTask } from '../../core/tasks/task-ports.ts';
import { say } from '../../language/say.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { Handlers } from '../dispatch.ts';
import type { MergeHow } from '../worktrees/merge-worktree.ts';
import type { TaskAgents } from './task-agents.ts';
import type { TaskRooms } from './task-rooms.ts';
import type { TaskService } from './task-service.ts';
import type { Tasks } from './tasks.ts';

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
  | 'tasks.archive'
  | 'tasks.settle'
  | 'tasks.diff'
  | 'tasks.merge'
  | 'tasks.discard'
  | 'tasks.setWorkers'
  | 'tasks.import'
>;

export interface TaskChangesDeps {
  readonly agents: TaskAgents;
  readonly clock: Clock;
  readonly rooms: TaskRooms;
  readonly settings: DaemonSettings;
  readonly tasks: Pick<Tasks, 'service' | 'known' | 'feed' | 'settingsChanged'>;
}

type Changed = Result<Task>;

export const noTask = (id: number) =>
  err(fail('not_found', 'tasks.unknownTask', { id }, { help: 'tasks.runTaskList' }));

/** Changes an existing task; does not create a store just to report a missing one. */
function onTask(deps: TaskChangesDeps) {
  return async (id: number, change: (service: TaskService, now: number) => Changed | Promise<Changed>) => {
    const service = await deps.tasks.known();
    if (!service.ok) return service;
    if (!service.value?.store.task(id)) return noTask(id);
    const changed = await change(service.value, deps.clock.now());
    if (!changed.ok) return changed;
    service.value.changed(changed.value.id);
    service.value.wake();
    const { summaryOf } = await import('./task-view.ts');
    return ok(summaryOf(deps, service.value.store.task(changed.value.id) ?? changed.value));
  };
}

/** Only the given fields; the others keep their values. */
const givenBudget = (budget: MethodParsed<'tasks.amend'>['budget']): NonNullable<TaskDraft['budget']> =>
  Object.fromEntries(Object.entries(budget ?? {}).filter(([, value]) => value !== undefined));

async function addTask(
  { agents, rooms, tasks }: TaskChangesDeps,
  input: MethodParsed<'tasks.add'>,
  via: 'cli' | 'ui',
): Promise<Result<AddedTask>> {
  const agent = input.agent === undefined ? ok(null) : agents.find(input.agent);
  if (!agent.ok) return agent;
  const origin = rooms.origin(via, agent.value, input);
  if (!origin.ok) return origin;
  const service = await tasks.service();
  if (!service.ok) return service;
  const added = service.value.add({
    goal: input.goal,
    agent: agent.value,
    project: input.project ?? null,
    origin: origin.value,
    priority: input.priority ?? 0,
    dueAt: input.dueAt ?? null,
    key: input.key ?? null,
    budget: givenBudget(input.budget),
    worktree: input.worktree ?? null,
  });
  return ok({ ...added, task: service.value.store.task(added.task.id) ?? added.task });
}

function createAdding(deps: TaskChangesDeps) {
  return {
    'tasks.add': async (input, { kind }) => {
      const added = await addTask(deps, input, kind === 'owner-ui' ? 'ui' : 'cli');
      if (!added.ok) return added;
      const { summaryOf } = await import('./task-view.ts');
      return ok({ task: summaryOf(deps, added.value.task), isNew: added.value.isNew });
    },
    'tasks.import': async ({ path }) => {
      const { addImported, readImport } = await import('./import-file.ts');
      const tasks = await readImport(path);
      if (!tasks.ok) return tasks;
      const service = await deps.tasks.service();
      if (!service.ok) return service;
      const imported = await addImported(service.value.store, tasks.value);
      deps.tasks.feed.changed(null);
      service.value.wake();
      if (!imported.ok) return imported;
      const { added, known, pending } = imported.value;
      const notes = pending > 0 ? [say('tasks.importedQueued', { n: pending })] : [];
      return ok({ added: [...added], known, notes });
    },
  } satisfies Partial<Changing>;
}

export function createTaskChanges(deps: TaskChangesDeps): Changing {
  const change = onTask(deps);
  const event = (id: number, type: Extract<TaskEvent['type'], 'pause' | 'resume' | 'retry'>) =>
    change(id, ({ store }, now) => store.change(id, { type }, now));
  return {
    ...createAdding(deps),
    'tasks.amend': ({ task, budget, ...more }) =>
      change(task, ({ store }, now) => {
        const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
        return store.amend(task, { ...given, budget: givenBudget(budget) }, now);
      }),
    'tasks.run': async ({ task }) => {
      if (task !== undefined) {
        const run = await change(task, (service) => runNow(service, task));
        return run.ok ? ok({ task: run.value }) : run;
      }
      const service = await deps.tasks.known();
      if (!service.ok) return service;
      service.value?.wake();
      return ok({ task: null });
    },
    'tasks.pause': ({ task }) => event(task, 'pause'),
    'tasks.resume': ({ task }) => event(task, 'resume'),
    'tasks.cancel': ({ task }) => change(task, (service) => service.cancel(task)),
    'tasks.retry': ({ task }) => event(task, 'retry'),
    'tasks.fork': ({ task, after }) => change(task, ({ store }, now) => store.fork(task, after, now)),
    'tasks.archive': (input) => archiveTasks(deps, input),
    'tasks.settle': ({ task, step, happened }) =>
      change(task, ({ store }, now) => {
        const settled = store.settleUnknown(task, step, happened, now);
        return settled.ok ? ok(settled.value.task) : settled;
      }),
    'tasks.diff': async ({ task }) => {
      const service = await deps.tasks.known();
      if (!service.ok) return service;
      return service.value ? service.value.worktrees.diff(task) : noTask(task);
    },
    'tasks.merge': async ({ task, tree }) => {
      let how: MergeHow = 'nothing';
      const merged = await change(task, async ({ store, worktrees }) => {
        const done = await worktrees.merge(task, tree);
        if (!done.ok) return done;
        how = done.value;
        return found(store, task);
      });
      return merged.ok ? ok({ task: merged.value, how }) : merged;
    },
    'tasks.discard': ({ task }) =>
      change(task, async ({ store, worktrees }) => {
        const done = await worktrees.discard(task);
        return done.ok ? found(store, task) : done;
      }),
    'tasks.setWorkers': ({ workers, agent }) => {
      const { agents, settings, tasks } = deps;
      const named = agent === undefined ? null : agents.find(agent.agent);
      if (named && !named.ok) return named;
      const saved: Result<void>[] = [];
      if (workers !== undefined) saved.push(settings.setWorkers(workers));
      if (named && agent) saved.push(settings.setTasksOf(named.value, agent.concurrency));
      tasks.settingsChanged();
      return saved.find((one) => !one.ok) ?? ok({});
    },
  };
}

function found(store: TaskService['store'], id: number): Changed {
  const task = store.task(id);
  return task ? ok(task) : noTask(id);
}

async function archiveTasks(
  { tasks, clock }: TaskChangesDeps,
  { archived, tasks: named, olderThanDays }: MethodParsed<'tasks.archive'>,
): Promise<Result<{ tasks: number[] }>> {
  if ((named === undefined) === (olderThanDays === undefined) || (!archived && named === undefined))
    return err(fail('invalid_input', 'tasks.nameOrAge', {}, { where: 'tasks' }));
  const service = await tasks.known();
  if (!service.ok) return service;
  if (!service.value) return named?.[0] === undefined ? ok({ tasks: [] }) : noTask(named[0]);
  const { store } = service.value;
  const ids = named ?? store.endedBefore(archivedBefore(olderThanDays ?? 0, clock.now()));
  const changed = store.archive(ids, archived, clock.now());
  if (!changed.ok) return changed;
  for (const { id } of changed.value) service.value.changed(id);
  return ok({ tasks: changed.value.map(({ id }) => id) });
}

function runNow(service: TaskService, id: number): Changed {
  const task = service.store.task(id);
  if (task?.status !== 'pending') {
    const status = task?.status ?? 'gone';
    return err(fail('conflict', 'tasks.runPendingOnly', { id, status }));
  }
  if (!service.take(id)) {
    return err(fail('conflict', 'tasks.taskCannotBegin', { id }, { help: 'tasks.runKennelWorkers' }));
  }
  return found(service.store, id);
}
