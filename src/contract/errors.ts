/** The closed union of error codes that may cross any border, and the one error shape that carries them. */

export const errorCodes = [
  'invalid_input', // the caller's value does not fit; message names the field
  'not_found',
  'conflict', // already exists, already decided, wrong state
  'forbidden', // this principal may not
  'unauthenticated',
  'unavailable', // the other side (server, host, model) cannot be reached
  'timeout',
  'too_large',
  'rate_limited',
  'locked', // the vault needs its passphrase or keychain
  'insecure_storage', // refused: no keychain and no passphrase
  'untrusted', // a signature, chain or pinned root does not hold
  'protocol', // the other side spoke something else
  'corrupt', // a file or store failed its checks; it was quarantined, not deleted
  'disk_full',
  'io_error',
  'model_error',
  'cancelled',
  'unsupported',
  'held', // another host holds this data folder
  'internal', // a bug
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface AppError {
  readonly code: ErrorCode;
  /** One sentence for a person: what happened and what was kept. */
  readonly message: string;
  /** What to do next, where there is something to do. */
  readonly hint?: string | undefined;
  /** Where it happened: file, line, field. Never a secret. */
  readonly where?: string | undefined;
}

/** Builds an `AppError`; absent parts are left out rather than set to undefined. */
export function appError(
  code: ErrorCode,
  message: string,
  more: { hint?: string; where?: string } = {},
): AppError {
  return { code, message, ...more };
}
