import { type AppError, appError } from '../../contract/errors.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';

const saidBy = ({ serverText }: RequestError, otherwise: string): string =>
  serverText.slice(0, 300) || otherwise;

/** An error message for the user; `may` says who is allowed. */
export function spaceError(error: RequestError, may: string): AppError {
  if (error.status === null) {
    return appError(error.code, `${error.message} Nothing was changed.`, {
      hint: 'Try again when you are connected.',
    });
  }
  if (error.serverCode === 'SPACE_ARCHIVED') {
    return appError('conflict', 'This space is archived, so nothing is changed there.', {
      hint: 'Its owner brings it back with "kennel space unarchive".',
    });
  }
  if (error.status === 403) return appError('forbidden', may);
  if (error.status === 404) return appError('not_found', saidBy(error, 'The server does not know that.'));
  if (error.status === 409) {
    const handOver = /hand the space over/i.test(error.serverText);
    const hint = handOver ? { hint: 'Make somebody else the owner with "kennel space hand-over".' } : {};
    return appError('conflict', saidBy(error, 'The server says that this is so already.'), hint);
  }
  if (error.status === 400) return appError('invalid_input', saidBy(error, 'The server does not take this.'));
  return appError(error.code, `${error.message} Nothing was changed.`);
}
