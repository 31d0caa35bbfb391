/**
 * Looks at a file before a journal without a key is opened there: what is not a plain database may be the encrypted one of a
 * host, and is left exactly as it is, never put aside as damaged.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { type AppError, appError } from '../../contract/errors.ts';

const plainHeader = 'SQLite format 3\0';

function firstBytes(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    // Not there, or not to be read: the opening says which.
    return '';
  }
  try {
    const bytes = Buffer.alloc(plainHeader.length);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
}

/** Null: nothing is there yet, or it may be opened. */
export function refuseForeignFile(path: string): AppError | null {
  const found = firstBytes(path);
  if (found === '' || found === plainHeader) return null;
  return appError(
    'corrupt',
    'This is no journal that can be read without a key: it is encrypted, or damaged. It was left as it is.',
    {
      where: path,
      hint: 'Choose another state folder, or move this file away.',
    },
  );
}
