import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromUtf8, utf8 } from '../../core/lib/bytes.ts';
import type { DiskPort } from '../../core/ports.ts';
import { recordFile } from '../stores/record-file.ts';
import type { AccountKeys } from '../vault/account-keys.ts';

/** `null` if the file exists without contents. */
export const sealedSchema = z.object({ sealed: z.string().nullable() });

/** A secret text in its own file, wrapped by the open vault. */
export interface SealedFile {
  read(): Result<string | null>;
  write(text: string): Result<void>;
  remove(): Result<void>;
}

export function sealedFile(
  disk: DiskPort,
  keys: Pick<AccountKeys, 'seal' | 'unseal'>,
  path: string,
  label: string,
): SealedFile {
  const file = recordFile(disk, path, sealedSchema);
  return {
    read() {
      const found = file.read();
      if (!found.ok) return found;
      if (found.value === null || found.value.sealed === null) return ok(null);
      const opened = keys.unseal(label, found.value.sealed);
      if (!opened.ok) return opened;
      const text = fromUtf8(opened.value);
      return text === null ? err(fail('corrupt', 'identity.fileDamaged', {}, { where: path })) : ok(text);
    },
    write(text) {
      const sealed = keys.seal(label, utf8(text));
      return sealed.ok ? file.write({ sealed: sealed.value }) : sealed;
    },
    remove: () => file.remove(),
  };
}
