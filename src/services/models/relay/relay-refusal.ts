/** Answers a request with an error of the relay itself, as programs of its format read it. */
import type { ServerResponse } from 'node:http';
import type { AppError } from '../../../contract/errors.ts';
import { errorBody, type ModelRoute } from './relay-routes.ts';

export interface RelayRefusal {
  readonly status: number;
  readonly error: AppError;
  readonly retryAfterS?: number;
}

/** Closes the connection, because the rest of the request may be unread. */
export function refuse(
  outgoing: ServerResponse,
  format: ModelRoute['format'] | null,
  { status, error, retryAfterS }: RelayRefusal,
): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
    // A refusal of the relay does not change until a person or the next turn changes it.
    'x-should-retry': retryAfterS === undefined ? 'false' : 'true',
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
  });
  outgoing.end(errorBody(format, status, error));
}
