/**
 * Hours of the day in which nothing is announced, per weekday, in the local time of the computer. The window
 * loads this file at its start, so it has no schema.
 */

/** In the order of `Date.getDay`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof weekdays)[number];

/** Starts at the first time of that day; if it ends earlier than it starts, it ends on the next day. */
export const quietSpan = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

export interface NotificationSettings {
  /** One short sound for each notification. */
  readonly sounds: boolean;
  /** `HH:MM-HH:MM` by the day on which it starts. */
  readonly quietHours: Readonly<Partial<Record<Weekday, string>>>;
  /** Whether approvals are announced in quiet hours too. They always appear in the inbox. */
  readonly quietApprovals: boolean;
}

export const defaultNotifications: NotificationSettings = {
  sounds: true,
  quietHours: {},
  quietApprovals: true,
};

const minutesIn = (text: string): readonly [number, number] => {
  const [, h1 = '0', m1 = '0', h2 = '0', m2 = '0'] = quietSpan.exec(text) ?? [];
  return [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)];
};

/** `at` is read in the local time zone. */
export function isQuiet({ quietHours }: Pick<NotificationSettings, 'quietHours'>, at: Date): boolean {
  const now = at.getHours() * 60 + at.getMinutes();
  const spanOf = (day: number): string | undefined => quietHours[weekdays[(day + 7) % 7] ?? 'sun'];
  const today = spanOf(at.getDay());
  const yesterday = spanOf(at.getDay() - 1);
  if (today !== undefined) {
    const [from, to] = minutesIn(today);
    if (now >= from && (to < from || now < to)) return true;
  }
  if (yesterday === undefined) return false;
  const [from, to] = minutesIn(yesterday);
  return to < from && now < to;
}
