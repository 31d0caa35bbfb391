/**
 * The file of a journal that several programs may have open. A file that is not a plain database may be a
 * host's encrypted one, so a journal without a key leaves it unchanged. If another program quarantined the
 * file as damaged, this program switches to the replacement, so that no write goes to the abandoned file.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { StoreFile } from './store-file.ts';

const plainHeader = 'SQLite format 3\0';

function firstBytes(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    // The file is missing or unreadable; opening it reports which.
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

/** Returns `null` if the file does not exist yet or may be opened. */
export function refuseForeignFile(path: string): AppError | null {
  const found = firstBytes(path);
  if (found === '' || found === plainHeader) return null;
  return fail(
    'corrupt',
    'storage.journalUnreadable',
    {},
    { help: 'storage.chooseAnotherStateFolder', where: path },
  );
}

/** The inode, or `null` if the file does not exist. */
function identityOf(path: string): number | null {
  try {
    return statSync(path).ino;
  } catch {
    return null;
  }
}

/** The store file, reopened if the path names another inode than before. */
export function followedFile(path: string, file: StoreFile): StoreFile {
  let opened: number | null = null;
  const through = <T>(call: () => T): T => {
    const there = identityOf(path);
    if (file.isOpen && opened !== null && there !== opened) file.release();
    const done = call();
    // This call may have opened the file, or quarantined and recreated it.
    opened = there !== null && there === opened ? opened : identityOf(path);
    return done;
  };
  return {
    use: (work) => through(() => file.use(work)),
    write: (work) => through(() => file.write(work)),
    writeUnsynced: (work) => through(() => file.writeUnsynced(work)),
    release: () => file.release(),
    get isOpen() {
      return file.isOpen;
    },
  };
}
