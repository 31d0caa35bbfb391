/**
 * When tasks and workflows start by themselves. It promises that a due time counts once, whatever the clock does: a run
 * is known by the moment it was due, not by the moment it began (F8, F23). What was missed is listed, not made up for in a burst.
 */
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';

export const scheduleWhenSchema = z.discriminatedUnion('kind', [
  /** ms since the epoch. */
  z.strictObject({ kind: z.literal('once'), at: z.number() }),
  /** `timeZone`: IANA name. */
  z.strictObject({ kind: z.literal('cron'), expression: z.string(), timeZone: z.string() }),
  /** No time of its own: see `file-trigger.ts`. */
  z.strictObject({
    kind: z.literal('file'),
    /** Absolute; a file or a folder. */
    path: z.string(),
    /** Of a folder: of the paths below it, with `/` between; null: all of them. */
    glob: z.string().nullable(),
    /** How long it must not have changed, ms. */
    restMs: z.number(),
  }),
]);
export type ScheduleWhen = Readonly<z.infer<typeof scheduleWhenSchema>>;
export type CronWhen = Extract<ScheduleWhen, { kind: 'cron' }>;

/**
 * The first due time strictly after `after` (ms), null when there is none; `invalid_input` for an expression or zone that
 * does not exist. A time that daylight saving skips is due at the first moment after the gap, one that it repeats is due once;
 * an expression for every hour goes on by the time that passes.
 */
export type NextRun = (when: CronWhen, after: number) => Result<number | null>;

const spanSchema = z.strictObject({ from: z.number(), to: z.number() });

export const scheduleStateSchema = z.strictObject({
  /** The next due time, ms. */
  next: z.number().nullable(),
  /** The clock at the last look. */
  seenAt: z.number(),
  /** The due time handled last, null after a clock was set back. */
  lastDue: z.number().nullable(),
  /** Due times that have run, as spans without one between that has not. Oldest first. */
  ran: z.array(spanSchema),
  /** The newest due times that did not run, oldest first. */
  missed: z.array(z.number()),
  /** How many were missed altogether since you last looked; at least, where more than a thousand. */
  missedCount: z.number().int(),
});
export type ScheduleState = Readonly<z.infer<typeof scheduleStateSchema>>;

/** `show`: list what was missed. `latest`: run the newest of it once. */
export type CatchUp = 'show' | 'latest';

export interface ScheduleTick {
  readonly state: ScheduleState;
  /** The due time to run now; at most one a look. */
  readonly due: number | null;
}

/** ms that a run may be late and still counts as in time. */
export const graceMs = 120_000;
export const maxMissed = 20;
const maxSpans = 20;
const maxCounted = 1_000;

/** The idempotency key of the task or run that a due time makes. */
export const dueKey = (scheduleId: string, due: number): string => `schedule:${scheduleId}:${due}`;

const hasRun = (state: ScheduleState, due: number): boolean =>
  state.ran.some(({ from, to }) => from <= due && due <= to);

const firstAfter = (when: ScheduleWhen, after: number, nextRun: NextRun): Result<number | null> => {
  if (when.kind === 'cron') return nextRun(when, after);
  return ok(when.kind === 'once' && when.at > after ? when.at : null);
};

/** The first due time after `after` that has not run. */
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
    // Nothing within a span is free: on from its end.
    from = state.ran.find((span) => span.from <= due && due <= span.to)?.to ?? due;
  }
}

/** A one-off time that is past already is missed at once, and can be run from there. */
export function startSchedule(when: ScheduleWhen, now: number, nextRun: NextRun): Result<ScheduleState> {
  const first = firstAfter(when, now, nextRun);
  if (!first.ok) return first;
  const missed = when.kind === 'once' && first.value === null ? [when.at] : [];
  return ok({
    ...{ next: first.value, seenAt: now, lastDue: null, ran: [], missed, missedCount: missed.length },
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
  // Two that lie furthest back become one: what lay between them is given up rather than run twice.
  return [{ from: first.from, to: second.to }, ...spans.slice(2)];
}

/** After a clock was set back: what it had run ahead of time stays run, what it had only missed is due again. */
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

/** The due times up to now, and the next one after them. */
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

/** Looks at the clock: call it when `next` is reached, after sleep, and at every start. */
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
      ...{ next, seenAt: now, lastDue: newest },
      ran: runs ? markRan(state, newest, dues.length === 1) : state.ran,
      missed: [...state.missed, ...lost].slice(-maxMissed),
      missedCount: state.missedCount + lost.length,
    },
  });
}

/** "Run now" of a missed run: once. */
export function runMissed(state: ScheduleState, due: number): Result<ScheduleState> {
  if (!state.missed.includes(due)) {
    return err(appError('conflict', 'This run is not missed any more: it has run or was put away.'));
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
