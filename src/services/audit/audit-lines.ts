/**
 * The format of the audit log: one canonical JSON object per line, each with the hash of the previous line,
 * so that a line that is changed, removed or inserted breaks all later ones. Signed checkpoints confirm the
 * chain.
 */
import { z } from 'zod';
import { type AuditLine, auditLineSchema } from '../../contract/approvals.ts';
import { stableJson } from '../../core/approvals/digest.ts';
import { fromBase64Url, fromUtf8, toHex, utf8 } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';

export const genesis = '0'.repeat(64);

/** The functions that verify a log; a host also signs. */
export type AuditCrypto = Pick<CryptoEngine, 'sha256' | 'ed25519Verify'>;

export const logName = 'audit.jsonl';
export const checkpointsName = 'checkpoints.jsonl';
export const keyName = 'host-key.json';

const hashOf = (crypto: AuditCrypto, line: Omit<AuditLine, 'hash'>): string =>
  toHex(crypto.sha256(utf8(stableJson(line) ?? '')));

export function sealLine(crypto: AuditCrypto, line: Omit<AuditLine, 'hash'>): AuditLine {
  return { ...line, hash: hashOf(crypto, line) };
}

export const auditLineText = (line: AuditLine): string => `${stableJson(line) ?? ''}\n`;

const strictLine = z.strictObject(auditLineSchema.shape);

/** The parsed line if its text is canonical and its hash is right, else the problem. */
export function readLine(crypto: AuditCrypto, bytes: Uint8Array): AuditLine | string {
  const text = fromUtf8(bytes);
  if (text === null) return 'is not text';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const parsed = strictLine.safeParse(value);
  if (!parsed.success) return 'does not have the form of an audit line';
  const { hash, ...rest } = parsed.data;
  if (stableJson(parsed.data) !== text) return 'was rewritten';
  return hash === hashOf(crypto, rest) ? parsed.data : 'was changed: its hash does not fit';
}

export const checkpointSchema = z.strictObject({
  seq: z.number().int(),
  hash: z.string(),
  at: z.number(),
  signature: z.string(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

export function checkpointBytes({ seq, hash, at }: Omit<Checkpoint, 'signature'>): Uint8Array {
  return utf8(`kennel/checkpoint/v1\0${stableJson({ seq, hash, at }) ?? ''}`);
}

export function checkpointHolds(crypto: AuditCrypto, publicKey: Uint8Array, checkpoint: Checkpoint): boolean {
  const signature = fromBase64Url(checkpoint.signature);
  return signature?.length === 64 && crypto.ed25519Verify(signature, checkpointBytes(checkpoint), publicKey);
}

export const hostKeySchema = z.object({ publicKey: z.string() });
