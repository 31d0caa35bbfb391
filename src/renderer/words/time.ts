/** Times as a person says them; the exact one is for the tooltip. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const longDate = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

export const exactTime = (at: number): string => exact.format(at);
export const clockTime = (at: number): string => clock.format(at);

export function relativeTime(at: number, now: number): string {
  const ago = now - at;
  if (ago < 45_000) return 'just now';
  if (ago < hour) return `${Math.max(1, Math.round(ago / minute))} min ago`;
  if (ago < day && sameDay(at, now)) return `${Math.round(ago / hour)} h ago`;
  if (daysApart(at, now) === 1) return 'yesterday';
  if (ago < 7 * day) return `${daysApart(at, now)} days ago`;
  return shortDate.format(at);
}

/** How long something has lasted: "12 s", "3 min", "2 h". */
export function lasting(since: number, now: number): string {
  const ms = Math.max(0, now - since);
  if (ms < minute) return `${Math.round(ms / 1000)} s`;
  if (ms < hour) return `${Math.round(ms / minute)} min`;
  if (ms < 2 * day) return `${Math.round(ms / hour)} h`;
  return `${Math.round(ms / day)} days`;
}

export function untilTime(at: number, now: number): string {
  return at <= now ? 'now' : `in ${lasting(now, at)}`;
}

export function dayName(at: number, now: number): string {
  const apart = daysApart(at, now);
  return apart === 0 ? 'Today' : apart === 1 ? 'Yesterday' : longDate.format(at);
}

export const sameDay = (a: number, b: number): boolean =>
  new Date(a).toDateString() === new Date(b).toDateString();

function daysApart(at: number, now: number): number {
  const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(at)) / day);
}
