/** Formats times: relative or short in the text, exact in the tooltip. */
import { locale, t } from '../../language/texts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const styles = {
  clock: { hour: 'numeric', minute: '2-digit' },
  seconds: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  exact: { dateStyle: 'full', timeStyle: 'medium' },
  shortDate: { day: 'numeric', month: 'short' },
  longDate: { weekday: 'long', day: 'numeric', month: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Cached, because creating a formatter is far slower than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(style: keyof typeof styles, at: number): string {
  const key = `${locale()} ${style}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale(), styles[style]);
  formats.set(key, format);
  return format.format(at);
}

export const exactTime = (at: number): string => formatted('exact', at);
export const clockTime = (at: number): string => formatted('clock', at);
export const secondsTime = (at: number): string => formatted('seconds', at);

export function relativeTime(at: number, now: number): string {
  const ago = now - at;
  if (ago < 45_000) return t('time.justNow');
  if (ago < hour) return t('time.minutesAgo', { n: Math.max(1, Math.round(ago / minute)) });
  if (ago < day && sameDay(at, now)) return t('time.hoursAgo', { n: Math.round(ago / hour) });
  if (daysApart(at, now) === 1) return t('time.yesterday');
  if (ago < 7 * day) return t('time.daysAgo', { n: daysApart(at, now) });
  return formatted('shortDate', at);
}

/** Duration, for example "12 s", "3 min", "2 h". */
export function lasting(since: number, now: number): string {
  const ms = Math.max(0, now - since);
  if (ms < minute) return t('time.seconds', { n: Math.round(ms / 1000) });
  if (ms < hour) return t('time.minutes', { n: Math.round(ms / minute) });
  if (ms < 2 * day) return t('time.hours', { n: Math.round(ms / hour) });
  return t('time.days', { n: Math.round(ms / day) });
}

export function untilTime(at: number, now: number): string {
  if (at <= now) return t('time.now');
  if (at - now >= 2 * day) return t('time.inDays', { n: Math.round((at - now) / day) });
  return t('time.in', { duration: lasting(now, at) });
}

export function dayName(at: number, now: number): string {
  const apart = daysApart(at, now);
  if (apart > 1) return formatted('longDate', at);
  return apart === 0 ? t('time.today') : t('time.yesterdayAsHeading');
}

export const sameDay = (a: number, b: number): boolean =>
  new Date(a).toDateString() === new Date(b).toDateString();

function daysApart(at: number, now: number): number {
  const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(at)) / day);
}
