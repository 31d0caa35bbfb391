/** Records failed starts, so that the app opens the recovery window after several in a row. */
import { z } from 'zod';
import type { JsonFile } from './json-file.ts';

/** `maxFailed` failed starts within `windowMs` open the recovery window. */
const maxFailed = 3;
const windowMs = 5 * 60_000;

export const startRecordSchema = z.object({
  /** Times of starts that neither succeeded nor ended cleanly, in ms since the epoch. */
  begun: z.array(z.number()).max(20),
});
type StartRecord = z.output<typeof startRecordSchema>;

const recent = (record: StartRecord | null, now: number): number[] =>
  (record?.begun ?? []).filter((at) => at <= now && now - at < windowMs).slice(-10);

/** Records a start; returns true if too many recent ones failed. */
export function beginStart(file: JsonFile<StartRecord>, now: number): boolean {
  const begun = recent(file.read(), now);
  file.write({ begun: [...begun, now] });
  return begun.length >= maxFailed;
}

/** The start succeeded or was ended by the operator, so the record is cleared. */
export function startHeld(file: JsonFile<StartRecord>): void {
  file.write({ begun: [] });
}
