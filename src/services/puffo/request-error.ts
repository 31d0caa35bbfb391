/** The failure of a request to a Puffo server: an `AppError` with the server's own code and text. */
import { type AppError, type ErrorCode, textError } from '../../contract/errors.ts';
import type { HostMessage, HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

export interface RequestError extends AppError {
  /** HTTP status, or `null` if no response arrived. */
  readonly status: number | null;
  /** The server's `error` member, e.g. `DEVICE_NOT_FOUND`; empty if absent. */
  readonly serverCode: string;
  /** The server's `message` member; empty if absent. */
  readonly serverText: string;
  /** The same as a text for the reader; typed if the server is a relay of Kennel. */
  readonly serverMessage: HostText;
  /** Delay in ms requested by the server (Retry-After), or `null`. */
  readonly retryAfterMs: number | null;
  /** Device ids that the server names as the cause of its refusal. */
  readonly devices: readonly string[];
}

const none = {
  status: null,
  serverCode: '',
  serverText: '',
  serverMessage: '',
  retryAfterMs: null,
  devices: [],
};

/** A failure without a server response. */
export const noAnswer = (code: ErrorCode, message: HostText): RequestError => ({
  ...textError(code, message),
  ...none,
});

const codeOfStatus = (status: number): ErrorCode => {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 408) return 'timeout';
  if (status === 413) return 'too_large';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'invalid_input';
};

/** A response with a status of 400 or more (spec §2.1: `{"error": CODE, "message": text}`). */
export function answered(
  status: number,
  serverCode: string,
  serverText: string,
  retryAfterMs: number | null,
  devices: readonly string[] = [],
  typed: HostMessage | null = null,
): RequestError {
  const serverMessage = typed ?? serverText.slice(0, 300);
  const said = serverMessage || serverCode.slice(0, 300) || say('server.noReason');
  // The server's own sentence is enough; the status only helps if it gives none.
  const message = serverText
    ? say('server.serverRefused', { said })
    : say('server.serverRefusedStatus', { status, said });
  return {
    ...textError(codeOfStatus(status), message),
    status,
    serverCode,
    serverText,
    serverMessage,
    retryAfterMs,
    devices,
  };
}

/** True if the same request may succeed later. */
export const isTransient = (error: RequestError): boolean =>
  error.status === null
    ? ['unavailable', 'timeout', 'protocol', 'cancelled', 'too_large'].includes(error.code)
    : error.status >= 500 || [401, 408, 425, 429].includes(error.status);

/** Keeps only the members that may leave this module. */
export const plainError = ({ code, message, said, hint, help, where }: AppError): AppError => ({
  code,
  message,
  ...(said === undefined ? {} : { said }),
  ...(hint === undefined ? {} : { hint }),
  ...(help === undefined ? {} : { help }),
  ...(where === undefined ? {} : { where }),
});
