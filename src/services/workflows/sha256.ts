/** The one hash of workflows: of definitions, rows of a history, outputs, questions and tokens. */
import { createHash, hash } from 'node:crypto';
import { piecesOf } from '../../core/lib/text.ts';
import type { Sha256 } from '../../core/workflows/engine/events.ts';

/** Code units. */
const pieceLength = 65_536;

/** A large text is never turned into bytes as a whole: for that moment it would be held up to four times. */
export const sha256: Sha256 = (data) => {
  if (typeof data !== 'string' || data.length <= pieceLength) return hash('sha256', data, 'buffer');
  const whole = createHash('sha256');
  for (const piece of piecesOf(data, pieceLength)) whole.update(piece);
  return whole.digest();
};
