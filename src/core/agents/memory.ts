/** An agent's memory files as one text for the system prompt (spec §5). */
import { strip } from '../lib/whitespace.ts';

export interface MemoryNote {
  /** File name without `.md`. */
  readonly name: string;
  readonly text: string;
}

/** Every note but README, by name, each under `### <name>`; empty ones are left out. */
export function memorySnapshot(notes: readonly MemoryNote[]): string {
  return notes
    .filter((note) => note.name !== 'README' && strip(note.text) !== '')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((note) => `### ${note.name}\n\n${strip(note.text)}`)
    .join('\n\n');
}
