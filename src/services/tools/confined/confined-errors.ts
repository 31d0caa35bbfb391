/** Error messages for an agent's file access: what was refused, that nothing changed, what would work. */
import { type AppError, appError, type ErrorCode } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';

export function confinedErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

const sentences: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['not_found', 'There is no such file or folder.'],
  ENOTDIR: ['not_found', 'A part of this path is a file, not a folder.'],
  EEXIST: ['conflict', 'There is already something of that name; it was left alone.'],
  ENOTEMPTY: ['conflict', 'The folder is not empty; it was left alone.'],
  EISDIR: ['invalid_input', 'This is a folder, not a file.'],
  // A link that appeared after the path was resolved.
  ELOOP: ['forbidden', 'A part of this path is a link that may not be followed; nothing was touched.'],
  ENAMETOOLONG: ['invalid_input', 'The path is too long.'],
  ENXIO: ['unsupported', 'This is neither a plain file nor a folder; it was not opened.'],
  ENOSPC: ['disk_full', 'The disk is full; the old content was kept.'],
  EDQUOT: ['disk_full', 'The disk quota is used up; the old content was kept.'],
  EROFS: ['io_error', 'The disk is read-only; nothing was changed.'],
  EACCES: ['io_error', 'The system denied the access; nothing was changed.'],
  EPERM: ['io_error', 'The system denied the change; nothing was changed.'],
};

export const outside = (asked: string): AppError =>
  fail(
    'forbidden',
    'tools.pathOutsideFoldersUsed',
    {},
    { help: 'tools.usePathBelowWorkspace', where: asked },
  );

export const manyNames = (asked: string): AppError =>
  fail('forbidden', 'tools.fileNameHardLinks', {}, { help: 'tools.otherNameLieOutside', where: asked });

export const notPlain = (asked: string): AppError =>
  fail('unsupported', 'tools.neitherPlainFileNor', {}, { where: asked });

export const isRoot = (asked: string): AppError =>
  fail('forbidden', 'tools.sharedFoldersItselfHolds', {}, { where: asked });

/** A refusal thrown deep inside an operation; `attempt` turns it into the result. */
export class Refused extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.name = 'Refused';
    this.error = error;
  }
}

export function fileError(error: unknown, asked: string): AppError {
  if (error instanceof Refused) return error.error;
  const code = confinedErrorCode(error);
  const [kind, message] = sentences[code] ?? ['io_error', `The file could not be used (${code}).`];
  return appError(kind, message, { where: asked });
}
