/** Remembers starts that did not come to rest, so that the one after several of them asks before it tries again. */
import { z } from 'zod';
import type { JsonFile } from './json-file.ts';

/** So many within so long: then it is not chance. */
const maxFailed = 3;
const windowMs = 5 * 60_000;

export const startRecordSchema = z.object({
  /** ms since the epoch, of starts that neither held nor ended as they should. */
  begun: z.array(z.number()).max(20),
});
type StartRecord = z.output<typeof startRecordSchema>;

const recent = (record: StartRecord | null, now: number): number[] =>
  (record?.begun ?? []).filter((at) => at <= now && now - at < windowMs).slice(-10);

/** Notes a start; true when those before it failed too often. */
export function beginStart(file: JsonFile<StartRecord>, now: number): boolean {
  const begun = recent(file.read(), now);
  file.write({ begun: [...begun, now] });
  return begun.length >= maxFailed;
}

/** It held, or the person ended it: nothing counts against the next. */
export function startHeld(file: JsonFile<StartRecord>): void {
  file.write({ begun: [] });
}
