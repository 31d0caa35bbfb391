/** Schema of errors from outside. Separate from the type, so that showing an error loads no schemas. */
import { z } from 'zod';
import { type AppError, errorCodes } from './errors.ts';
import { messageRefSchema } from './host-text-schema.ts';

export const errorCodeSchema = z.enum(errorCodes);

export const appErrorSchema: z.ZodType<AppError> = z.object({
  code: errorCodeSchema,
  message: z.string(),
  said: messageRefSchema.optional(),
  hint: z.string().optional(),
  help: messageRefSchema.optional(),
  where: z.string().optional(),
});
