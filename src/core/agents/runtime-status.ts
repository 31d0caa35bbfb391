/** Reads and writes runtime.json, which shows other programs the state of an agent (spec §5). */

import { z } from 'zod';
import { jsonAs } from '../lib/json-as.ts';

const seconds = z.number().min(0);
const runtimeStatusSchema = z.object({
  status: z.enum(['running', 'paused', 'error', 'stopped']),
  started_at: seconds,
  updated_at: seconds,
  msg_count: z.number().int().min(0),
  last_event_at: seconds,
  error: z.string(),
  health: z.enum(['ok', 'auth_failed', 'unknown']),
});

/** Times are seconds since the epoch; 0 for never. */
export type RuntimeStatus = Readonly<z.infer<typeof runtimeStatusSchema>>;

export function formatRuntimeStatus(status: RuntimeStatus): string {
  const { started_at, updated_at, msg_count, last_event_at, error, health } = status;
  const ordered = { status: status.status, started_at, updated_at, msg_count, last_event_at, error, health };
  return JSON.stringify(ordered, null, 2);
}

/** `null` for invalid text; the caller then starts anew. */
export const parseRuntimeStatus = (text: string): RuntimeStatus | null => jsonAs(runtimeStatusSchema, text);
