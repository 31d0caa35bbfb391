import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CatchUp, type ScheduleState, startSchedule, tickSchedule } from '../../core/tasks/schedule.ts';
import { createNextRun } from './cron-next.ts';

const nextRun = createNextRun();
const hour = 3_600_000;

/** The due times that ran, under a clock that makes these jumps. */
function runsOf(
  expression: string,
  timeZone: string,
  from: number,
  jumps: readonly number[],
  catchUp: CatchUp,
) {
  const when = { kind: 'cron', expression, timeZone } as const;
  const started = startSchedule(when, from, nextRun);
  if (!started.ok) throw new Error(started.error.message);
  let state: ScheduleState = started.value;
  let now = from;
  const ran: number[] = [];
  for (const jump of jumps) {
    now += jump;
    const tick = tickSchedule({ when, catchUp, state }, now, nextRun);
    if (!tick.ok) throw new Error(tick.error.message);
    ({ state } = tick.value);
    if (tick.value.due !== null) ran.push(tick.value.due);
  }
  return { ran, state, now };
}

describe('Cron schedules', () => {
  it('run each due time once on nights with a DST change (F8)', () => {
    const minutes = Array.from({ length: 8 * 60 }, () => 60_000);
    const night = (date: string) =>
      runsOf('30 2 * * *', 'Europe/Berlin', Date.parse(`${date}T22:00:00Z`), minutes, 'show').ran;
    expect(night('2026-10-24')).toEqual([Date.parse('2026-10-25T00:30:00Z')]);
    expect(night('2026-03-28')).toEqual([Date.parse('2026-03-29T01:00:00Z')]);
  });
  it('run no due time twice or early, however the clock jumps around such a night (F8, F23)', () => {
    const expressions = ['30 2 * * *', '0 * * * *', '*/20 1-3 * * *', '15 */2 * * 0', '59 23 * * *'];
    const jump = fc.oneof(
      fc.integer({ min: 0, max: 30 * 60_000 }),
      fc.integer({ min: -2 * hour, max: 6 * hour }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...expressions),
        fc.constantFrom('2026-03-28T18:00:00Z', '2026-10-24T18:00:00Z'),
        fc.array(jump, { maxLength: 50 }),
        fc.constantFrom<CatchUp>('show', 'latest'),
        (expression, from, jumps, catchUp) => {
          const { ran, state, now } = runsOf(expression, 'Europe/Berlin', Date.parse(from), jumps, catchUp);
          expect(new Set(ran).size).toBe(ran.length);
          expect(state.missed.some((due) => ran.includes(due))).toBe(false);
          if (state.next !== null) expect(state.next).toBeGreaterThan(now);
        },
      ),
      { numRuns: 150 },
    );
  });
});
