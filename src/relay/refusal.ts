/**
 * The refusals of the relay: an HTTP status, a code of the protocol (spec §2.1) and a text for a person. The text
 * goes out in English, with its key and values, so that a client renders it in the reader's language.
 */
import { type Err, err } from '../contract/result.ts';
import { englishText, type HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';

export type RefusalCode =
  | 'InvalidInput'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'DEVICE_NOT_FOUND'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'MISDIRECTED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'INVALID_ROLE_SHORT'
  | 'CHANNEL_FORMAT_MISMATCH'
  | 'SPACE_ARCHIVED'
  | 'QUOTA_EXCEEDED'
  | 'too_late'
  | 'UNAVAILABLE'
  | 'INTERNAL';

const statusOf: Readonly<Record<RefusalCode, number>> = {
  InvalidInput: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  DEVICE_NOT_FOUND: 400,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  REQUEST_TIMEOUT: 408,
  MISDIRECTED: 421,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INVALID_ROLE_SHORT: 400,
  CHANNEL_FORMAT_MISMATCH: 400,
  SPACE_ARCHIVED: 403,
  QUOTA_EXCEEDED: 403,
  // Clients from 2.0 check for this exact code.
  too_late: 409,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

export interface Refusal {
  readonly status: number;
  readonly code: RefusalCode;
  readonly message: HostText;
  /** Additional members of the JSON body, e.g. the devices at fault. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function refuseRequest(
  code: RefusalCode,
  message: HostText,
  details?: Readonly<Record<string, unknown>>,
): Err<Refusal> {
  return err({ status: statusOf[code], code, message, ...(details ? { details } : {}) });
}

type Missing = 'agent' | 'blob' | 'device' | 'identity' | 'message' | 'reminder';

export const notFound = (what: Missing): Err<Refusal> =>
  refuseRequest('NOT_FOUND', say(`relay.unknown_${what}`));

/** Members of a body or frame that carry the text. */
export const textMembers = (message: HostText): Record<string, unknown> =>
  typeof message === 'string'
    ? { message }
    : {
        message: englishText(message),
        said: { key: message.key, ...(message.values === undefined ? {} : { values: message.values }) },
      };

export function refusalBody(refusal: Refusal): Record<string, unknown> {
  return { error: refusal.code, ...textMembers(refusal.message), ...refusal.details };
}
