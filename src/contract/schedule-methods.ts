/** Rows of the method table about what starts by itself: at a time, again and again, or when a file changes. */
import { z } from 'zod';
import { done, row } from './method-row.ts';
import { plainRecordSchema } from './plain-data.ts';
import { taskBudgetSchema } from './task-methods.ts';

export const scheduleWhenViewSchema = z.discriminatedUnion('kind', [
  /** ms since the epoch. */
  z.strictObject({ kind: z.literal('once'), at: z.number() }),
  /** `timeZone`: IANA name. */
  z.strictObject({ kind: z.literal('cron'), expression: z.string().max(200), timeZone: z.string().max(80) }),
  /**
   * A file, or everything below a folder that fits the glob, was made or changed and has been at rest since `restMs`.
   * `path` is absolute; `glob` is matched against what follows it, with `/` between.
   */
  z.strictObject({
    kind: z.literal('file'),
    path: z.string().min(1).max(4_000),
    glob: z.string().max(300).nullable(),
    restMs: z.number().int().min(100).max(3_600_000),
  }),
]);
export type ScheduleWhenView = z.infer<typeof scheduleWhenViewSchema>;

export const scheduleStartsViewSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('task'),
    /** `{{path}}` stands for the file that changed. */
    goal: z.string().trim().min(1).max(50_000),
    agent: z.string().max(200).nullable(),
    project: z.string().max(100).nullable(),
    priority: z.number().int().min(-1_000).max(1_000),
    /** What is not said is as for a task that somebody adds. */
    budget: taskBudgetSchema.partial(),
    room: z.string().max(200).nullable(),
  }),
  z.strictObject({
    kind: z.literal('workflow'),
    file: z.string().min(1).max(4_000),
    /** `{{path}}` in a text stands for the file that changed. */
    args: plainRecordSchema,
  }),
]);
export type ScheduleStartsView = z.infer<typeof scheduleStartsViewSchema>;

export const scheduleViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  when: scheduleWhenViewSchema,
  /** `show`: what was missed is listed. `latest`: the newest of it runs once. */
  catchUp: z.enum(['show', 'latest']),
  starts: scheduleStartsViewSchema,
  /** ms; null: not any more, or when a file changes. */
  next: z.number().nullable(),
  lastRun: z.number().nullable(),
  /** Due times that did not run, newest first. */
  missed: z.array(z.number()),
  missedCount: z.number().int(),
  /** Why it cannot run now; empty: it can. */
  problem: z.string(),
});
export type ScheduleView = z.infer<typeof scheduleViewSchema>;

/** Its id or its name. */
const scheduleRef = z.strictObject({ id: z.string().min(1).max(100) });
const fields = {
  name: z.string().trim().min(1).max(100),
  when: scheduleWhenViewSchema,
  catchUp: z.enum(['show', 'latest']).default('show'),
  starts: scheduleStartsViewSchema,
};

export const scheduleMethods = {
  /** All, or the one of that id or name. */
  'schedules.list': row(
    () => scheduleRef.partial(),
    () => z.object({ schedules: z.array(scheduleViewSchema) }),
  ),
  'schedules.add': row(
    () => z.strictObject(fields),
    () => scheduleViewSchema,
  ),
  'schedules.set': row(
    () =>
      scheduleRef.extend({
        enabled: z.boolean().optional(),
        name: fields.name.optional(),
        when: scheduleWhenViewSchema.optional(),
        catchUp: z.enum(['show', 'latest']).optional(),
        starts: scheduleStartsViewSchema.optional(),
      }),
    () => scheduleViewSchema,
  ),
  'schedules.remove': row(
    () => scheduleRef,
    () => done,
  ),
  /** Starts it now, besides its times. `missed`: in place of this due time that did not run. */
  'schedules.runNow': row(
    () => scheduleRef.extend({ missed: z.number().optional() }),
    () => scheduleViewSchema,
  ),
  /** You have seen what was missed: it is not listed any more, and does not run. */
  'schedules.putAway': row(
    () => scheduleRef,
    () => scheduleViewSchema,
  ),
  /** The next due times, for a person who writes an expression; `invalid_input` says what is wrong with it. */
  'schedules.preview': row(
    () =>
      z.strictObject({
        expression: z.string().max(200),
        timeZone: z.string().max(80),
        count: z.number().int().min(1).max(20).default(5),
      }),
    () => z.object({ next: z.array(z.number()) }),
  ),
} as const;

/** Topic `schedules`: by id. */
export interface SchedulesView {
  readonly schedules: Readonly<Record<string, ScheduleView>>;
}
