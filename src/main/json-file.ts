/**
 * A small JSON file of the app: written to a temporary file and renamed; an unreadable or invalid file counts
 * as absent.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';

export interface JsonFile<T> {
  read(): T | null;
  exists(): boolean;
  /** Returns false if writing fails. */
  write(value: T): boolean;
}

export function jsonFile<S extends z.ZodType>(file: string, schema: S): JsonFile<z.output<S>> {
  return {
    read() {
      try {
        return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        return null;
      }
    },
    exists: () => existsSync(file),
    write(value) {
      const next = path.join(path.dirname(file), `.${path.basename(file)}.next`);
      try {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
        renameSync(next, file);
        return true;
      } catch {
        return false;
      }
    },
  };
}
