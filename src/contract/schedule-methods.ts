/** Methods about schedules: tasks and workflows that start at a time, repeatedly, or when a file or a resource changes. */

import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { done, row } from './method-row.ts';
import { plainRecordSchema } from './plain-data.ts';
import { taskBudgetSchema } from './task-methods.ts';

export const scheduleWhenViewSchema = z.discriminatedUnion('kind', [
  /** ms since the epoch. */
  z.strictObject({ kind: z.literal('once'), at: z.number() }),
  /** `timeZone` is an IANA name. */
  z.strictObject({ kind: z.literal('cron'), expression: z.string().max(200), timeZone: z.string().max(80) }),
  /**
   * A file, or any file below a folder that matches the glob, was created or changed and has been stable for
   * `restMs`. `path` is absolute; `glob` is matched against the relative path, with `/`.
   */
  z.strictObject({
    kind: z.literal('file'),
    path: z.string().min(1).max(4_000),
    glob: z.string().max(300).nullable(),
    restMs: z.number().int().min(100).max(3_600_000),
  }),
  /**
   * A resource of an MCP server changed, and has not changed again for `restMs`. `agent`: id or name of the agent whose
   * server it is; `null` for a server of all agents. A server without subscriptions is read every `pollMs`.
   */
  z.strictObject({
    kind: z.literal('resource'),
    server: z.string().min(1).max(100),
    agent: z.string().max(200).nullable(),
    uri: z.string().min(1).max(4_000),
    restMs: z.number().int().min(100).max(3_600_000),
    pollMs: z.number().int().min(1_000).max(86_400_000),
  }),
]);
export type ScheduleWhenView = z.infer<typeof scheduleWhenViewSchema>;

export const scheduleStartsViewSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('task'),
    /** `{{path}}` is replaced by the changed file, `{{uri}}` and `{{change}}` by the resource and what changed. */
    goal: z.string().trim().min(1).max(50_000),
    agent: z.string().max(200).nullable(),
    project: z.string().max(100).nullable(),
    priority: z.number().int().min(-1_000).max(1_000),
    /** Defaults are those of a new task. */
    budget: taskBudgetSchema.partial(),
    room: z.string().max(200).nullable(),
  }),
  z.strictObject({
    kind: z.literal('workflow'),
    file: z.string().min(1).max(4_000),
    /** Strings: the same. */
    args: plainRecordSchema,
  }),
]);
export type ScheduleStartsView = z.infer<typeof scheduleStartsViewSchema>;

export const scheduleViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  when: scheduleWhenViewSchema,
  /** `show` lists missed runs. `latest` runs the newest missed one. */
  catchUp: z.enum(['show', 'latest']),
  starts: scheduleStartsViewSchema,
  /** ms, or `null` for an ended schedule and for triggers. */
  next: z.number().nullable(),
  lastRun: z.number().nullable(),
  /** Due times that did not run, newest first. */
  missed: z.array(z.number()),
  missedCount: z.number().int(),
  /** Why it cannot run now; empty if it can. */
  problem: hostTextSchema,
});
export type ScheduleView = z.infer<typeof scheduleViewSchema>;

/** Id or name. */
const scheduleRef = z.strictObject({ id: z.string().min(1).max(100) });
const fields = {
  name: z.string().trim().min(1).max(100),
  when: scheduleWhenViewSchema,
  catchUp: z.enum(['show', 'latest']).default('show'),
  starts: scheduleStartsViewSchema,
};

export const scheduleMethods = {
  /** All, or the one with this id or name. */
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
  /** Starts it now, in addition to its times. `missed` replaces this due time that did not run. */
  'schedules.runNow': row(
    () => scheduleRef.extend({ missed: z.number().optional() }),
    () => scheduleViewSchema,
  ),
  /** Dismisses the missed runs; they are not run. */
  'schedules.putAway': row(
    () => scheduleRef,
    () => scheduleViewSchema,
  ),
  /** The next due times of an expression; `invalid_input` explains an error in it. */
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

/** Topic `schedules`, by id. */
export interface SchedulesView {
  readonly schedules: Readonly<Record<string, ScheduleView>>;
}
