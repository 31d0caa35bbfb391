/** Reads the bytes of a file as text, or detects another kind. */

import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { fromUtf8 } from '../../../core/lib/bytes.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';

/** Maximum bytes of a file that is read, changed or compared whole. */
export const maxTextBytes = 8 * 1024 * 1024;
export const maxImageBytes = 5 * 1024 * 1024;

/** `null` if not UTF-8, or if a NUL is near the start. */
export function decodeFileText(bytes: Uint8Array): string | null {
  return bytes.subarray(0, 8192).includes(0) ? null : fromUtf8(bytes);
}

export async function readWhole(files: ConfinedFiles, path: string): Promise<Result<Uint8Array>> {
  const read = await files.read(path, { maxBytes: maxTextBytes });
  if (!read.ok) return read;
  const { bytes, size } = read.value;
  if (size <= maxTextBytes) return ok(bytes);
  return err(
    fail('too_large', 'tools.fileTooLarge', { size }, { help: 'tools.readPartsWithBash', where: path }),
  );
}

/** The file's text, or `null` if it does not exist. Binary content is `unsupported`. */
export async function readFileText(files: ConfinedFiles, path: string): Promise<Result<string | null>> {
  const whole = await readWhole(files, path);
  if (!whole.ok) return whole.error.code === 'not_found' ? ok(null) : whole;
  const text = decodeFileText(whole.value);
  return text === null ? err(fail('unsupported', 'tools.binaryFile', {}, { where: path })) : ok(text);
}
