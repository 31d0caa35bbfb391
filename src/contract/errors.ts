/** All error codes that may cross a boundary, and the one error type that carries them. */

export const errorCodes = [
  'invalid_input', // the caller's value is invalid; message names the field
  'not_found',
  'conflict', // already exists, already decided, wrong state
  'forbidden', // not permitted for this principal
  'unauthenticated',
  'unavailable', // server, host or model cannot be reached
  'timeout',
  'too_large',
  'rate_limited',
  'locked', // the vault needs its passphrase or keychain
  'insecure_storage', // refused: no keychain and no passphrase
  'untrusted', // invalid signature, chain or pinned root
  'protocol', // unexpected answer of the other side
  'corrupt', // a file or store failed its checks; it was quarantined, not deleted
  'disk_full',
  'io_error',
  'model_error',
  'cancelled',
  'unsupported',
  'held', // another host has locked this data folder
  'internal', // a bug
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface AppError {
  readonly code: ErrorCode;
  /** One sentence for the user: what happened and what was kept. */
  readonly message: string;
  /** The next step, if there is one. */
  readonly hint?: string | undefined;
  /** File, line or field. Never a secret. */
  readonly where?: string | undefined;
}

/** Omits absent parts instead of setting them to `undefined`. */
export function appError(
  code: ErrorCode,
  message: string,
  more: { hint?: string; where?: string } = {},
): AppError {
  return { code, message, ...more };
}
