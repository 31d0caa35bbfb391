import { z } from 'zod';
import { type NotificationSettings, quietSpan, weekdays } from './quiet-hours.ts';

export const quietSpanSchema = z
  .string()
  .regex(quietSpan, { error: 'must look like 22:00-07:00' })
  .refine((text) => text.slice(0, 5) !== text.slice(6), { error: 'must not start and end at the same time' });

export const notificationSettingsSchema: z.ZodType<NotificationSettings> = z.object({
  sounds: z.boolean(),
  quietHours: z.partialRecord(z.enum(weekdays), quietSpanSchema),
  quietApprovals: z.boolean(),
});
