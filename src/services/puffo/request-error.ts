/** What a request to a Puffo server can fail with: an `AppError` that still remembers the server's own words. */
import { type AppError, appError, type ErrorCode } from '../../contract/errors.ts';

export interface RequestError extends AppError {
  /** HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** The server's `error` member, e.g. `DEVICE_NOT_FOUND`; empty when it gave none. */
  readonly serverCode: string;
  /** The server's `message` member; empty when it gave none. */
  readonly serverText: string;
  /** ms to wait as the server asked (Retry-After), else null. */
  readonly retryAfterMs: number | null;
  /** Device ids that the server names as the cause of its refusal. */
  readonly devices: readonly string[];
}

const none = { status: null, serverCode: '', serverText: '', retryAfterMs: null, devices: [] };

/** A failure before or beside any answer. */
export const noAnswer = (code: ErrorCode, message: string): RequestError => ({
  ...appError(code, message),
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

/** An answer with a status of 400 or more (spec §2.1: `{"error": CODE, "message": text}`). */
export function answered(
  status: number,
  serverCode: string,
  serverText: string,
  retryAfterMs: number | null,
  devices: readonly string[] = [],
): RequestError {
  const said = (serverText || serverCode || 'it gave no reason').slice(0, 300);
  // A sentence of the server's own is enough; the number only helps where there is none.
  const message = serverText ? `The server refused: ${said}` : `The server refused with ${status}: ${said}`;
  return {
    ...appError(codeOfStatus(status), message),
    status,
    serverCode,
    serverText,
    retryAfterMs,
    devices,
  };
}

/** Worth the same request again later: nobody has said a final no. */
export const isTransient = (error: RequestError): boolean =>
  error.status === null
    ? ['unavailable', 'timeout', 'protocol', 'cancelled', 'too_large'].includes(error.code)
    : error.status >= 500 || [401, 408, 425, 429].includes(error.status);

/** Only the members that may cross a border. */
export function plainError(error: AppError): AppError {
  return appError(error.code, error.message, {
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.where === undefined ? {} : { where: error.where }),
  });
}
