/**
 * Records which lines of an agent's notes came from untrusted content (T9), in `.history/provenance.json`
 * beside the notes, by the hash of each line. The record is written before the text, so that a crash leaves
 * one mark too many and never one too few. An unreadable record counts as "every line".
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { contentLines, type NoteOrigin, type NoteParts, splitNote } from '../../core/agents/note-lines.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { DiskPort } from '../../core/ports.ts';
import { signatureOf } from './agent-folder.ts';
import { createMemoryHistory } from './memory-history.ts';
import { readNotes } from './read-notes.ts';

const originSchema = z.object({ at: z.number(), threadKey: z.string(), turnId: z.string() });
const recordSchema = z.object({
  origins: z.array(originSchema),
  /** Maps the hash of a line to the index of its origin. */
  untrusted: z.record(z.string(), z.number().int()),
});
const legacySchema = z.array(z.string().max(64)).max(1_000);

const maxBytes = 8 * 1024 * 1024;
const maxLines = 100_000;
export const unknownOrigin: NoteOrigin = { at: 0, threadKey: '', turnId: '' };

const hashOf = (content: string): string => createHash('sha256').update(content).digest('base64url');

type Lines = ReadonlyMap<string, NoteOrigin>;

export interface NoteProvenance {
  /** True if no line is untrusted. Cheap. */
  isEmpty(): boolean;
  split(text: string): NoteParts;
  /** The origin of the first untrusted line; `null` if the text has none. */
  originOf(text: string): NoteOrigin | null;
  /**
   * Marks every line of `text` as untrusted in all notes. `kept` returns all texts whose marks must be kept.
   */
  distrust(text: string, origin: NoteOrigin, kept: () => Result<readonly string[]>): Result<void>;
  /** Marks every line of `text` as trusted. `others` returns the texts of all other notes. */
  trust(text: string, others: () => Result<readonly string[]>): Result<void>;
}

class FileProvenance implements NoteProvenance {
  readonly #path: string;
  readonly #legacyPath: string;
  readonly #disk: DiskPort;
  #seen: { readonly signature: string; readonly lines: Lines | null } | null = null;

  constructor(folder: string, disk: DiskPort) {
    this.#path = join(folder, '.history', 'provenance.json');
    this.#legacyPath = join(folder, '.history', 'foreign.json');
    this.#disk = disk;
  }

  isEmpty(): boolean {
    return this.#lines()?.size === 0;
  }

  split(text: string): NoteParts {
    const lines = this.#lines();
    return splitNote(text, (content) => lines === null || lines.has(hashOf(content)));
  }

  originOf(text: string): NoteOrigin | null {
    const lines = this.#lines();
    if (lines === null) return unknownOrigin;
    for (const content of contentLines(text)) {
      const origin = lines.get(hashOf(content));
      if (origin) return origin;
    }
    return null;
  }

  distrust(text: string, origin: NoteOrigin, kept: () => Result<readonly string[]>): Result<void> {
    const lines = this.#lines();
    if (lines === null) return ok(undefined);
    const fresh = contentLines(text)
      .map(hashOf)
      .filter((hash) => !lines.has(hash));
    if (fresh.length === 0) return ok(undefined);
    let known = lines;
    if (known.size + fresh.length > maxLines) {
      const texts = kept();
      if (!texts.ok) return texts;
      const used = new Set(texts.value.flatMap((one) => contentLines(one).map(hashOf)));
      known = new Map([...lines].filter(([hash]) => used.has(hash)));
    }
    if (known.size + fresh.length > maxLines) return err(tooMany);
    return this.#write(new Map([...known, ...fresh.map((hash) => [hash, origin] as const)]));
  }

  trust(text: string, others: () => Result<readonly string[]>): Result<void> {
    const rest = new Map(this.#lines() ?? []);
    if (this.#lines() === null) {
      const texts = others();
      if (!texts.ok) return texts;
      for (const other of texts.value)
        for (const content of contentLines(other)) rest.set(hashOf(content), unknownOrigin);
    }
    for (const content of contentLines(text)) rest.delete(hashOf(content));
    return this.#write(rest);
  }

  /** `null` if the record cannot be read. */
  #lines(): Lines | null {
    const signature = signatureOf(this.#path);
    if (this.#seen?.signature !== signature) this.#seen = { signature, lines: this.#read() };
    return this.#hasLegacy() ? null : this.#seen.lines;
  }

  /**
   * True while an older record exists, which marks whole notes: every note counts as untrusted until
   * `convertMarks` has read it.
   */
  #hasLegacy(): boolean {
    return signatureOf(this.#legacyPath) !== '';
  }

  #read(): Lines | null {
    const text = this.#disk.readText(this.#path, maxBytes);
    if (!text.ok) return null;
    if (text.value === null) return new Map();
    const record = jsonAs(recordSchema, text.value);
    if (!record) return null;
    const { origins, untrusted } = record;
    return new Map(Object.entries(untrusted).map(([hash, at]) => [hash, origins[at] ?? unknownOrigin]));
  }

  #write(lines: Lines): Result<void> {
    const origins: NoteOrigin[] = [];
    const indexes = new Map<string, number>();
    const untrusted: Record<string, number> = {};
    for (const [hash, origin] of lines) {
      const key = `${origin.turnId}\0${origin.threadKey}\0${origin.at}`;
      const index = indexes.get(key) ?? origins.push(origin) - 1;
      indexes.set(key, index);
      untrusted[hash] = index;
    }
    const written = this.#disk.write(this.#path, JSON.stringify({ origins, untrusted }));
    if (!written.ok) return written;
    return this.#hasLegacy() ? this.#disk.remove(this.#legacyPath) : written;
  }

  /**
   * Names of the notes that an older version marked whole; `null` if no such record exists or it cannot be
   * read.
   */
  legacyNames(): readonly string[] | null {
    if (!this.#hasLegacy()) return null;
    const text = this.#disk.readText(this.#legacyPath, maxBytes);
    return text.ok && text.value !== null ? jsonAs(legacySchema, text.value) : null;
  }

  convertMarks(textOf: (name: string) => string): Result<void> {
    const names = this.legacyNames();
    const before = this.#seen?.lines ?? this.#read();
    if (names === null || before === null) return ok(undefined);
    const lines = new Map(before);
    for (const content of contentLines(names.map(textOf).join('\n')))
      lines.set(hashOf(content), unknownOrigin);
    return this.#write(lines);
  }
}

const tooMany = fail('too_large', 'agents.tooManyPendingLines', {}, { help: 'agents.forgetOrConfirmNotes' });

/** Opens the record of the notes in `folder`; converts one of an older version. */
export function openNoteProvenance(folder: string, disk: DiskPort): NoteProvenance {
  const provenance = new FileProvenance(folder, disk);
  provenance.convertMarks((name) => {
    const text = disk.readText(join(folder, `${name}.md`), maxBytes);
    return text.ok ? (text.value ?? '') : '';
  });
  return provenance;
}

/** Every imported note waits for the operator's approval, whatever its record says. */
export function distrustNotes(folder: string, disk: DiskPort, at: number): Result<void> {
  const notes = readNotes(folder, disk);
  if (!notes.ok) return notes;
  const removed = disk.remove(join(folder, '.history', 'provenance.json'));
  if (!removed.ok) return removed;
  const old = createMemoryHistory(join(folder, '.history'), disk).texts();
  if (!old.ok) return old;
  const all = [...notes.value.map(({ text }) => text), ...old.value];
  return openNoteProvenance(folder, disk).distrust(all.join('\n'), { ...unknownOrigin, at }, () => ok(all));
}
