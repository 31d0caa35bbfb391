/**
 * Which notes were written while words of others were in the turn (T9). The mark comes before the text and goes after
 * it, so that a crash leaves one too many and never one too few.
 */

import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { DiskPort } from '../../core/ports.ts';

const namesSchema = z.array(z.string().max(64)).max(1_000);
const maxBytes = 256 * 1024;

export interface MemoryMarks {
  /** Null: the marks cannot be read, so it may be any. */
  names(): ReadonlySet<string> | null;
  set(name: string, marked: boolean): Result<void>;
}

export function createMemoryMarks(path: string, disk: DiskPort): MemoryMarks {
  const names = (): Set<string> | null => {
    const text = disk.readText(path, maxBytes);
    if (!text.ok) return null;
    if (text.value === null) return new Set();
    const marked = jsonAs(namesSchema, text.value);
    return marked && new Set(marked);
  };
  return {
    names,
    set(name, marked) {
      const known = names();
      if (known === null || known.has(name) === marked) return ok(undefined);
      if (marked) known.add(name);
      else known.delete(name);
      return known.size === 0 ? disk.remove(path) : disk.write(path, JSON.stringify([...known].sort()));
    },
  };
}
