/** Explains a failed system call: what happened, what was kept, what to do. */
import { type AppError, appError, type ErrorCode } from '../../contract/errors.ts';

const sentences: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  ENOSPC: ['disk_full', 'The disk is full; the old content was kept.', 'Free some space.'],
  EDQUOT: ['disk_full', 'Your disk quota is used up; the old content was kept.', 'Free some space.'],
  EROFS: [
    'io_error',
    'The disk is read-only; nothing was changed.',
    'Make it writable, or choose another folder.',
  ],
  EACCES: ['io_error', 'You may not use this file; nothing was changed.', 'Check its owner and permissions.'],
  EPERM: [
    'io_error',
    'You may not change this file; nothing was changed.',
    'Check its owner and permissions.',
  ],
  EIO: ['io_error', 'The disk failed; the old content was kept as far as it can be read.', 'Check the disk.'],
  EMFILE: ['io_error', 'Too many files are open; nothing was changed.', 'Close programs or raise the limit.'],
  ENFILE: ['io_error', 'Too many files are open; nothing was changed.', 'Close programs or raise the limit.'],
  ELOOP: ['io_error', 'This is a link where a plain file belongs; it was left alone.', 'Replace the link.'],
  EISDIR: [
    'io_error',
    'There is a folder where a file belongs; nothing was changed.',
    'Move the folder away.',
  ],
  EEXIST: ['io_error', 'There is a file where a folder belongs; nothing was changed.', 'Move the file away.'],
  ENOTDIR: [
    'io_error',
    'There is a file where a folder belongs; nothing was changed.',
    'Move the file away.',
  ],
};

export function diskErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

export function diskError(error: unknown, path: string): AppError {
  const code = diskErrorCode(error);
  const [kind, message, hint] = sentences[code] ?? [
    'io_error',
    'The file could not be used; nothing was changed.',
    '',
  ];
  return appError(kind, `${message} (${code})`, hint === '' ? { where: path } : { where: path, hint });
}
