/** The failure of bundle readers and writers: thrown inside this module, a `Result` at its border. */
import { type AppError, appError, type ErrorCode } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { englishText, type HostMessage } from '../../language/host-message.ts';
import { systemErrorCode } from '../../platform/system-error.ts';

export class BundleFault extends Error {
  readonly error: AppError;

  constructor(code: ErrorCode, message: HostMessage, more: { hint?: HostMessage; where?: string } = {}) {
    super(englishText(message));
    this.name = 'BundleFault';
    this.error = appError(code, message, more);
  }
}

export const bundleFault = (message: HostMessage, where?: string): BundleFault =>
  new BundleFault('invalid_input', message, where === undefined ? {} : { where });

function systemFault(code: string, path: string): AppError {
  if (code === 'ENOENT') return fail('not_found', 'moving.fileMissing', {}, { where: path });
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return fail('disk_full', 'moving.diskFull', {}, { help: 'moving.freeSpace', where: path });
  return fail('io_error', 'moving.fileAccessFailed', { code }, { where: path });
}

/** Reports system errors with `path`; rethrows bugs. */
export async function asResult<T>(path: string, work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof BundleFault) return err(error.error);
    const code = systemErrorCode(error);
    if (code === '' || code.startsWith('ERR_')) throw error;
    return err(systemFault(code, path));
  }
}
