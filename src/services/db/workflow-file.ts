/**
 * The file of a journal that several programs may have open. What is not a plain database may be the encrypted one of a host: a
 * journal without a key leaves it exactly as it is. And who has a file open that another program put aside as damaged turns
 * to the one in its place, so that nothing is written where nobody looks any more.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type AppError, appError } from '../../contract/errors.ts';
import type { StoreFile } from './store-file.ts';

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

/** Null: nothing is there just now. */
function identityOf(path: string): number | null {
  try {
    return statSync(path).ino;
  } catch {
    return null;
  }
}

/** The same file, looked for anew at each call. */
export function followedFile(path: string, file: StoreFile): StoreFile {
  let opened: number | null = null;
  const through = <T>(call: () => T): T => {
    const there = identityOf(path);
    if (file.isOpen && opened !== null && there !== opened) file.release();
    const done = call();
    // It may have been opened by this call, or put aside and made anew.
    opened = there !== null && there === opened ? opened : identityOf(path);
    return done;
  };
  return {
    use: (work) => through(() => file.use(work)),
    write: (work) => through(() => file.write(work)),
    release: () => file.release(),
    get isOpen() {
      return file.isOpen;
    },
  };
}
