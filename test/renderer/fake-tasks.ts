/**
 * The tasks of the fake host: a board in memory that tests change and that publishes each change on the feed.
 */
import { textError } from '../../src/contract/errors.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type {
  TaskCounts,
  TaskState,
  TaskStepView,
  TaskSummary,
  TasksView,
  TaskView,
  TaskWorkers,
} from '../../src/contract/task-methods.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';
import { FakeSchedules } from './fake-schedules.ts';
import { task as newTask, workers } from './task-data.ts';

const states: readonly TaskState[] = ['pending', 'running', 'waiting', 'paused', 'done', 'error'];

const idle: TaskWorkers = workers({
  workers: [0, 1].map((worker) => ({ worker, task: null, runnerName: '' })),
  running: 0,
  ready: 0,
  forWorker: 0,
  forAgent: 0,
  freeAgents: 0,
  lanes: [],
});

type Change = Partial<TaskSummary>;

export class FakeTasks {
  memoryJson = '{}';
  stats: MethodOutput<'tasks.stats'> = { days: [], waits: [] };
  diff: MethodOutput<'tasks.diff'> = { branch: '', into: 'main', tree: '', files: [], more: 0 };
  /** All tasks, including those that have left the topic. */
  readonly all = new Map<number, TaskSummary>();
  readonly steps = new Map<number, readonly TaskStepView[]>();
  readonly wholeSteps = new Map<number, { result: string | null; error: string | null }>();
  readonly schedules: FakeSchedules;
  private readonly feed: FakeFeed;
  private atWork = idle;

  constructor(feed: FakeFeed) {
    this.feed = feed;
    this.schedules = new FakeSchedules(feed);
    this.publish();
  }

  show(tasks: readonly TaskSummary[], atWork: TaskWorkers = workers()): void {
    this.atWork = atWork;
    for (const one of tasks) this.all.set(one.id, one);
    for (const one of tasks) this.publishOne(one.id);
    this.publish();
  }

  /** Publishes the id of a task that does not exist. */
  lose(id: number): void {
    this.publishOne(id);
  }

  setSteps(task: number, steps: readonly TaskStepView[]): void {
    this.steps.set(task, steps);
    this.publishOne(task);
  }

  /** Publishes the start or end of a step while the page is open. */
  step(task: number, step: TaskStepView): void {
    const others = (this.steps.get(task) ?? []).filter(({ number }) => number !== step.number);
    this.steps.set(task, [...others, step]);
    this.feed.patch(`task:${task}`, { op: 'set', path: ['steps', String(step.number)], value: step });
  }

  change(id: number, change: Change): TaskSummary {
    const before = this.all.get(id) ?? newTask(id);
    const after = { ...before, ...change, updatedAt: Date.now() };
    this.all.set(id, after);
    this.feed.patch(
      'tasks',
      after.archivedAt === null
        ? { op: 'set', path: ['tasks', String(id)], value: after }
        : { op: 'delete', path: ['tasks', String(id)] },
      { op: 'set', path: ['counts'], value: this.counts() },
      { op: 'set', path: ['cancelled'], value: this.cancelled() },
    );
    if (this.feed.has(`task:${id}`))
      this.feed.patch(`task:${id}`, { op: 'set', path: ['task'], value: after });
    return after;
  }

  table(): Partial<Record<MethodName, Handler>> {
    const to =
      (change: Change) =>
      ({ task }: { task: number }) =>
        this.known(task, () => ok(this.change(task, change)));
    return {
      'tasks.list': (input: MethodInput<'tasks.list'>) => this.list(input),
      'tasks.get': ({ task }: { task: number }) => this.known(task, (one) => this.get(one)),
      'tasks.steps': (input: { task: number; after: number; limit: number }) => this.page(input),
      'tasks.step': ({ task, step }: { task: number; step: number }) =>
        ok(this.wholeSteps.get(step) ?? this.steps.get(task)?.find(({ number }) => number === step)),
      'tasks.add': (input: MethodInput<'tasks.add'>) => this.add(input),
      'tasks.amend': ({ task, budget, ...rest }: MethodInput<'tasks.amend'>) =>
        this.known(task, (one) =>
          ok(this.change(task, { ...(rest as Change), budget: { ...one.budget, ...(budget as object) } })),
        ),
      'tasks.run': ({ task }: { task: number }) => ok({ task: this.change(task, { priority: 1_000 }) }),
      'tasks.pause': to({ status: 'paused' }),
      'tasks.resume': to({ status: 'pending', asked: null }),
      'tasks.cancel': to({ status: 'error', failure: { kind: 'cancelled', message: 'You cancelled it.' } }),
      'tasks.retry': to({ status: 'pending', failure: null }),
      'tasks.fork': ({ task, after }: { task: number; after: number }) =>
        this.known(task, (one) => ok(this.insert({ ...one, parent: task, forkedAt: after, steps: after }))),
      'tasks.archive': (input: MethodInput<'tasks.archive'>) => this.archive(input),
      'tasks.diff': () => ok(this.diff),
      'tasks.merge': ({ task }: { task: number }) =>
        this.known(task, (one) => ok({ task: this.leaveBranch(one, 'merged'), how: 'fast-forward' })),
      'tasks.discard': ({ task }: { task: number }) =>
        this.known(task, (one) => ok(this.leaveBranch(one, 'discarded'))),
      'tasks.settle': to({ status: 'pending', waitingFor: null }),
      ...this.schedules.table(),
      'tasks.workers': () => ok(this.atWork),
      'tasks.setWorkers': () => ok({}),
      'tasks.stats': () => ok(this.stats),
    };
  }

  private leaveBranch({ id, worktree }: TaskSummary, state: 'merged' | 'discarded'): TaskSummary {
    return this.change(id, { worktree: worktree && { ...worktree, state } });
  }

  private known(id: number, use: (task: TaskSummary) => Result<unknown>): Result<unknown> {
    const one = this.all.get(id);
    return one === undefined ? err(textError('not_found', `There is no task ${id}.`)) : use(one);
  }

  private get(one: TaskSummary): Result<unknown> {
    const steps = (this.steps.get(one.id) ?? []).slice(0, 200);
    return ok({ task: one, result: one.result, memoryJson: this.memoryJson, steps });
  }

  private page({ task, after, limit }: { task: number; after: number; limit: number }): Result<unknown> {
    const found = (this.steps.get(task) ?? []).filter(({ number }) => number > after);
    return ok({ steps: found.slice(0, limit), hasMore: found.length > limit });
  }

  private archive({ archived, tasks = [] }: MethodInput<'tasks.archive'>): Result<unknown> {
    for (const id of tasks) this.change(id, { archivedAt: archived ? Date.now() : null });
    return ok({ tasks });
  }

  private list(query: MethodInput<'tasks.list'>) {
    const { status, cancelled, text, agent, project, archived, before, limit = 100 } = query;
    const shown = archived ?? (text === undefined ? false : undefined);
    const found = [...this.all.values()]
      .sort((a, b) => b.id - a.id)
      .filter(
        (one) =>
          (shown === undefined || (one.archivedAt !== null) === shown) &&
          (status ?? one.status) === one.status &&
          (cancelled === undefined || (one.failure?.kind === 'cancelled') === cancelled) &&
          (project ?? one.project) === one.project &&
          (agent === undefined || one.agentId === agent || one.runnerId === agent) &&
          (before === undefined || one.id < before) &&
          JSON.stringify([one.goal, one.result, one.project])
            .toLowerCase()
            .includes((text ?? '').toLowerCase()),
      );
    return ok({
      tasks: found.slice(0, limit),
      counts: this.counts(),
      cancelled: this.cancelled(),
      hasMore: found.length > limit,
    });
  }

  private add({ goal, agent, project, priority, dueAt, budget }: MethodInput<'tasks.add'>): Result<unknown> {
    const made = this.insert({
      ...newTask(0),
      goal,
      agentId: agent ?? null,
      agentName: agent ?? '',
      project: project ?? null,
      priority: priority ?? 0,
      dueAt: dueAt ?? null,
      budget: { steps: 100, tokens: null, usd: null, ...(budget as object) },
    });
    return ok({ task: made, isNew: true });
  }

  private insert(one: TaskSummary): TaskSummary {
    const id = Math.max(0, ...this.all.keys()) + 1;
    const at = Date.now();
    this.all.set(id, { ...one, id, status: 'pending', createdAt: at, updatedAt: at });
    this.publishOne(id);
    return this.change(id, {});
  }

  private counts(): TaskCounts {
    const of = (state: TaskState): number =>
      [...this.all.values()].filter((one) => one.status === state && one.archivedAt === null).length;
    return Object.fromEntries(states.map((state) => [state, of(state)])) as TaskCounts;
  }

  private cancelled(): number {
    return [...this.all.values()].filter(
      ({ failure, archivedAt }) => failure?.kind === 'cancelled' && archivedAt === null,
    ).length;
  }

  private publish(): void {
    const tasks = Object.fromEntries([...this.all].map(([id, one]) => [String(id), one]));
    this.feed.put('tasks', {
      tasks,
      counts: this.counts(),
      cancelled: this.cancelled(),
      workers: this.atWork,
    } satisfies TasksView);
  }

  private publishOne(id: number): void {
    const steps = (this.steps.get(id) ?? []).slice(-500);
    const view: TaskView = {
      task: this.all.get(id) ?? null,
      steps: Object.fromEntries(steps.map((one) => [String(one.number), one])),
    };
    this.feed.put(`task:${id}`, view);
  }
}
