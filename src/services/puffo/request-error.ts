/** The failure of a request to a Puffo server: an `AppError` with the server's own code and text. */
import { type AppError, appError, type ErrorCode } from '../../contract/errors.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

export interface RequestError extends AppError {
  /** HTTP status, or `null` if no response arrived. */
  readonly status: number | null;
  /** The server's `error` member, e.g. `DEVICE_NOT_FOUND`; empty if absent. */
  readonly serverCode: string;
  /** The server's `message` member; empty if absent. */
  readonly serverText: string;
  /** Delay in ms requested by the server (Retry-After), or `null`. */
  readonly retryAfterMs: number | null;
  /** Device ids that the server names as the cause of its refusal. */
  readonly devices: readonly string[];
}

const none = { status: null, serverCode: '', serverText: '', retryAfterMs: null, devices: [] };

/** A failure without a server response. */
export const noAnswer = (code: ErrorCode, message: HostText): RequestError => ({
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

/** A response with a status of 400 or more (spec §2.1: `{"error": CODE, "message": text}`). */
export function answered(
  status: number,
  serverCode: string,
  serverText: string,
  retryAfterMs: number | null,
  devices: readonly string[] = [],
): RequestError {
  const said = (serverText || serverCode || 'it gave no reason').slice(0, 300);
  // The server's own sentence is enough; the status only helps if it gives none.
  const message = serverText
    ? say('server.serverRefused', { said })
    : say('server.serverRefusedStatus', { status, said });
  return {
    ...appError(codeOfStatus(status), message),
    status,
    serverCode,
    serverText,
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
export function plainError(error: AppError): AppError {
  return appError(error.code, error.message, {
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.where === undefined ? {} : { where: error.where }),
  });
}
