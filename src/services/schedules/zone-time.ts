/**
 * What the clocks of a time zone show, and when they show it. It promises an instant for every wall time: one that daylight
 * saving skips is the first moment after the gap, one that it repeats is its first showing.
 *
 * A wall time is the ms since the epoch at which a clock on UTC shows the same.
 */

export interface ZoneClock {
  /** What the zone's clocks show at this instant. */
  wallOf(instant: number): number;
  /** The first instant at which they show this, or more where they never show it. */
  firstAt(wall: number): number;
  /** The first instant that goes by the same offset as `to`, where `from` goes by another. */
  changeBetween(from: number, to: number): number;
}

const day = 86_400_000;

/** The first for which `holds`; it holds for `to` and not for `from`. */
function firstThat(from: number, to: number, holds: (instant: number) => boolean): number {
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}

function wallReader(timeZone: string): ZoneClock['wallOf'] | null {
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...date, ...time });
    return (instant) => {
      const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
      const of = (name: string): number => Number(parts[name]);
      const rest = ((instant % 1_000) + 1_000) % 1_000;
      return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) + rest;
    };
  } catch {
    return null;
  }
}

/** Null: there is no such zone. */
export function zoneClock(timeZone: string): ZoneClock | null {
  const wallOf = wallReader(timeZone);
  if (!wallOf) return null;
  return {
    wallOf,
    firstAt(wall) {
      // An offset lasts for days: those of the day before and after are all that can apply.
      const guesses = [wall - day, wall + day].map((near) => wall + near - wallOf(near));
      const [first, last] = [Math.min(...guesses), Math.max(...guesses)];
      const shown = [first, last].find((instant) => wallOf(instant) === wall);
      return shown ?? firstThat(first - 1, last, (instant) => wallOf(instant) >= wall);
    },
    changeBetween(from, to) {
      const shift = wallOf(to) - to;
      return firstThat(from, to, (instant) => wallOf(instant) - instant === shift);
    },
  };
}
