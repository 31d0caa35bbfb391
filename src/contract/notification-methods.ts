/** Methods about what is announced: muted rooms and threads, quiet hours, sounds. */
import { z } from 'zod';
import { done, none, row } from './method-row.ts';
import { notificationSettingsSchema, quietSpanSchema } from './notification-settings.ts';
import { weekdays } from './quiet-hours.ts';

export const notificationMethods = {
  /** Mutes a room, or one thread of it, for some time or until it is unmuted. */
  'chat.mute': row(
    () =>
      z.strictObject({
        room: z.string().min(1).max(200),
        /** Id of the thread's root. */
        thread: z.string().min(1).max(100).optional(),
        on: z.boolean().default(true),
        /** `null` until it is unmuted; at most a year. */
        minutes: z.number().int().min(1).max(527_040).nullable().default(null),
        /** Whether mentions of the operator still count. */
        mentions: z.boolean().default(true),
      }),
    () => z.object({ roomId: z.string(), until: z.number().nullable() }),
  ),
  'notifications.get': row(
    () => none,
    () => notificationSettingsSchema,
  ),
  /** Absent fields keep their value; a day with `null` has no quiet hours. */
  'notifications.set': row(
    () =>
      z.strictObject({
        sounds: z.boolean().optional(),
        quietHours: z.partialRecord(z.enum(weekdays), quietSpanSchema.nullable()).optional(),
        quietApprovals: z.boolean().optional(),
      }),
    () => done,
  ),
} as const;
