/**
 * Reads cron expressions: computes the next due time in a time zone. It promises the rules of `NextRun`: if
 * daylight saving repeats a time, an expression for certain hours is due once; if it skips the time, at the
 * first moment after the gap; one for every hour follows elapsed time.
 */
import { Cron } from 'croner';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CronWhen, NextRun } from '../../core/tasks/schedule.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { type ZoneClock, zoneClock } from './zone-time.ts';

interface CronReader {
  readonly everyHour: boolean;
  /** The first wall time strictly after this one. */
  next(wall: number): number | null;
}

const maxKept = 200;
/** More minutes than any zone repeats. */
const maxSteps = 3_000;
const maxChanges = 50;

function kept<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  if (known.size >= maxKept) known.clear();
  known.set(key, made);
  return made;
}

/** Parses five fields down to the minute, or a nickname like `@daily`. */
function read(expression: string): Result<CronReader> {
  const text = expression.trim();
  const fields = text.split(/\s+/);
  if (!text.startsWith('@') && fields.length === 6) {
    return err(badExpression(say('schedules.cronHasSixFields')));
  }
  if (!text.startsWith('@') && fields.length !== 5) {
    return err(badExpression(say('schedules.cronNeedsFiveFields')));
  }
  try {
    // Computed in UTC, where every wall time exists once; the functions below convert it to the zone.
    const cron = new Cron(text, { paused: true, timezone: 'UTC', mode: '5-part' });
    return ok({
      everyHour: fields[1] === '*' || text === '@hourly',
      next: (wall) => cron.nextRun(new Date(wall))?.getTime() ?? null,
    });
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    return err(badExpression(said));
  }
}

const badExpression = (why: HostText) =>
  appError('invalid_input', say('schedules.invalidCron', { why }), {
    hint: say('schedules.cronExample'),
    where: 'expression',
  });

const badZone = (name: string) =>
  fail(
    'invalid_input',
    'schedules.unknownTimeZone',
    { name },
    { help: 'schedules.timeZoneExample', where: 'timeZone' },
  );

/** By wall time: each time once, and the times in a gap when it ends. */
function nextByWall(reader: CronReader, zone: ZoneClock, after: number): number | null {
  let wall = zone.wallOf(after);
  for (let step = 0; step < maxSteps; step += 1) {
    const next = reader.next(wall);
    if (next === null) return null;
    const due = zone.firstAt(next);
    // Only the first occurrence of a repeated time counts, and that was before `after`.
    if (due > after) return due;
    wall = next;
  }
  return null;
}

/** By elapsed time: at the current offset, and again from each change of offset. */
function nextByTime(reader: CronReader, zone: ZoneClock, after: number): number | null {
  let from = after;
  for (let step = 0; step < maxChanges; step += 1) {
    const shift = zone.wallOf(from) - from;
    const next = reader.next(from + shift);
    if (next === null) return null;
    const due = next - shift;
    if (zone.wallOf(due) === next) return due;
    const change = zone.changeBetween(from, due);
    const wall = zone.wallOf(change);
    if (reader.next(wall - 1) === wall) return change;
    from = change;
  }
  return null;
}

export function createNextRun(): NextRun {
  const readers = new Map<string, Result<CronReader>>();
  const zones = new Map<string, ZoneClock | null>();
  return ({ expression, timeZone }: CronWhen, after) => {
    const reader = kept(readers, expression, () => read(expression));
    if (!reader.ok) return reader;
    const zone = kept(zones, timeZone, () => zoneClock(timeZone));
    if (!zone) return err(badZone(timeZone));
    const next = reader.value.everyHour ? nextByTime : nextByWall;
    return ok(next(reader.value, zone, after));
  };
}
