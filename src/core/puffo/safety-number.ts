/**
 * The safety number of two identities: 60 decimal digits in groups of five, the same on both sides, which people
 * compare to find out that a server substituted a key. Each identity contributes 30 digits, about 100 bits.
 */
import { concat, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';

const label = utf8('kennel/safety-number/v1\0');
/** Makes the search for a key with the same digits more expensive. */
const rounds = 5_200;

export interface NumberedIdentity {
  readonly slug: string;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

function digitsOf(engine: Pick<CryptoEngine, 'sha256'>, { slug, root }: NumberedIdentity): string {
  let digest = engine.sha256(concat(label, root, utf8(slug)));
  for (let round = 1; round < rounds; round += 1) digest = engine.sha256(concat(digest, root));
  return Array.from({ length: 6 }, (_, group) => {
    const chunk = digest.subarray(group * 5, group * 5 + 5);
    // 40 bits fit a number exactly.
    const value = chunk.reduce((sum, byte) => sum * 256 + byte, 0);
    return String(value % 100_000).padStart(5, '0');
  }).join(' ');
}

export function safetyNumber(
  engine: Pick<CryptoEngine, 'sha256'>,
  one: NumberedIdentity,
  other: NumberedIdentity,
): string {
  return [digitsOf(engine, one), digitsOf(engine, other)].sort().join(' ');
}
