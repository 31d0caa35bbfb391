import { toHex, utf8 } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';

/**
 * A message id derived from the message's subject, so that a message repeated after a crash has the same id
 * (I2).
 */
export function derivedEnvelopeId(crypto: Pick<CryptoEngine, 'sha256'>, ...about: readonly string[]): string {
  const hex = toHex(crypto.sha256(utf8(['kennel derived message', ...about].join('\0'))));
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
  ];
  return `msg_${[...groups, hex.slice(20, 32)].join('-')}`;
}
