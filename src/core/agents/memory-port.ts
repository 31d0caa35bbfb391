/** Ports of an agent's notes, for its tools and the operator. */
import type { Result } from '../../contract/result.ts';
import type { NoteOrigin, NoteSource } from './note-lines.ts';

export interface MemoryNoteInfo {
  readonly name: string;
  readonly bytes: number;
  /** ms since the epoch. */
  readonly updatedAt: number;
  /** No line of the note is untrusted. */
  readonly confirmed: boolean;
}

/** Lines of a note that were written while untrusted content was in the conversation (T9). */
export interface UnconfirmedLines {
  readonly text: string;
  readonly origin: NoteOrigin;
}

export interface MemoryVersion {
  readonly version: number;
  readonly at: number;
  readonly by: 'agent' | 'operator';
  readonly bytes: number;
  /** This version deleted the note. */
  readonly removed: boolean;
}

/**
 * One agent's Markdown notes in `memory/`, with a history so that any change can be undone. Names:
 * `[\w-]{1,64}`.
 */
export interface MemoryPort {
  notes(): Result<readonly MemoryNoteInfo[]>;
  read(name: string): Result<string>;
  /**
   * At most 64 KiB per note, 200 notes. `source` marks the added lines as untrusted; refused if the write
   * changes trusted lines (T9).
   */
  write(name: string, text: string, by: MemoryVersion['by'], source?: NoteSource | null): Result<void>;
  /** Whether any note contains untrusted lines; true if unknown (T9). */
  foreign(): boolean;
  /** `null` if the whole note is trusted. */
  unconfirmed(name: string): Result<UnconfirmedLines | null>;
  /**
   * Records the operator's confirmation of the note's newest version; `conflict` if `version` is not the
   * newest.
   */
  confirm(name: string, version: number): Result<void>;
  /** Removes the untrusted lines, and the note if nothing else remains. */
  dropUnconfirmed(name: string, version: number): Result<void>;
  forget(name: string, by: MemoryVersion['by'], source?: NoteSource | null): Result<void>;
  history(name: string): Result<readonly MemoryVersion[]>;
  restore(name: string, version: number, by: MemoryVersion['by']): Result<void>;
}
