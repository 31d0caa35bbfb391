import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import {
  type CatchUp,
  dueKey,
  graceMs,
  type NextRun,
  putMissedAway,
  runMissed,
  type ScheduleState,
  type ScheduleWhen,
  startSchedule,
  tickSchedule,
} from './schedule.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** Fake cron: due whenever the clock shows a whole multiple. */
const every: NextRun = ({ expression }, after) => {
  const ms = Number(expression);
  if (!(ms > 0)) return err(textError('invalid_input', 'no such expression'));
  return ok((Math.floor(after / ms) + 1) * ms);
};
const hourly: ScheduleWhen = { kind: 'cron', expression: String(hour), timeZone: 'Europe/Berlin' };
const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

/** A schedule under a virtual clock; `ran` lists due times. */
function watched(when: ScheduleWhen, catchUp: CatchUp, startsAt: number) {
  let state: ScheduleState = value(startSchedule(when, startsAt, every));
  const ran: number[] = [];
  return {
    ran,
    look(now: number) {
      const tick = value(tickSchedule({ when, catchUp, state }, now, every));
      state = tick.state;
      if (tick.due !== null) ran.push(tick.due);
    },
    runNow(due: number) {
      state = value(runMissed(state, due));
      ran.push(due);
    },
    state: () => state,
    putAway() {
      state = putMissedAway(state);
    },
  };
}

describe('Schedules', () => {
  it('start once when due, and again only at the next due time', () => {
    const plan = watched(hourly, 'show', 10);
    for (const now of [hour - 1, hour, hour + 1, hour + 1, 2 * hour + 5]) plan.look(now);
    expect(plan.ran).toEqual([hour, 2 * hour]);
    expect(plan.state().ran).toEqual([{ from: hour, to: 2 * hour }]);
    expect(dueKey('s1', hour)).toBe('schedule:s1:3600000');
  });
  it('list starts missed during sleep, and run one on request, once (F23)', () => {
    const plan = watched(hourly, 'show', 10);
    plan.look(30 * hour + graceMs + 1);
    expect(plan.ran).toEqual([]);
    expect(plan.state().missed).toHaveLength(20);
    expect(plan.state().missedCount).toBe(30);
    plan.runNow(30 * hour);
    expect(() => plan.runNow(30 * hour)).toThrow('not missed any more');
    expect(plan.state().missedCount).toBe(29);
    plan.putAway();
    expect(plan.state()).toMatchObject({ missed: [], missedCount: 0, next: 31 * hour });
  });
  it('catch up once after sleep if set so, without a burst (F23)', () => {
    const plan = watched(hourly, 'latest', 10);
    plan.look(30 * hour + graceMs + 1);
    plan.look(30 * hour + graceMs + 2);
    expect(plan.ran).toEqual([30 * hour]);
    expect(plan.state().missedCount).toBe(29);
  });
  it('do not repeat a due time if the clock goes back over it (F8)', () => {
    const plan = watched(hourly, 'show', 10);
    plan.look(hour);
    plan.look(hour - 5);
    plan.look(hour);
    plan.look(hour + 5);
    expect(plan.ran).toEqual([hour]);
    plan.look(2 * hour);
    expect(plan.ran).toEqual([hour, 2 * hour]);
  });
  it('keep running after the clock was a day ahead (F8)', () => {
    const plan = watched(hourly, 'show', 10);
    plan.look(hour);
    plan.look(hour + day);
    expect(plan.ran).toEqual([hour, hour + day]);
    plan.look(hour + 60_000);
    expect(plan.state().missed).toEqual([]);
    for (let n = 2; n <= 26; n += 1) plan.look(n * hour);
    const days = Array.from({ length: 26 }, (_, n) => (n + 1) * hour);
    expect([...plan.ran].sort((a, b) => a - b)).toEqual(days);
  });
  it('handle one-off times: on time, missed, and reset when the clock goes back', () => {
    const at = 5 * hour;
    const inTime = watched({ kind: 'once', at }, 'show', 0);
    for (const now of [at - 1, at + 1, at - 10, at + 2]) inTime.look(now);
    expect(inTime.ran).toEqual([at]);
    const late = watched({ kind: 'once', at }, 'show', 0);
    late.look(at + day);
    expect(late.state()).toMatchObject({ next: null, missed: [at] });
    late.look(at - hour);
    expect(late.state()).toMatchObject({ next: at, missed: [] });
    expect(watched({ kind: 'once', at }, 'show', at + 1).state().missed).toEqual([at]);
  });
  it('count a long absence without stepping through every minute', () => {
    const minutely: ScheduleWhen = { kind: 'cron', expression: '60000', timeZone: 'UTC' };
    const plan = watched(minutely, 'show', 0);
    plan.look(365 * day + 1);
    expect(plan.state().missedCount).toBe(1_000);
    expect(plan.state().next).toBe(365 * day + 60_000);
  });
  it('return the error of an invalid expression', () => {
    const bad: ScheduleWhen = { kind: 'cron', expression: 'x', timeZone: 'UTC' };
    expect(startSchedule(bad, 0, every)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });
  it('never start a due time twice or early, whatever the clock does (F8, F23)', () => {
    const moves = fc.array(fc.integer({ min: -2 * day, max: 2 * day }), { maxLength: 60 });
    fc.assert(
      fc.property(moves, fc.constantFrom<CatchUp>('show', 'latest'), (jumps, catchUp) => {
        let now = 10 * day;
        const plan = watched(hourly, catchUp, now);
        for (const jump of jumps) {
          now = Math.max(0, now + jump);
          const before = plan.ran.length;
          plan.look(now);
          expect(plan.ran.length - before).toBeLessThanOrEqual(1);
          expect(plan.ran.slice(before).every((due) => due <= now)).toBe(true);
          const { next, ran } = plan.state();
          expect(next).toBeGreaterThan(now);
          expect(ran.some(({ from, to }) => from <= Number(next) && Number(next) <= to)).toBe(false);
        }
        expect(new Set(plan.ran).size).toBe(plan.ran.length);
      }),
    );
  });
});
