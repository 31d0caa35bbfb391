/**
 * Evaluates when tasks and workflows start by themselves. A due time counts once, whatever the clock does: a
 * run is identified by its due time, not by its start (F8, F23). Missed runs are listed, not caught up in a
 * burst.
 */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';

export const scheduleWhenSchema = z.discriminatedUnion('kind', [
  /** ms since the epoch. */
  z.strictObject({ kind: z.literal('once'), at: z.number() }),
  /** `timeZone`: IANA name. */
  z.strictObject({ kind: z.literal('cron'), expression: z.string(), timeZone: z.string() }),
  /** Has no due times: see `file-trigger.ts`. */
  z.strictObject({
    kind: z.literal('file'),
    /** Absolute; a file or a folder. */
    path: z.string(),
    /** Pattern for the relative paths in a folder, with `/`; `null` for all files. */
    glob: z.string().nullable(),
    /** ms without a change before the file counts. */
    restMs: z.number(),
  }),
  /** Has no due times: see `resource-trigger.ts`. */
  z.strictObject({
    kind: z.literal('resource'),
    /** Name of an MCP server. */
    server: z.string(),
    /** The agent whose server it is; `null` for one of all agents. */
    agent: z.string().nullable(),
    uri: z.string(),
    /** ms without a further change. */
    restMs: z.number(),
    /** ms between reads of a server without subscriptions. */
    pollMs: z.number(),
  }),
]);
export type ScheduleWhen = Readonly<z.infer<typeof scheduleWhenSchema>>;
export type CronWhen = Extract<ScheduleWhen, { kind: 'cron' }>;

/**
 * First due time strictly after `after` (ms), `null` if none; `invalid_input` for an unknown expression or
 * zone. A time skipped by daylight saving is due at the first moment after the gap, a repeated one only once;
 * an hourly expression follows elapsed time.
 */
export type NextRun = (when: CronWhen, after: number) => Result<number | null>;

const spanSchema = z.strictObject({ from: z.number(), to: z.number() });

export const scheduleStateSchema = z.strictObject({
  /** Next due time, ms. */
  next: z.number().nullable(),
  /** Clock at the last look, ms. */
  seenAt: z.number(),
  /** Last handled due time; `null` after the clock was set back. */
  lastDue: z.number().nullable(),
  /** Due times that have run, as spans without gaps, oldest first. */
  ran: z.array(spanSchema),
  /** Newest due times that did not run, oldest first. */
  missed: z.array(z.number()),
  /** Number missed since the person last looked; at least this many if above a thousand. */
  missedCount: z.number().int(),
});
export type ScheduleState = Readonly<z.infer<typeof scheduleStateSchema>>;

/** `show`: list missed runs. `latest`: run the newest missed one once. */
export type CatchUp = 'show' | 'latest';

export interface ScheduleTick {
  readonly state: ScheduleState;
  /** Due time to run now; at most one per look. */
  readonly due: number | null;
}

/** ms that a run may be late and still counts as on time. */
export const graceMs = 120_000;
export const maxMissed = 20;
const maxSpans = 20;
const maxCounted = 1_000;

/** Idempotency key of the task or run of a due time. */
export const dueKey = (scheduleId: string, due: number): string => `schedule:${scheduleId}:${due}`;

const hasRun = (state: ScheduleState, due: number): boolean =>
  state.ran.some(({ from, to }) => from <= due && due <= to);

const firstAfter = (when: ScheduleWhen, after: number, nextRun: NextRun): Result<number | null> => {
  if (when.kind === 'cron') return nextRun(when, after);
  return ok(when.kind === 'once' && when.at > after ? when.at : null);
};

/** First due time after `after` that has not run. */
function firstFree(
  when: ScheduleWhen,
  after: number,
  state: ScheduleState,
  nextRun: NextRun,
): Result<number | null> {
  for (let from = after; ; ) {
    const next = firstAfter(when, from, nextRun);
    if (!next.ok || next.value === null || !hasRun(state, next.value)) return next;
    const due = next.value;
    // The whole span has run: continue from its end.
    from = state.ran.find((span) => span.from <= due && due <= span.to)?.to ?? due;
  }
}

/** A one-off time in the past counts as missed at once, and can be run from the list. */
export function startSchedule(when: ScheduleWhen, now: number, nextRun: NextRun): Result<ScheduleState> {
  const first = firstAfter(when, now, nextRun);
  if (!first.ok) return first;
  const missed = when.kind === 'once' && first.value === null ? [when.at] : [];
  return ok({
    next: first.value,
    seenAt: now,
    lastDue: null,
    ran: [],
    missed,
    missedCount: missed.length,
  });
}

function markRan(state: ScheduleState, due: number, follows: boolean): ScheduleState['ran'] {
  const { ran } = state;
  const last = ran.at(-1);
  if (follows && last && last.to === state.lastDue)
    return [...ran.slice(0, -1), { from: last.from, to: due }];
  const spans = [...ran, { from: due, to: due }].sort((a, b) => a.from - b.from);
  const [first, second] = spans;
  if (spans.length <= maxSpans || !first || !second) return spans;
  // Merge the two oldest spans: the due times between them are dropped rather than run twice.
  return [{ from: first.from, to: second.to }, ...spans.slice(2)];
}

/** After the clock was set back: due times that already ran stay so, and missed ones are due again. */
function rewind(
  when: ScheduleWhen,
  state: ScheduleState,
  now: number,
  nextRun: NextRun,
): Result<ScheduleState> {
  const next = firstFree(when, now, state, nextRun);
  if (!next.ok) return next;
  const missed = state.missed.filter((due) => due <= now);
  const missedCount = state.missedCount - (state.missed.length - missed.length);
  return ok({ ...state, next: next.value, seenAt: now, lastDue: null, missed, missedCount });
}

/** Due times up to now, and the next one. */
function passed(
  when: ScheduleWhen,
  state: ScheduleState,
  now: number,
  nextRun: NextRun,
): Result<{ readonly dues: readonly number[]; readonly next: number | null }> {
  const dues: number[] = [];
  let { next } = state;
  while (next !== null && next <= now) {
    dues.push(next);
    const following = firstFree(when, dues.length < maxCounted ? next : now, state, nextRun);
    if (!following.ok) return following;
    next = following.value;
  }
  return ok({ dues, next });
}

/** Evaluates the clock. Call it when `next` is reached, after sleep, and at every start. */
export function tickSchedule(
  schedule: { readonly when: ScheduleWhen; readonly catchUp: CatchUp; readonly state: ScheduleState },
  now: number,
  nextRun: NextRun,
): Result<ScheduleTick> {
  const { when, catchUp } = schedule;
  const start = now < schedule.state.seenAt ? rewind(when, schedule.state, now, nextRun) : ok(schedule.state);
  if (!start.ok) return start;
  const state = start.value;
  const past = passed(when, state, now, nextRun);
  if (!past.ok) return past;
  const { dues, next } = past.value;
  const newest = dues.at(-1);
  if (newest === undefined) return ok({ state: { ...state, next, seenAt: now }, due: null });
  const runs = catchUp === 'latest' || now - newest <= graceMs;
  const lost = runs ? dues.slice(0, -1) : dues;
  return ok({
    due: runs ? newest : null,
    state: {
      next,
      seenAt: now,
      lastDue: newest,
      ran: runs ? markRan(state, newest, dues.length === 1) : state.ran,
      missed: [...state.missed, ...lost].slice(-maxMissed),
      missedCount: state.missedCount + lost.length,
    },
  });
}

/** "Run now" of a missed run, at most once. */
export function runMissed(state: ScheduleState, due: number): Result<ScheduleState> {
  if (!state.missed.includes(due)) {
    return err(fail('conflict', 'tasks.runNotMissed'));
  }
  const missed = state.missed.filter((other) => other !== due);
  const ran = markRan({ ...state, lastDue: null }, due, false);
  return ok({ ...state, missed, missedCount: Math.max(missed.length, state.missedCount - 1), ran });
}

export const putMissedAway = (state: ScheduleState): ScheduleState => ({
  ...state,
  missed: [],
  missedCount: 0,
});
