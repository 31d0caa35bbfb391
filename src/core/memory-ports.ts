/** An agent's notes, as its tools and the operator reach them. */
import type { Result } from '../contract/result.ts';
import type { NoteOrigin, NoteSource } from './agents/note-lines.ts';

export interface MemoryNoteInfo {
  readonly name: string;
  readonly bytes: number;
  /** ms since the epoch. */
  readonly updatedAt: number;
  /** No line of it is untrusted. */
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
  /** The note was forgotten with this change. */
  readonly removed: boolean;
}

/** One agent's Markdown notes in `memory/`, with a history so that any change can be undone. Names: `[\w-]{1,64}`. */
export interface MemoryPort {
  notes(): Result<readonly MemoryNoteInfo[]>;
  read(name: string): Result<string>;
  /**
   * At most 64 KiB a note, 200 notes. `source`: the lines it adds are untrusted; refused if it changes trusted ones, which
   * stay what they are (T9).
   */
  write(name: string, text: string, by: MemoryVersion['by'], source?: NoteSource | null): Result<void>;
  /** A note holds untrusted lines; in doubt it does (T9). */
  foreign(): boolean;
  /** `null` if the whole note is trusted. */
  unconfirmed(name: string): Result<UnconfirmedLines | null>;
  /** The operator's yes to the note as it was in its newest version; `conflict` if that is another one by now. */
  confirm(name: string, version: number): Result<void>;
  /** Takes the untrusted lines out, and the note with them if it holds nothing else. */
  dropUnconfirmed(name: string, version: number): Result<void>;
  forget(name: string, by: MemoryVersion['by'], source?: NoteSource | null): Result<void>;
  history(name: string): Result<readonly MemoryVersion[]>;
  restore(name: string, version: number, by: MemoryVersion['by']): Result<void>;
}
