/**
 * Joins an agent's memory files for the system prompt (spec §5), capped: if the notes are too long, the
 * newest stay, and the text names the others and how to read them.
 */
import { codePointLength, cutCodePoints } from '../lib/text.ts';
import { strip } from '../lib/whitespace.ts';

export interface MemoryNote {
  /** File name without `.md`. */
  readonly name: string;
  readonly text: string;
  /** ms since the epoch; absent counts as oldest. */
  readonly updatedAt?: number;
}

/** Most code points of all notes together. */
export const maxMemory = 32 * 1024;

interface Piece {
  readonly name: string;
  readonly text: string;
  readonly updatedAt: number;
}

const byName = (a: Piece, b: Piece): number => (a.name < b.name ? -1 : 1);
const byAge = (a: Piece, b: Piece): number => b.updatedAt - a.updatedAt || byName(a, b);
const joined = (pieces: readonly Piece[]): string =>
  pieces
    .toSorted(byName)
    .map(({ text }) => text)
    .join('\n\n');

/** All notes except README, by name, each under `### <name>`; empty ones are left out. */
export function memorySnapshot(notes: readonly MemoryNote[], limit = maxMemory): string {
  const pieces = notes
    .filter((note) => note.name !== 'README' && strip(note.text) !== '')
    .map(({ name, text, updatedAt = 0 }) => ({ name, updatedAt, text: `### ${name}\n\n${strip(text)}` }));
  const whole = joined(pieces);
  return codePointLength(whole) <= limit ? whole : newest(pieces, limit);
}

const maxNamed = 50;

/** Code points reserved for the sentence about omitted notes. */
const noteRoom = 1_000;

function newest(pieces: readonly Piece[], limit: number): string {
  const kept: Piece[] = [];
  const left: string[] = [];
  let room = limit - noteRoom;
  for (const piece of pieces.toSorted(byAge)) {
    const length = codePointLength(piece.text) + 2;
    if (length <= room) kept.push(piece);
    else if (kept.length === 0 && room > 0)
      kept.push({ ...piece, text: `${cutCodePoints(piece.text, room)}…` });
    if (length > room) left.push(piece.name);
    room -= kept.at(-1)?.name === piece.name ? length : 0;
  }
  const named = left.slice(0, maxNamed).map((name) => cutCodePoints(name, 64));
  const more = left.length > named.length ? ` and ${left.length - named.length} more` : '';
  const missing = cutCodePoints(named.join(', '), noteRoom - 200);
  return `${joined(kept)}\n\n[Not shown whole, because your notes are longer than fits here: ${missing}${more}. memory_search finds them, memory_read shows them.]`;
}
