/**
 * Reads the audit log backwards, piece by piece, so that the newest lines of a long log cost no more than
 * those of a short one.
 */

import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditLine, auditLineSchema } from '../../contract/approvals.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import { logName } from './audit-lines.ts';

const pieceBytes = 64 * 1024;
const newline = 0x0a;

export interface AuditQuery {
  readonly agent?: string;
  /** Only lines with a lower `seq`. */
  readonly before?: number;
  readonly limit: number;
}

/** Bytes up to and including the last newline. */
export function wholeBytes(path: string): number {
  const file = openSync(path, 'r');
  try {
    for (let end = fstatSync(file).size; end > 0; end = Math.max(0, end - pieceBytes)) {
      const start = Math.max(0, end - pieceBytes);
      const piece = Buffer.alloc(end - start);
      readSync(file, piece, 0, piece.length, start);
      const last = piece.lastIndexOf(newline);
      if (last >= 0) return start + last + 1;
    }
    return 0;
  } finally {
    closeSync(file);
  }
}

interface Split {
  /** Newest first. */
  readonly lines: readonly Buffer[];
  /** The bytes before the first newline: the end of a line that begins in an earlier piece. */
  readonly rest: Buffer | null;
}

/** `end` is the end of the newest line in `bytes`; negative if no line ends here. */
function splitBackwards(bytes: Buffer, end: number): Split {
  if (end < 0) return { lines: [], rest: null };
  const lines: Buffer[] = [];
  let last = end;
  for (;;) {
    const before = last > 0 ? bytes.lastIndexOf(newline, last - 1) : -1;
    if (before < 0) return { lines, rest: bytes.subarray(0, last) };
    lines.push(bytes.subarray(before + 1, last));
    last = before;
  }
}

/** Whole lines, newest first; bytes after the last newline are skipped. */
export function* linesBackwards(path: string): Generator<Buffer> {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    let rest: Buffer | null = null;
    for (let end = fstatSync(file).size; end > 0; end = Math.max(0, end - pieceBytes)) {
      const start = Math.max(0, end - pieceBytes);
      const piece = Buffer.alloc(end - start);
      readSync(file, piece, 0, piece.length, start);
      const bytes: Buffer = rest === null ? piece : Buffer.concat([piece, rest]);
      const split: Split = splitBackwards(bytes, rest === null ? bytes.lastIndexOf(newline) : bytes.length);
      yield* split.lines;
      rest = split.rest;
    }
    if (rest !== null) yield rest;
  } finally {
    closeSync(file);
  }
}

/** Newest first; skips an unreadable line, which `verifyAudit` reports. */
export function readAudit(folder: string, query: AuditQuery): { lines: AuditLine[]; hasMore: boolean } {
  const lines: AuditLine[] = [];
  for (const bytes of linesBackwards(join(folder, logName))) {
    const line = jsonAs(auditLineSchema, bytes.toString('utf8'));
    if (!line || (query.agent !== undefined && line.agentId !== query.agent)) continue;
    if (query.before !== undefined && line.seq >= query.before) continue;
    if (lines.length === query.limit) return { lines, hasMore: true };
    lines.push(line);
  }
  return { lines, hasMore: false };
}
