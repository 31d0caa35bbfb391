/**
 * Classifies SQLite errors: faults of the disk and of other processes become `StoreError`s, everything else
 * is a bug.
 */
import { StoreError, type StoreErrorCode } from '../../core/lib/store-error.ts';

interface Kind {
  readonly pattern: RegExp;
  readonly code: StoreErrorCode;
  readonly says: string;
}

const kinds: readonly Kind[] = [
  {
    pattern: /^SQLITE_FULL/,
    code: 'disk_full',
    says: 'The disk is full: nothing was written, and what was stored before is kept. Free some space.',
  },
  {
    pattern: /^SQLITE_(CORRUPT|NOTADB|FORMAT)/,
    code: 'corrupt',
    says: 'The database is damaged or was encrypted with another key.',
  },
  {
    pattern: /^SQLITE_(READONLY|PERM|AUTH)/,
    code: 'io_error',
    says: 'The database may not be written: check the owner and the permissions of the folder.',
  },
  {
    pattern: /^SQLITE_CANTOPEN/,
    code: 'io_error',
    says: 'The database could not be opened: check that its folder exists and that you may use it.',
  },
  {
    pattern: /^SQLITE_(IOERR|NOMEM|NOLFS)/,
    code: 'io_error',
    says: 'The disk failed while the database was in use. What was confirmed before is kept.',
  },
  {
    pattern: /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    code: 'locked',
    says: 'Another process is using the database. Nothing was changed.',
  },
];

/** Returns `null` if the error is no external fault; the caller then rethrows the original. */
export function toStoreError(error: unknown, path: string): StoreError | null {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code } = error;
  const kind = kinds.find(({ pattern }) => pattern.test(code));
  return kind ? new StoreError(kind.code, `${kind.says} (${path}, ${code})`, { cause: error }) : null;
}
