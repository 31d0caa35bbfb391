/**
 * Classifies SQLite errors: faults of the disk and of other processes become `StoreError`s, everything else
 * is a bug.
 */
import { StoreError, type StoreErrorCode } from '../../core/lib/store-error.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

interface Kind {
  readonly pattern: RegExp;
  readonly code: StoreErrorCode;
  readonly says: HostText;
}

const kinds: readonly Kind[] = [
  {
    pattern: /^SQLITE_FULL/,
    code: 'disk_full',
    says: say('storage.databaseDiskFull'),
  },
  {
    pattern: /^SQLITE_(CORRUPT|NOTADB|FORMAT)/,
    code: 'corrupt',
    says: say('storage.databaseDamaged'),
  },
  {
    pattern: /^SQLITE_(READONLY|PERM|AUTH)/,
    code: 'io_error',
    says: say('storage.databaseNotWritable'),
  },
  {
    pattern: /^SQLITE_CANTOPEN/,
    code: 'io_error',
    says: say('storage.databaseFolderUnusable'),
  },
  {
    pattern: /^SQLITE_(IOERR|NOMEM|NOLFS)/,
    code: 'io_error',
    says: say('storage.databaseDiskFailed'),
  },
  {
    pattern: /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    code: 'locked',
    says: say('storage.databaseInUse'),
  },
];

/** Returns `null` if the error is no external fault; the caller then rethrows the original. */
export function toStoreError(error: unknown, path: string): StoreError | null {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code } = error;
  const kind = kinds.find(({ pattern }) => pattern.test(code));
  return kind
    ? new StoreError(kind.code, say('storage.withPlace', { what: kind.says, path, code }), { cause: error })
    : null;
}
