/** All error codes that may cross a boundary, and the one error type that carries them. */
import {
  englishText,
  type HostMessage,
  type HostText,
  type MessageRef,
  withRef,
} from '../language/host-message.ts';

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
  /** One sentence for the user, in English: what happened and what was kept. */
  readonly message: string;
  /** The message in the catalogs, so that a window shows it in the reader's language. */
  readonly said?: MessageRef | undefined;
  /** The next step, if the person can take one. */
  readonly hint?: string | undefined;
  /** The next step in the catalogs. */
  readonly help?: MessageRef | undefined;
  /** File, line or field. Never a secret. */
  readonly where?: string | undefined;
}

const refOf = (text: HostText): MessageRef | undefined =>
  typeof text === 'string'
    ? undefined
    : { key: text.key, ...(text.values === undefined ? {} : { values: text.values }) };

/** An error that names its texts in the catalogs. */
export const appError = (
  code: ErrorCode,
  message: HostMessage,
  more: { hint?: HostMessage | undefined; where?: string | undefined } = {},
): AppError => textError(code, message, more);

/**
 * An error whose text may have no key: text of another error, a server or a program, or one that the shell has
 * rendered in the reader's language. All other errors come from `fail` or `appError`.
 */
export function textError(
  code: ErrorCode,
  message: HostText,
  more: { hint?: HostText | undefined; where?: string | undefined } = {},
): AppError {
  const said = refOf(message);
  // Absent parts are omitted instead of set to `undefined`.
  const help = more.hint === undefined ? undefined : refOf(more.hint);
  return {
    code,
    message: englishText(message),
    ...(said ? { said } : {}),
    ...(more.hint === undefined ? {} : { hint: englishText(more.hint) }),
    ...(help ? { help } : {}),
    ...(more.where === undefined ? {} : { where: more.where }),
  };
}

/** The error with another next step. */
export const withHint = (error: AppError, hint: HostText): AppError =>
  textError(error.code, messageOf(error), { hint, where: error.where });

/** The message of an error as a text that can be rendered or be a value of another message. */
export const messageOf = ({ message, said }: Pick<AppError, 'message' | 'said'>): HostText =>
  withRef(message, said);

/** The message of a thrown value. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The next step of an error in the same form. */
export const hintOf = ({ hint, help }: Pick<AppError, 'hint' | 'help'>): HostText | undefined =>
  hint === undefined ? undefined : withRef(hint, help);
