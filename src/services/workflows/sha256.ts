/** The single hash function of workflows: for definitions, event rows, outputs, gates and tokens. */
import { createHash, hash } from 'node:crypto';
import { piecesOf } from '../../core/lib/text.ts';
import type { Sha256 } from '../../core/workflows/engine/events.ts';

/** Code units. */
const pieceLength = 65_536;

/** A large text is hashed in pieces, because converting it whole would hold it up to four times in memory. */
export const sha256: Sha256 = (data) => {
  if (typeof data !== 'string' || data.length <= pieceLength) return hash('sha256', data, 'buffer');
  const whole = createHash('sha256');
  for (const piece of piecesOf(data, pieceLength)) whole.update(piece);
  return whole.digest();
};
