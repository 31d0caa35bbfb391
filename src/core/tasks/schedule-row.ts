/**
 * A schedule as it is stored, and what a look at it comes to. A task that falls due is stored together with the schedule;
 * a workflow, which another store runs, is owed until it was handed over under the same key (F1).
 */
import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import { fileStateSchema, newFileState, withPath } from './file-trigger.ts';
import {
  dueKey,
  maxMissed,
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

const owedSchema = z.strictObject({
  /** The idempotency key of the run. */
  key: z.string(),
  /** When it fell due, ms. */
  at: z.number(),
  /** The file that changed. */
  path: z.string().nullable(),
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
  /** Runs of a workflow that were not handed over yet. */
  owed: z.array(owedSchema),
  /** ms; null: never. */
  lastRun: z.number().nullable(),
  /** Why the last start came to nothing; empty: it did not. */
  fault: z.string(),
  createdAt: z.number(),
});
export type ScheduleRow = Readonly<z.infer<typeof scheduleRowSchema>>;
export type ScheduleStarts = ScheduleRow['starts'];

export interface ScheduleLook {
  readonly row: ScheduleRow;
  readonly task: TaskBody | null;
}

/** `run.path` null: no file is what it is about. */
export function startOf(row: ScheduleRow, run: OwedRun, now: number): ScheduleLook {
  const begun = { ...row, lastRun: now, fault: '' };
  const { starts } = row;
  if (starts.kind === 'workflow') return { row: { ...begun, owed: [...row.owed, run] }, task: null };
  const { agent, project, priority, budget, threadKey } = starts;
  const goal = run.path === null ? starts.goal : withPath(starts.goal, run.path);
  const draft = { goal, agent, project, priority, budget, key: run.key };
  return { row: begun, task: newTask({ ...draft, origin: { via: 'schedule', threadKey } }, now) };
}

const dueRun = (row: ScheduleRow, due: number): OwedRun => ({
  key: dueKey(row.id, due),
  at: due,
  path: null,
});

/** A schedule that is switched off makes nothing, and has missed nothing when it is switched on again. */
export function lookAtSchedule(row: ScheduleRow, now: number, nextRun: NextRun): Result<ScheduleLook> {
  const tick = tickSchedule(row, now, nextRun);
  if (!tick.ok) return tick;
  if (!row.enabled) {
    const { missed, missedCount } = row.state;
    return ok({ row: { ...row, state: { ...tick.value.state, missed, missedCount } }, task: null });
  }
  const { state, due } = tick.value;
  const looked = { ...row, state };
  return ok(due === null ? { row: looked, task: null } : startOf(looked, dueRun(row, due), now));
}

/** With other times or files: what it was to do before is over. Starts are counted on, because their keys must not come again. */
export const rescheduled = (row: ScheduleRow, times: Pick<ScheduleRow, 'when' | 'state'>): ScheduleRow => ({
  ...{ ...row, ...times, fault: '' },
  files: { ...newFileState, started: row.files.started },
});

/** "Run now" of a run that was missed. */
export function runMissedNow(row: ScheduleRow, due: number, now: number): Result<ScheduleLook> {
  const state = runMissed(row.state, due);
  return state.ok ? ok(startOf({ ...row, state: state.value }, dueRun(row, due), now)) : state;
}

/** The due time is listed again, so that a person can run it when what was wrong is mended. */
function listMissed({ state, id }: ScheduleRow, key: string): ScheduleRow['state'] {
  const due = state.ran.flatMap(({ from, to }) => [from, to]).find((at) => dueKey(id, at) === key);
  if (due === undefined || state.missed.includes(due)) return state;
  const missed = [...state.missed, due].sort((a, b) => a - b).slice(-maxMissed);
  return { ...state, missed, missedCount: state.missedCount + 1 };
}

/** The workflow run of this key exists now, or cannot: `fault` says why. */
export const handedOver = (row: ScheduleRow, key: string, fault = ''): ScheduleRow => ({
  ...row,
  owed: row.owed.filter((run) => run.key !== key),
  state: fault === '' ? row.state : listMissed(row, key),
  fault,
});
