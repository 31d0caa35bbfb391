/** Finds the lines missing from a log, given the last line that another store remembers (T28). */
import { join } from 'node:path';
import { type AuditCrypto, logName, readLine } from './audit-lines.ts';
import { linesBackwards } from './read-audit.ts';

/** The last line of a log; `seq` is 0 if the log is empty. */
export interface AuditEnd {
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
}

/**
 * Describes the missing lines; `null` if the remembered line is present and unchanged, even if others follow
 * it.
 */
export function missingLines(
  crypto: AuditCrypto,
  folder: string,
  { found, remembered }: { readonly found: AuditEnd; readonly remembered: AuditEnd },
): string | null {
  const { seq, hash } = remembered;
  if (found.seq === 0) return seq === 1 ? 'the only line is missing' : `all ${seq} lines are missing`;
  if (found.seq < seq) {
    return found.seq + 1 === seq
      ? `line ${seq} is missing`
      : `lines ${found.seq + 1} to ${seq} are missing, ${seq - found.seq} of ${seq}`;
  }
  for (const bytes of linesBackwards(join(folder, logName))) {
    const line = readLine(crypto, bytes);
    if (typeof line === 'string') break;
    if (line.seq === seq && line.hash === hash) return null;
    if (line.seq <= seq) break;
  }
  return `the lines up to ${seq} are missing: others stand in their place`;
}
