/**
 * Maps rows of `tasks.db` to tasks and steps and back. It promises that a task, its lease and its lane are
 * written together, so that none of them contradicts the others.
 */
import type { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { HeldTask } from '../../core/tasks/judge-leases.ts';
import { anyAgent, laneOf } from '../../core/tasks/queue.ts';
import { type Task, type TaskBody, taskBodySchema } from '../../core/tasks/task.ts';
import { type TaskStep, taskStepSchema } from '../../core/tasks/task-step.ts';
import { say } from '../../language/say.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, textOf } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';
import { occupy, shiftLane } from './task-lanes.ts';

export function parsed<T extends z.ZodType>(schema: T, row: SqlRow): z.output<T> {
  const value = jsonAs(schema, textOf(row, 'body'));
  if (value === null) throw new StoreError('corrupt', say('storage.taskStoreDamaged'));
  return value;
}

export const taskOf = (row: SqlRow): Task => ({ ...parsed(taskBodySchema, row), id: numberOf(row, 'id') });
const stepOf = (row: SqlRow): TaskStep => parsed(taskStepSchema, row);

export function readTask({ sql }: StoreHandle, id: number): Task | null {
  const row = sql('SELECT id, body FROM tasks WHERE id = ?').get([id]);
  return row ? taskOf(row) : null;
}

export function readTaskSteps(
  { sql }: StoreHandle,
  task: number,
  after: number,
  limit: number,
): readonly TaskStep[] {
  const found = sql('SELECT body FROM steps WHERE task = ? AND number > ? ORDER BY number LIMIT ?');
  return found.all([task, after, limit]).map(stepOf);
}

export function readStep({ sql }: StoreHandle, task: number, number: number): TaskStep | null {
  const row = sql('SELECT body FROM steps WHERE task = ? AND number = ?').get([task, number]);
  return row ? stepOf(row) : null;
}

export function stepOfCall({ sql }: StoreHandle, task: number, callId: string): TaskStep | null {
  const row = sql('SELECT body FROM steps WHERE task = ? AND call = ?').get([task, callId]);
  return row ? stepOf(row) : null;
}

/** The steps of a task that have not ended. */
export const openSteps = (handle: StoreHandle, { id, open }: Task): readonly TaskStep[] =>
  open.flatMap((number) => readStep(handle, id, number) ?? []);

export function writeStep({ sql }: StoreHandle, task: number, step: TaskStep): void {
  sql(
    `INSERT INTO steps VALUES (?, ?, ?, ?) ON CONFLICT (task, number) DO UPDATE SET body = excluded.body`,
  ).run([task, step.number, step.callId, JSON.stringify(step)]);
}

const insertSql = `INSERT INTO tasks (status, lane, project, priority, due, ready, key, archived, body)
  VALUES (:status, :lane, :project, :priority, :due, :ready, :key, :archived, :body) RETURNING id`;
const updateSql = `UPDATE tasks SET status = :status, lane = :lane, project = :project, priority = :priority, due = :due,
  ready = :ready, key = :key, archived = :archived, body = :body WHERE id = :id`;

function columnsOf(body: TaskBody, ready: boolean) {
  const { status, project, priority, dueAt, key, archivedAt } = body;
  return {
    status,
    lane: laneOf(body),
    project,
    priority,
    due: dueAt,
    ready: ready ? 1 : 0,
    key,
    archived: archivedAt,
    body: JSON.stringify(body),
  };
}

export function insertTask(handle: StoreHandle, body: TaskBody): Task {
  const ready = body.status === 'pending' && body.dueAt === null;
  const row = handle.sql(insertSql).get(columnsOf(body, ready));
  if (!row) throw new StoreError('io_error', say('storage.taskNotStored'));
  shiftLane(handle, laneOf(body), ready ? 1 : 0);
  return { ...body, id: numberOf(row, 'id') };
}

function moveLease({ sql }: StoreHandle, task: Task): void {
  const { lease, id, claim, runner } = task;
  if (lease === null) sql('DELETE FROM leases WHERE task = ?').run([id]);
  else {
    const { owner, pid, bootId, worker, beat } = lease;
    sql('INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run([
      id,
      claim,
      owner,
      pid,
      bootId,
      worker,
      beat,
      runner ?? anyAgent,
    ]);
  }
}

interface Place {
  readonly lane: string;
  readonly ready: boolean;
  readonly priority: number;
}

function moveLane(handle: StoreHandle, from: Place, to: Place): void {
  if (from.lane !== to.lane) {
    if (from.ready) shiftLane(handle, from.lane, -1);
    if (to.ready) shiftLane(handle, to.lane, 1);
  } else if (from.ready !== to.ready || from.priority !== to.priority) {
    shiftLane(handle, to.lane, Number(to.ready) - Number(from.ready));
  }
}

/**
 * `due` is true if the task falls due or is run early. A task that was ready once stays ready, even if the
 * clock is set back (F8).
 */
export function updateTask(handle: StoreHandle, old: Task, next: Task, due = false): void {
  const { sql } = handle;
  const row = sql('SELECT ready, lane FROM tasks WHERE id = ?').get([old.id]);
  const was = row?.ready === 1;
  const pending = next.status === 'pending';
  const again = old.status !== 'pending' && old.claim > 0;
  const moved = old.dueAt !== next.dueAt;
  const ready = pending && (next.dueAt === null || due || (!moved && (was || again)));
  const { id, ...body } = next;
  sql(updateSql).run({ ...columnsOf(body, ready), id });
  const before = { lane: row ? textOf(row, 'lane') : anyAgent, ready: was, priority: old.priority };
  moveLane(handle, before, { lane: laneOf(next), ready, priority: next.priority });
  if (old.claim === next.claim && (old.lease === null) === (next.lease === null)) return;
  moveLease(handle, next);
  if (old.lease !== null && old.runner !== null) occupy(handle, old.runner, -1);
  if (next.lease !== null && next.runner !== null) occupy(handle, next.runner, 1);
}

export const heldOf = (row: SqlRow): HeldTask => ({
  task: numberOf(row, 'task'),
  claim: numberOf(row, 'claim'),
  lease: {
    owner: textOf(row, 'owner'),
    pid: numberOf(row, 'pid'),
    bootId: textOf(row, 'boot'),
    worker: numberOf(row, 'worker'),
    beat: numberOf(row, 'beat'),
  },
});

/** Releases the tasks that this agent began but was not assigned to; any agent may take them again. */
export function letGo(handle: StoreHandle, agent: string): readonly number[] {
  const rows = handle
    .sql("SELECT id, body FROM tasks WHERE lane = ? AND status IN ('pending', 'waiting', 'paused')")
    .all([agent]);
  const begun = rows.map(taskOf).filter((task) => task.agent === null);
  for (const task of begun) updateTask(handle, task, { ...task, runner: null });
  return begun.map(({ id }) => id);
}
