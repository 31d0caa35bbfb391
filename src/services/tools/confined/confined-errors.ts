/** Error messages for an agent's file access: what was refused, that nothing changed, what would work. */
import { type AppError, appError, type ErrorCode } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { systemErrorCode } from '../../../platform/system-error.ts';

const sentences: Readonly<Record<string, readonly [ErrorCode, HostMessage]>> = {
  ENOENT: ['not_found', say('tools.unknownPath')],
  ENOTDIR: ['not_found', say('tools.pathThroughFile')],
  EEXIST: ['conflict', say('tools.nameTaken')],
  ENOTEMPTY: ['conflict', say('tools.folderNotEmpty')],
  EISDIR: ['invalid_input', say('tools.folderNotFile')],
  // A link that appeared after the path was resolved.
  ELOOP: ['forbidden', say('tools.pathThroughLink')],
  ENAMETOOLONG: ['invalid_input', say('tools.pathTooLong')],
  ENXIO: ['unsupported', say('tools.notPlainFile')],
  ENOSPC: ['disk_full', say('storage.diskFullContentKept')],
  EDQUOT: ['disk_full', say('tools.diskQuotaUsedUp')],
  EROFS: ['io_error', say('storage.diskReadOnly')],
  EACCES: ['io_error', say('tools.systemDeniedAccess')],
  EPERM: ['io_error', say('tools.systemDeniedChange')],
};

export const outside = (asked: string): AppError =>
  fail('forbidden', 'tools.pathOutsideFolders', {}, { help: 'tools.useWorkspacePath', where: asked });

export const manyNames = (asked: string): AppError =>
  fail('forbidden', 'tools.fileHasHardLinks', {}, { help: 'tools.replaceWithCopy', where: asked });

export const notPlain = (asked: string): AppError =>
  fail('unsupported', 'tools.notPlainFile', {}, { where: asked });

export const isRoot = (asked: string): AppError =>
  fail('forbidden', 'tools.sharedFolderItself', {}, { where: asked });

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
  const code = systemErrorCode(error, 'UNKNOWN');
  const [kind, message] = sentences[code] ?? ['io_error', say('tools.fileUnusable', { code })];
  return appError(kind, message, { where: asked });
}
