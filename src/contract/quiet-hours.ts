/** Hours of the day in which nothing is announced, per weekday, in the local time of the computer. */
import { z } from 'zod';

/** In the order of `Date.getDay`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof weekdays)[number];

/** Starts at the first time of that day; if it ends earlier than it starts, it ends on the next day. */
const span = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

export const quietSpanSchema = z
  .string()
  .regex(span, { error: 'must look like 22:00-07:00' })
  .refine((text) => text.slice(0, 5) !== text.slice(6), { error: 'must not start and end at the same time' });

export const notificationSettingsSchema = z.object({
  /** One short sound for each notification. */
  sounds: z.boolean(),
  /** `HH:MM-HH:MM` by the day on which it starts. */
  quietHours: z.partialRecord(z.enum(weekdays), quietSpanSchema),
  /** Whether approvals are announced in quiet hours too. They always appear in the inbox. */
  quietApprovals: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

export const defaultNotifications: NotificationSettings = {
  sounds: true,
  quietHours: {},
  quietApprovals: true,
};

const minutesIn = (text: string): readonly [number, number] => {
  const [, h1 = '0', m1 = '0', h2 = '0', m2 = '0'] = span.exec(text) ?? [];
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
