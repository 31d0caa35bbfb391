/**
 * A stored schedule, and the evaluation of its due times. A due task is stored together with the schedule. A
 * workflow belongs to another store, so its run stays in `owed` until it was handed over under the same key
 * (F1).
 */

import { z } from 'zod';
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import { ok, type Result } from '../../contract/result.ts';
import { taskBudgetSchema } from '../../contract/task-methods.ts';
import type { HostText } from '../../language/host-message.ts';
import { fileStateSchema, newFileState, withChange, withPath } from './file-trigger.ts';
import { newResourceState, resourceStateSchema } from './resource-trigger.ts';
import {
  dueKey,
  maxMissed,
  type NextRun,
  runMissed,
  scheduleStateSchema,
  scheduleWhenSchema,
  tickSchedule,
} from './schedule.ts';
import { newTask, type TaskBody } from './task.ts';

const startsSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('task'),
    goal: z.string(),
    agent: z.string().nullable(),
    project: z.string().nullable(),
    priority: z.number().int(),
    budget: taskBudgetSchema,
    threadKey: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal('workflow'),
    file: z.string(),
    args: z.record(z.string(), z.unknown()),
  }),
]);

const owedSchema = z.strictObject({
  /** Idempotency key of the run. */
  key: z.string(),
  /** Due time in ms since the epoch. */
  at: z.number(),
  /** Changed file; `null` if none started it. */
  path: z.string().nullable(),
  /** Fenced text of the change of a resource; `null` if none started it. */
  change: z.string().nullable().default(null),
});
export type OwedRun = Readonly<z.infer<typeof owedSchema>>;

export const scheduleRowSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  when: scheduleWhenSchema,
  catchUp: z.enum(['show', 'latest']),
  starts: startsSchema,
  state: scheduleStateSchema,
  files: fileStateSchema,
  resource: resourceStateSchema.default(newResourceState),
  /** Workflow runs that are not handed over yet. */
  owed: z.array(owedSchema),
  /** ms since the epoch; `null` if never. */
  lastRun: z.number().nullable(),
  /** Why the last start failed; empty if it did not. */
  fault: hostTextSchema,
  createdAt: z.number(),
});
export type ScheduleRow = Readonly<z.infer<typeof scheduleRowSchema>>;
export type ScheduleStarts = ScheduleRow['starts'];

export interface ScheduleLook {
  readonly row: ScheduleRow;
  readonly task: TaskBody | null;
}

/** The goal or the arguments with what started the run. */
export function withCause<T>({ when }: ScheduleRow, value: T, { path, change }: OwedRun): T {
  if (when.kind !== 'resource') return path === null ? value : withPath(value, path);
  if (typeof value !== 'string') return withChange(value, when.uri, change ?? '');
  const shown = change === null || value.includes('{{change}}') ? value : `${value}\n\n{{change}}`;
  return withChange<string>(shown, when.uri, change ?? '') as T & string;
}

export function scheduledStart(row: ScheduleRow, run: OwedRun, now: number): ScheduleLook {
  const begun = { ...row, lastRun: now, fault: '' };
  const { starts } = row;
  if (starts.kind === 'workflow') return { row: { ...begun, owed: [...row.owed, run] }, task: null };
  const { agent, project, priority, budget, threadKey } = starts;
  const goal = withCause(row, starts.goal, run);
  const draft = { goal, agent, project, priority, budget, key: run.key };
  return { row: begun, task: newTask({ ...draft, origin: { via: 'schedule', threadKey } }, now) };
}

const dueRun = (row: ScheduleRow, due: number): OwedRun => ({
  key: dueKey(row.id, due),
  at: due,
  path: null,
  change: null,
});

/** A disabled schedule starts nothing, and has missed nothing when it is enabled again. */
export function lookAtSchedule(row: ScheduleRow, now: number, nextRun: NextRun): Result<ScheduleLook> {
  const tick = tickSchedule(row, now, nextRun);
  if (!tick.ok) return tick;
  if (!row.enabled) {
    const { missed, missedCount } = row.state;
    return ok({ row: { ...row, state: { ...tick.value.state, missed, missedCount } }, task: null });
  }
  const { state, due } = tick.value;
  const looked = { ...row, state };
  return ok(due === null ? { row: looked, task: null } : scheduledStart(looked, dueRun(row, due), now));
}

/**
 * Changes times or files and drops earlier due times. The count of starts continues, because keys must never
 * repeat.
 */
export const rescheduled = (row: ScheduleRow, times: Pick<ScheduleRow, 'when' | 'state'>): ScheduleRow => ({
  ...row,
  ...times,
  fault: '',
  files: { ...newFileState, started: row.files.started },
  resource: { ...newResourceState, started: row.resource.started },
});

/** "Run now" of a missed run. */
export function runMissedNow(row: ScheduleRow, due: number, now: number): Result<ScheduleLook> {
  const state = runMissed(row.state, due);
  return state.ok ? ok(scheduledStart({ ...row, state: state.value }, dueRun(row, due), now)) : state;
}

/** Lists the due time as missed again, so that a person can run it after fixing the fault. */
function listMissed({ state, id }: ScheduleRow, key: string): ScheduleRow['state'] {
  const due = state.ran.flatMap(({ from, to }) => [from, to]).find((at) => dueKey(id, at) === key);
  if (due === undefined || state.missed.includes(due)) return state;
  const missed = [...state.missed, due].sort((a, b) => a - b).slice(-maxMissed);
  return { ...state, missed, missedCount: state.missedCount + 1 };
}

/** Records that the workflow run of this key exists, or cannot start for the reason `fault`. */
export const handedOver = (
  row: ScheduleRow,
  key: string,
  { fault = '', run = null }: { readonly fault?: HostText; readonly run?: string | null } = {},
): ScheduleRow => ({
  ...row,
  resource: { ...row.resource, run: run ?? row.resource.run },
  owed: row.owed.filter((run) => run.key !== key),
  state: fault === '' ? row.state : listMissed(row, key),
  fault,
});
