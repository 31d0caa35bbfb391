/** Why a message could not be delivered, and whether another attempt may succeed. */
import { err, type Result } from '../../contract/result.ts';
import type { SendFault } from './recipients.ts';
import { isTransient, plainError, type RequestError } from './request-error.ts';

/** A failed send, with the server's requested delay before the next attempt, if any. */
export interface DeliveryFault extends SendFault {
  readonly retryAfterMs: number | null;
  /** True if the server cannot be reached, so no other message would get through either. */
  readonly unreachable: boolean;
  /** True if the server requires the other format in this channel. */
  readonly mismatch?: boolean;
}

export const failedHere = (fault: SendFault): Result<never, DeliveryFault> =>
  err({ ...fault, retryAfterMs: null, unreachable: false });

const mismatchText = /is plaintext; send via|is encrypted; send a sealed envelope/;

export function refusedByServer(error: RequestError): Result<never, DeliveryFault> {
  return err({
    error: plainError(error),
    transient: isTransient(error),
    retryAfterMs: error.retryAfterMs,
    unreachable: error.status === null,
    mismatch: error.serverCode === 'CHANNEL_FORMAT_MISMATCH' || mismatchText.test(error.serverText),
  });
}
