/**
 * The versions of an agent's notes: numbered files below `.history/<note>/`, limited to the newest 50. An
 * unreadable version is skipped; the others stay usable.
 */

import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { MemoryVersion } from '../../core/agents/memory-port.ts';
import { utf8 } from '../../core/lib/bytes.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { DiskPort } from '../../core/ports.ts';

const maxVersions = 50;
/** A note by a person may be longer than an agent's; JSON escapes add to it. */
const maxFileBytes = 8 * 1024 * 1024;

const storedSchema = z.object({
  at: z.number(),
  by: z.enum(['agent', 'operator']),
  /** `null` if the note was forgotten. */
  text: z.string().nullable(),
});
export type StoredVersion = z.infer<typeof storedSchema>;

export interface MemoryHistory {
  add(name: string, version: StoredVersion): Result<void>;
  last(name: string): Result<StoredVersion | null>;
  /** Oldest first. */
  all(name: string): Result<readonly MemoryVersion[]>;
  /**
   * `not_found` if that version was dropped or never existed; `null` if it recorded that the note was
   * forgotten.
   */
  text(name: string, version: number): Result<string | null>;
  /** The texts of every version of every note. */
  texts(): Result<readonly string[]>;
}

const fileOf = (version: number): string => `${String(version).padStart(6, '0')}.json`;

export function createMemoryHistory(folder: string, disk: DiskPort): MemoryHistory {
  const numbers = (name: string): Result<readonly number[]> => {
    const files = disk.files(join(folder, name));
    if (!files.ok) return files;
    return ok(
      files.value.filter((file) => /^\d{6,}[.]json$/.test(file)).map((file) => Number.parseInt(file, 10)),
    );
  };
  const get = (name: string, version: number): Result<StoredVersion | null> => {
    const text = disk.readText(join(folder, name, fileOf(version)), maxFileBytes);
    if (!text.ok) return text.error.code === 'corrupt' ? ok(null) : text;
    return ok(jsonAs(storedSchema, text.value ?? ''));
  };
  return {
    add(name, version) {
      const known = numbers(name);
      if (!known.ok) return known;
      const next = Math.max(0, ...known.value) + 1;
      const written = disk.write(join(folder, name, fileOf(next)), JSON.stringify(version));
      if (!written.ok) return written;
      // A failure here only keeps one version too many.
      for (const old of known.value
        .toSorted((a, b) => a - b)
        .slice(0, Math.max(0, known.value.length + 1 - maxVersions)))
        disk.remove(join(folder, name, fileOf(old)));
      return written;
    },
    last(name) {
      const known = numbers(name);
      if (!known.ok) return known;
      return known.value.length === 0 ? ok(null) : get(name, Math.max(...known.value));
    },
    all(name) {
      const known = numbers(name);
      if (!known.ok) return known;
      const versions: MemoryVersion[] = [];
      for (const version of known.value.toSorted((a, b) => a - b)) {
        const found = get(name, version);
        if (!found.ok) return found;
        if (!found.value) continue;
        const { at, by, text } = found.value;
        versions.push({ version, at, by, bytes: utf8(text ?? '').length, removed: text === null });
      }
      return ok(versions);
    },
    text(name, version) {
      const found = get(name, version);
      if (!found.ok) return found;
      return found.value
        ? ok(found.value.text)
        : err(fail('not_found', 'agents.unknownNoteVersion', { version, name }));
    },
    texts() {
      const names = disk.folders(folder);
      if (!names.ok) return names;
      const texts: string[] = [];
      for (const name of names.value) {
        const known = numbers(name);
        if (!known.ok) return known;
        for (const version of known.value) {
          const found = get(name, version);
          if (!found.ok) return found;
          if (found.value?.text) texts.push(found.value.text);
        }
      }
      return ok(texts);
    },
  };
}
