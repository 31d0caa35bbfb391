/**
 * `tasks.db`, encrypted: tasks, their steps, the queue and the schedules. It promises that every state change
 * is one durable transaction, allowed by the rules of `core/tasks` on the newest state, and that a claim
 * needs no scan.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type TaskState, taskStatusSchema } from '../../contract/task-methods.ts';
import { forkTask } from '../../core/tasks/fork-task.ts';
import { applyToTask } from '../../core/tasks/lifecycle.ts';
import { laneOf } from '../../core/tasks/queue.ts';
import type { Task } from '../../core/tasks/task.ts';
import type {
  AddedTask,
  ClaimRequest,
  NewTask,
  TaskAmendment,
  TaskQuery,
  TaskStore,
  TaskTimes,
} from '../../core/tasks/task-ports.ts';
import {
  endStep,
  resumeStep,
  type StepChange,
  settleUnknown,
  startStep,
  unknownStep,
} from '../../core/tasks/task-step.ts';
import { numberOf, oneOf } from './row-fields.ts';
import { scheduleRows } from './schedule-rows.ts';
import { createStoreFile, type StoreFile, type StoreFileOptions, type StoreHandle } from './store-file.ts';
import { archiveTaskRows, endedBefore } from './task-archive.ts';
import { markServed, nextClaim, readLane, rebuildLanes, runnerFor, setConcurrencies } from './task-lanes.ts';
import {
  heldOf,
  insertTask,
  letGo,
  openSteps,
  readStep,
  readTask,
  readTaskSteps,
  stepOfCall,
  taskOf,
  updateTask,
  writeStep,
} from './task-rows.ts';
import { taskSchema } from './task-schema.ts';

export type TaskStoreOptions = StoreFileOptions & { readonly key: Uint8Array };

const notFound = (id: number) => err(fail('not_found', 'tasks.unknownTask', { id }));

export const fallenDueSql = `SELECT id, body FROM tasks INDEXED BY tasks_due WHERE status = 'pending' AND ready = 0 AND due <= ?
  ORDER BY due LIMIT 256`;

const removingSql =
  "SELECT id, body FROM tasks WHERE json_extract(body, '$.worktree.state') = 'removing' ORDER BY id";

/** Runs inside the caller's transaction. */
export function addTask(handle: StoreHandle, { task, steps }: NewTask): AddedTask {
  const known =
    task.key === null ? undefined : handle.sql('SELECT id, body FROM tasks WHERE key = ?').get([task.key]);
  if (known) return { task: taskOf(known), isNew: false };
  const added = insertTask(handle, task);
  for (const step of steps) writeStep(handle, added.id, step);
  return { task: added, isNew: true };
}

/** Queues the tasks that fell due. */
function promote(handle: StoreHandle, now: number): void {
  for (;;) {
    const rows = handle.sql(fallenDueSql).all([now]);
    for (const row of rows) {
      const task = taskOf(row);
      updateTask(handle, task, task, true);
    }
    if (rows.length < 256) return;
  }
}

function choose(handle: StoreHandle, only: number | undefined) {
  if (only === undefined) return nextClaim(handle);
  const task = readTask(handle, only);
  if (task?.status !== 'pending') return null;
  const lane = laneOf(task);
  const runner = runnerFor(handle, lane);
  return runner === null ? null : { task: only, lane, runner };
}

function claim(handle: StoreHandle, { lease, now, only }: ClaimRequest): Task | null {
  promote(handle, now);
  const choice = choose(handle, only);
  const task = choice && readTask(handle, choice.task);
  if (!choice || !task) return null;
  const taken = applyToTask(task, { type: 'claimed', lease, runner: choice.runner }, now);
  if (!taken.ok) return null;
  updateTask(handle, task, taken.value);
  markServed(handle, [...new Set([choice.lane, choice.runner])]);
  return taken.value;
}

function amended(task: Task, amendment: TaskAmendment, at: number): Result<Task> {
  if (task.status === 'done' || task.lease !== null) {
    return err(fail('conflict', 'storage.pauseTaskFirst', { id: task.id, status: task.status }));
  }
  return ok({ ...task, ...amendment, budget: { ...task.budget, ...amendment.budget }, updatedAt: at });
}

/** Reads the state, applies the rule and writes its result in one transaction. */
function changes(file: StoreFile) {
  const onTask = (id: number, rule: (task: Task, handle: StoreHandle) => Result<Task>): Result<Task> =>
    file.write((handle) => {
      const task = readTask(handle, id);
      if (!task) return notFound(id);
      const next = rule(task, handle);
      if (next.ok) updateTask(handle, task, next.value);
      return next;
    });
  const onStep = (
    id: number,
    rule: (task: Task, handle: StoreHandle) => Result<StepChange>,
  ): Result<StepChange> =>
    file.write((handle) => {
      const task = readTask(handle, id);
      if (!task) return notFound(id);
      const change = rule(task, handle);
      // An unchanged step needs no write.
      if (!change.ok || change.value.task === task) return change;
      updateTask(handle, task, change.value.task);
      writeStep(handle, id, change.value.step);
      return change;
    });
  return { onTask, onStep };
}

const noStep = (id: number, step: number) => err(fail('not_found', 'tasks.unknownStep', { id, step }));

function stepRows(file: StoreFile) {
  const { onStep } = changes(file);
  return {
    steps: (id, after, limit) => file.use((handle) => readTaskSteps(handle, id, after, limit)),
    startStep: (id, by, draft, at) =>
      onStep(id, (task, handle) => {
        const known = stepOfCall(handle, id, draft.callId);
        return known ? resumeStep(task, by, known, draft) : startStep(task, by, draft, at);
      }),
    endStep: (id, by, number, end, at) =>
      onStep(id, (task, handle) => {
        const step = readStep(handle, id, number);
        return step ? endStep(task, by, step, end, at) : noStep(id, number);
      }),
    settleUnknown: (id, number, happened, at) =>
      onStep(id, (task, handle) => {
        const step = readStep(handle, id, number);
        if (!step) return noStep(id, number);
        const others = openSteps(handle, task).filter((other) => other.number !== number);
        return settleUnknown(task, step, happened, others, at);
      }),
    fork: (id, after, at) =>
      file.write((handle) => {
        const task = readTask(handle, id);
        if (!task) return notFound(id);
        const fork = forkTask(task, readTaskSteps(handle, id, 0, task.steps), after, at);
        return fork.ok ? ok(addTask(handle, fork.value).task) : fork;
      }),
  } satisfies Partial<TaskStore>;
}

function list({ sql }: StoreHandle, query: TaskQuery): readonly Task[] {
  const conditions = [
    query.status === undefined ? '' : 'status = :status',
    query.project === undefined ? '' : 'project = :project',
    query.agent === undefined ? '' : 'lane = :agent',
    query.before === undefined ? '' : 'id < :before',
    query.archived === undefined ? '' : `archived IS ${query.archived ? 'NOT NULL' : 'NULL'}`,
  ].filter(Boolean);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const { archived: _, ...asked } = query;
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return sql(`SELECT id, body FROM tasks ${where} ORDER BY id DESC LIMIT :limit`)
    .all(Object.fromEntries(given))
    .map(taskOf);
}

export const countsSql =
  'SELECT status, count(*) AS n FROM tasks INDEXED BY tasks_shown WHERE archived IS NULL GROUP BY status';

function counts({ sql }: StoreHandle): Readonly<Record<TaskState, number>> {
  const all: Record<TaskState, number> = {
    pending: 0,
    running: 0,
    waiting: 0,
    paused: 0,
    done: 0,
    error: 0,
  };
  for (const row of sql(countsSql).all([])) {
    all[oneOf(row, 'status', taskStatusSchema.options)] = numberOf(row, 'n');
  }
  return all;
}

const cancelledSql = "status = 'error' AND json_extract(body, '$.failure.kind') = 'cancelled'";
/** Must match the index `tasks_cancelled`. */
export const countCancelledSql = `SELECT count(*) AS n FROM tasks INDEXED BY tasks_cancelled
  WHERE archived IS NULL AND ${cancelledSql}`;

const timesSql = `SELECT status, ${cancelledSql} AS cancelled,
  json_extract(body, '$.createdAt') AS created, json_extract(body, '$.updatedAt') AS updated
  FROM tasks WHERE id >= :from AND id < :to
  AND (json_extract(body, '$.updatedAt') >= :since OR json_extract(body, '$.createdAt') >= :since)`;

function times(
  { sql }: StoreHandle,
  since: number,
  among: { from: number; to: number },
): readonly TaskTimes[] {
  return sql(timesSql)
    .all({ since, ...among })
    .map((row) => {
      const status = oneOf(row, 'status', taskStatusSchema.options);
      const ended = status === 'done' || status === 'error';
      const endedAt = ended ? numberOf(row, 'updated') : null;
      return {
        status,
        cancelled: row.cancelled === 1,
        endedAt,
        createdAt: numberOf(row, 'created'),
      };
    });
}

function queueRows(file: StoreFile) {
  return {
    claim: (request) => file.write((handle) => claim(handle, request)),
    nextDue: () =>
      file.use(({ sql }) => {
        const row = sql(
          "SELECT due FROM tasks WHERE status = 'pending' AND ready = 0 ORDER BY due LIMIT 1",
        ).get([]);
        return row ? numberOf(row, 'due') : null;
      }),
    beat: (id, by) =>
      file.write(
        ({ sql }) =>
          sql('UPDATE leases SET beat = beat + 1 WHERE task = ? AND claim = ? AND owner = ?').run([
            id,
            by.claim,
            by.owner,
          ]).changes > 0,
      ),
    held: () => file.use(({ sql }) => sql('SELECT * FROM leases ORDER BY task').all([]).map(heldOf)),
    lanes: () => file.use(({ sql }) => sql('SELECT * FROM lanes ORDER BY agent').all([]).map(readLane)),
    setConcurrency: (agent, concurrency) =>
      file.write((handle) => setConcurrencies(handle, new Map([[agent, concurrency]]))),
    letGo: (agent) => file.write((handle) => letGo(handle, agent)),
    setConcurrencies: (of) => file.write((handle) => setConcurrencies(handle, of)),
  } satisfies Partial<TaskStore>;
}

export function openTaskStore(options: TaskStoreOptions): TaskStore {
  const file = createStoreFile(options, taskSchema, (handle) =>
    handle.db.transaction(() => rebuildLanes(handle)),
  );
  const { onTask } = changes(file);
  return {
    add: (task) => file.write((handle) => addTask(handle, task)),
    addAll: (tasks) => file.write((handle) => tasks.map((task) => addTask(handle, task))),
    task: (id) => file.use((handle) => readTask(handle, id)),
    keyed: (key) =>
      file.use(({ sql }) => {
        const row = sql('SELECT id, body FROM tasks WHERE key = ?').get([key]);
        return row ? taskOf(row) : null;
      }),
    list: (query) => file.use((handle) => list(handle, query)),
    counts: () => file.use(counts),
    cancelled: () => file.use(({ sql }) => numberOf(sql(countCancelledSql).get([]) ?? {}, 'n')),
    times: (since, among) => file.use((handle) => times(handle, since, among)),
    change: (id, event, at) =>
      onTask(id, (task, handle) => applyToTask(task, event, at, unknownStep(openSteps(handle, task)))),
    archive: (ids, archived, at) => file.write((handle) => archiveTaskRows(handle, ids, archived, at)),
    endedBefore: (before) => file.use((handle) => endedBefore(handle, before)),
    setWorktree: (id, worktree, at) => onTask(id, (task) => ok({ ...task, worktree, updatedAt: at })),
    removingWorktrees: () => file.use(({ sql }) => sql(removingSql).all([]).map(taskOf)),
    amend: (id, amendment, at) => onTask(id, (task) => amended(task, amendment, at)),
    ...stepRows(file),
    ...queueRows(file),
    schedules: scheduleRows(file, addTask),
    release: () => file.release(),
  };
}
