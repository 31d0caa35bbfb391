// Times as people type them: a date, "in 2h", "tomorrow 9:00". Local time unless a zone is given.

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const spans = /^(\d{1,5}(?:\.\d)?)\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)$/;
const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** ms, or `null` if the text is not a duration. */
export function readSpan(text: string): number | null {
  const [, count, unit = ''] = spans.exec(text.trim().toLowerCase()) ?? [];
  const ms = units[unit.charAt(0)];
  return count === undefined || ms === undefined ? null : Math.round(Number(count) * ms);
}

interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

function readTime(text: string): TimeOfDay | null {
  const [, hour, minute = '0', half] = /^(\d{1,2})(?::(\d\d))?\s*(am|pm)?$/.exec(text) ?? [];
  if (hour === undefined || (minute === '0' && half === undefined && !text.includes(':'))) return null;
  const said = Number(hour);
  const twelve = half !== undefined;
  if (Number(minute) > 59 || said > (twelve ? 12 : 23) || (twelve && said === 0)) return null;
  return { hour: twelve ? (said % 12) + (half === 'pm' ? 12 : 0) : said, minute: Number(minute) };
}

const atTime = (now: number, plusDays: number, { hour, minute }: TimeOfDay): number => {
  const then = new Date(now);
  then.setDate(then.getDate() + plusDays);
  then.setHours(hour, minute, 0, 0);
  return then.getTime();
};

/** Days until the next such weekday, excluding today. */
function daysUntil(word: string, now: number): number | null {
  if (word === 'today') return 0;
  if (word === 'tomorrow') return 1;
  const found = days.findIndex((day) => day === word || (word.length === 3 && day.startsWith(word)));
  return found < 0 ? null : ((found - new Date(now).getDay() + 6) % 7) + 1;
}

function readDay(text: string, now: number): number | null {
  const [word = '', ...rest] = text.split(/\s+(?:at\s+)?/);
  const plain = readTime(text);
  if (plain) {
    const today = atTime(now, 0, plain);
    return today > now ? today : atTime(now, 1, plain);
  }
  const until = daysUntil(word, now);
  const time = rest.length === 0 ? { hour: 9, minute: 0 } : readTime(rest.join(' '));
  return until === null || !time || (rest.length === 0 && until === 0) ? null : atTime(now, until, time);
}

const isoDate =
  /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?\s*(z|[+-]\d\d:?\d\d)?)?$/;

function readIso(text: string): number | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = ''] = isoDate.exec(text) ?? [];
  if (year === undefined) return null;
  const offset = zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  // `Date` would turn the 31st of June into the 1st of July.
  const there = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return Number.isNaN(at) || there.getUTCDate() !== Number(day) ? null : at;
}

/** ms since the epoch, or `null` if the text is not a time. A time of day is its next occurrence. */
export function readWhen(text: string, now: number): number | null {
  const plain = text.trim().toLowerCase();
  if (plain === 'now') return now;
  const after = /^in\s+(.*)$/.exec(plain)?.[1] ?? /^\+(.*)$/.exec(plain)?.[1];
  if (after !== undefined) {
    const span = readSpan(after);
    return span === null ? null : now + span;
  }
  return readIso(plain) ?? readDay(plain, now);
}

/** `2026-12-24 18:00`, local time. */
export function shownTime(at: number): string {
  const then = new Date(at);
  const two = (n: number): string => String(n).padStart(2, '0');
  const date = `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
  return `${date} ${two(then.getHours())}:${two(then.getMinutes())}`;
}

/** `2026-12-24 18:00:00`, UTC. */
export const utcSecond = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

/** `2026-12-24 18:00`, UTC. */
export const shownMinute = (at: number): string => utcSecond(at).slice(0, 16);
