/** Error of a store when the disk, not the program, is at fault. */
import type { AppError } from '../../contract/errors.ts';

/** `unsupported`: written by a newer version, so the file stays untouched. */
export type StoreErrorCode = 'disk_full' | 'io_error' | 'corrupt' | 'locked' | 'unsupported';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }

  toAppError(): AppError {
    return { code: this.code, message: this.message };
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
