/** Explains a failed system call: what happened, what was kept, what to do. */
import { type AppError, type ErrorCode, textError } from '../../contract/errors.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { systemErrorCode } from '../../platform/system-error.ts';

const sentences: Readonly<Record<string, readonly [ErrorCode, HostText, HostText]>> = {
  ENOSPC: ['disk_full', say('storage.diskFullContentKept'), say('moving.freeSpace')],
  EDQUOT: ['disk_full', say('storage.diskQuotaUsedUp'), say('moving.freeSpace')],
  EROFS: ['io_error', say('storage.diskReadOnly'), say('storage.makeWritable')],
  EACCES: ['io_error', say('storage.useNotAllowed'), say('storage.checkOwnerPermissions')],
  EPERM: ['io_error', say('storage.changeNotAllowed'), say('storage.checkOwnerPermissions')],
  EIO: ['io_error', say('storage.diskFailed'), say('storage.checkDisk')],
  EMFILE: ['io_error', say('storage.tooManyFilesOpen'), say('storage.raiseFileLimit')],
  ENFILE: ['io_error', say('storage.tooManyFilesOpen'), say('storage.raiseFileLimit')],
  ELOOP: ['io_error', say('storage.plainFileExpected'), say('storage.replaceLink')],
  EISDIR: ['io_error', say('storage.fileExpected'), say('storage.moveFolderAway')],
  EEXIST: ['io_error', say('storage.folderExpected'), say('storage.moveFileAway')],
  ENOTDIR: ['io_error', say('storage.folderExpected'), say('storage.moveFileAway')],
};

export function diskError(error: unknown, path: string): AppError {
  const code = systemErrorCode(error, 'UNKNOWN');
  const [kind, message, hint] = sentences[code] ?? ['io_error', say('storage.fileUnusable'), ''];
  return textError(
    kind,
    say('storage.withCode', { what: message, code }),
    hint === '' ? { where: path } : { where: path, hint },
  );
}
