/**
 * A schedule as it is stored, and what a look at it comes to. A task that falls due is stored together with the schedule;
 * a workflow, which another store runs, is owed until it was handed over under the same key (F1).
 */
import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import {
  dueKey,
  type NextRun,
  runMissed,
  scheduleStateSchema,
  scheduleWhenSchema,
  tickSchedule,
} from './schedule.ts';
import { budgetSchema, newTask, type TaskBody } from './task.ts';

const startsSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('task'),
    goal: z.string(),
    agent: z.string().nullable(),
    project: z.string().nullable(),
    priority: z.number().int(),
    budget: budgetSchema,
    threadKey: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal('workflow'),
    file: z.string(),
    args: z.record(z.string(), z.unknown()),
  }),
]);

export const scheduleRowSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  when: scheduleWhenSchema,
  catchUp: z.enum(['show', 'latest']),
  starts: startsSchema,
  state: scheduleStateSchema,
  /** Due times of a workflow that were not handed over yet. */
  owed: z.array(z.number()),
  createdAt: z.number(),
});
export type ScheduleRow = Readonly<z.infer<typeof scheduleRowSchema>>;

export interface ScheduleLook {
  readonly row: ScheduleRow;
  readonly task: TaskBody | null;
}

function started(row: ScheduleRow, due: number | null, now: number): ScheduleLook {
  if (due === null) return { row, task: null };
  const { starts } = row;
  if (starts.kind === 'workflow') return { row: { ...row, owed: [...row.owed, due] }, task: null };
  const { goal, agent, project, priority, budget, threadKey } = starts;
  const draft = { goal, agent, project, priority, budget, key: dueKey(row.id, due) };
  return { row, task: newTask({ ...draft, origin: { via: 'schedule', threadKey } }, now) };
}

/** A schedule that is switched off makes nothing, and has missed nothing when it is switched on again. */
export function lookAtSchedule(row: ScheduleRow, now: number, nextRun: NextRun): Result<ScheduleLook> {
  const tick = tickSchedule(row, now, nextRun);
  if (!tick.ok) return tick;
  if (!row.enabled) {
    const { missed, missedCount } = row.state;
    return ok({ row: { ...row, state: { ...tick.value.state, missed, missedCount } }, task: null });
  }
  return ok(started({ ...row, state: tick.value.state }, tick.value.due, now));
}

/** "Run now" of a run that was missed. */
export function runMissedNow(row: ScheduleRow, due: number, now: number): Result<ScheduleLook> {
  const state = runMissed(row.state, due);
  return state.ok ? ok(started({ ...row, state: state.value }, due, now)) : state;
}

/** The workflow run of this due time exists now. */
export const handedOver = (row: ScheduleRow, due: number): ScheduleRow => ({
  ...row,
  owed: row.owed.filter((other) => other !== due),
});
