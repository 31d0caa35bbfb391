/**
 * Converts between instants and the wall times of a time zone. It promises an instant for every wall time: a
 * time that daylight saving skips maps to the first moment after the gap, a repeated one to its first
 * occurrence.
 *
 * A wall time is the ms since the epoch at which a UTC clock shows the same.
 */

export interface ZoneClock {
  /** The wall time at this instant. */
  wallOf(instant: number): number;
  /** The first instant with this wall time, or with a later one if daylight saving skips it. */
  firstAt(wall: number): number;
  /** The first instant with the same offset as `to`; `from` has another offset. */
  changeBetween(from: number, to: number): number;
}

const day = 86_400_000;

/**
 * Binary search for the first instant that satisfies `holds`, which is true for `to` and false for `from`.
 */
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

/** Returns `null` if the zone does not exist. */
export function zoneClock(timeZone: string): ZoneClock | null {
  const wallOf = wallReader(timeZone);
  if (!wallOf) return null;
  return {
    wallOf,
    firstAt(wall) {
      // An offset lasts for days, so only those of the day before and after can apply.
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
