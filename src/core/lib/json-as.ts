/** Parses untrusted JSON into data of a known schema. */
import type { z } from 'zod';

/** `null` if the text is no JSON or does not fit the schema. */
export function jsonAs<T extends z.ZodType>(schema: T, text: string): z.output<T> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** `null` if the text is no JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
