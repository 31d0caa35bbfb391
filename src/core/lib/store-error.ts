/** Error of a store when the disk, not the program, is at fault. */
import { type AppError, textError } from '../../contract/errors.ts';
import { err, type Result } from '../../contract/result.ts';
import { englishText, type HostText } from '../../language/host-message.ts';

/** `unsupported`: written by a newer version, so the file stays untouched. */
export type StoreErrorCode = 'disk_full' | 'io_error' | 'corrupt' | 'locked' | 'unsupported';

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly said: HostText;

  constructor(code: StoreErrorCode, message: HostText, options?: { readonly cause?: unknown }) {
    super(englishText(message), options);
    this.name = 'StoreError';
    this.code = code;
    this.said = message;
  }

  toAppError(): AppError {
    return textError(this.code, this.said);
  }
}

/**
 * Returns `otherwise` on a `StoreError`, for callers that can continue without the store; another component
 * reports the failure.
 */
export function despiteStore<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StoreError) return otherwise;
    throw error;
  }
}

/** Returns a `StoreError` as the error of the call. */
export async function orStoreError<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) return err(error.toAppError());
    throw error;
  }
}
