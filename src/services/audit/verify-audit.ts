/**
 * Verifies an audit log without the host that wrote it, and names the first line that was altered (T28). With
 * the key from the vault (`expectedKey`) it also detects a log that was recreated under another key.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import { tryJson } from '../../core/lib/json-as.ts';
import {
  type AuditCrypto,
  type Checkpoint,
  checkpointHolds,
  checkpointSchema,
  checkpointsName,
  genesis,
  hostKeySchema,
  keyName,
  logName,
  readLine,
} from './audit-lines.ts';

export interface AuditVerdict {
  readonly ok: boolean;
  /** Number of valid whole lines, from the first. */
  readonly lines: number;
  /** Names the first bad line; empty if none. */
  readonly problem: string;
}

/** Maximum number of lines between checkpoints. */
export const checkpointEvery = 32;

interface Chain {
  /** `hashes[n]` is the hash of line n + 1. */
  readonly hashes: readonly string[];
  readonly problem: string;
}

function followChain(crypto: AuditCrypto, log: Buffer): Chain {
  const hashes: string[] = [];
  let at = 0;
  while (at < log.length) {
    const number = hashes.length + 1;
    const bad = (why: string): Chain => ({ hashes, problem: `Line ${number} ${why}.` });
    const end = log.indexOf(0x0a, at);
    if (end < 0) return bad('was cut off: it has no end');
    const line = readLine(crypto, log.subarray(at, end));
    if (typeof line === 'string') return bad(line);
    if (line.seq !== number) return bad(`calls itself number ${line.seq}: a line was taken out or put in`);
    if (line.prev !== (hashes.at(-1) ?? genesis)) return bad('does not follow from the line before it');
    hashes.push(line.hash);
    at = end + 1;
  }
  return { hashes, problem: '' };
}

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Skips a last line without newline: a crash may have cut it. */
function readCheckpoints(folder: string): readonly (Checkpoint | null)[] {
  const lines = textOf(join(folder, checkpointsName)).split('\n').slice(0, -1);
  return lines.map((line) => {
    const parsed = checkpointSchema.safeParse(tryJson(line));
    return parsed.success ? parsed.data : null;
  });
}

function checkpointProblem(
  crypto: AuditCrypto,
  folder: string,
  key: Uint8Array,
  hashes: readonly string[],
): string {
  const checkpoints = readCheckpoints(folder);
  if (checkpoints.length === 0 && hashes.length > checkpointEvery)
    return 'The signed checkpoints are missing.';
  for (const [index, checkpoint] of checkpoints.entries()) {
    if (!checkpoint || !checkpointHolds(crypto, key, checkpoint))
      return `Checkpoint ${index + 1} is not signed by this host's key.`;
    const { seq, hash } = checkpoint;
    const found = hashes[seq - 1];
    if (found === undefined)
      return `Line ${hashes.length + 1} is missing: the host signed a log of at least ${seq} lines.`;
    if (found !== hash)
      return `Line ${seq} is not the one the host signed: the log was made anew up to there.`;
  }
  return '';
}

function asideNote(folder: string): string {
  if (!existsSync(folder)) return '';
  const aside = readdirSync(folder).filter((name) => name.includes('.damaged-'));
  return aside.length === 0 ? '' : `A damaged log was put aside before: ${aside.join(', ')}.`;
}

/** A folder without a log is valid, because nothing was recorded yet. */
export function verifyAudit(crypto: AuditCrypto, folder: string, expectedKey?: string): AuditVerdict {
  const path = join(folder, logName);
  const log = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const { hashes, problem } = followChain(crypto, log);
  const no = (why: string): AuditVerdict => ({ ok: false, lines: hashes.length, problem: why });
  if (problem !== '') return no(problem);
  const stored = hostKeySchema.safeParse(tryJson(textOf(join(folder, keyName))));
  if (!stored.success) {
    return hashes.length === 0
      ? { ok: true, lines: 0, problem: '' }
      : no("The host's public key is missing.");
  }
  const { publicKey } = stored.data;
  if (expectedKey !== undefined && publicKey !== expectedKey) return no("The public key is not this host's.");
  const key = fromBase64Url(publicKey);
  if (key?.length !== 32) return no("The host's public key is damaged.");
  const signed = checkpointProblem(crypto, folder, key, hashes);
  return signed === '' ? { ok: true, lines: hashes.length, problem: asideNote(folder) } : no(signed);
}
