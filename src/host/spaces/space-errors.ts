import { type AppError, messageOf, textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';

const saidBy = ({ serverMessage }: RequestError, otherwise: HostText): HostText => serverMessage || otherwise;

/** An error message for the user; `may` says who is allowed. */
export function spaceError(error: RequestError, may: HostText): AppError {
  if (error.status === null) {
    return fail(
      error.code,
      'spaces.nothingChanged',
      { what: messageOf(error) },
      { help: 'spaces.tryAgainWhenConnected' },
    );
  }
  if (error.serverCode === 'SPACE_ARCHIVED') {
    return fail('conflict', 'spaces.spaceArchived', {}, { help: 'spaces.askOwnerToUnarchive' });
  }
  if (error.status === 403) return textError('forbidden', may);
  if (error.status === 404) return textError('not_found', saidBy(error, say('spaces.unknownToServer')));
  if (error.status === 409) {
    const handOver = /hand the space over/i.test(error.serverText);
    const hint = handOver ? { hint: say('spaces.handOverOwnership') } : {};
    return textError('conflict', saidBy(error, say('spaces.alreadySo')), hint);
  }
  if (error.status === 400) return textError('invalid_input', saidBy(error, say('spaces.serverRefused')));
  return fail(error.code, 'spaces.nothingChanged', { what: messageOf(error) });
}
