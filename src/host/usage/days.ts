// Calendar days in the time zone of this computer.

const two = (value: number): string => String(value).padStart(2, '0');

/** YYYY-MM-DD */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** YYYY-MM */
export const monthOf = (day: string): string => day.slice(0, 7);

/** The day or month of a limit at `ms`. */
export function periodOf(limit: string, ms: number): string {
  const day = dayOf(ms);
  return limit.endsWith('Day') ? day : monthOf(day);
}

/** The last `count` days including that of `ms`, oldest first. */
export function lastDays(ms: number, count: number): readonly string[] {
  const date = new Date(ms);
  // Noon exists on every day, even when the clocks change.
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() - (count - 1 - index), 12).getTime()),
  );
}

/** ms until the next day starts. */
export function untilTomorrow(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - ms;
}
