import type { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';

const maxBytes = 1024 * 1024;

/** A small JSON file of the host, written atomically and validated when read. */
export interface RecordFile<T> {
  /** `null` if the file does not exist. */
  read(): Result<T | null>;
  write(value: T): Result<void>;
  remove(): Result<void>;
}

export function recordFile<S extends z.ZodType>(
  disk: DiskPort,
  path: string,
  schema: S,
): RecordFile<z.output<S>> {
  return {
    read() {
      const text = disk.readText(path, maxBytes);
      if (!text.ok || text.value === null) return text as Result<null>;
      try {
        return ok(schema.parse(JSON.parse(text.value)));
      } catch {
        return err(
          fail('corrupt', 'identity.fileDamaged', {}, { help: 'storage.restoreFromBackup', where: path }),
        );
      }
    },
    write: (value) => disk.write(path, `${JSON.stringify(value, null, 2)}\n`),
    remove: () => disk.remove(path),
  };
}
