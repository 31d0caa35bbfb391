/** JSON from outside as plain data of a known shape. */
import type { z } from 'zod';

/** Null: the text is no JSON, or says something of another shape. */
export function jsonAs<T extends z.ZodType>(schema: T, text: string): z.output<T> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
