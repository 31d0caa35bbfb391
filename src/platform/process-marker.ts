/**
 * Marks the processes that Kennel starts by a variable of their initial environment, which Linux lets their
 * owner read. A program that clears it escapes.
 */
import { readFileSync } from 'node:fs';

export const markerName = 'KENNEL_RUN';

/** Compares bytes, because an environment need not be text. `except`: prefixes of markers that do not count. */
export function bearsMarker(pid: number, marker: string, except?: string): boolean {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`);
    const isMarked = (prefix: string): boolean => environ.includes(`${markerName}=${prefix}`);
    return isMarked(marker) && !(except !== undefined && isMarked(except));
  } catch {
    return false;
  }
}
