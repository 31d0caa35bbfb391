/** What was said after a stop is for the next turn, also where both arrive together. */
import type { StoredMessage } from '../ports.ts';

/** The messages in order, in pieces that end with a stop, or where there are no more. */
export function* upToEachStop(
  messages: readonly StoredMessage[],
  isStop: (message: StoredMessage) => boolean,
): Generator<readonly StoredMessage[]> {
  let rest = messages;
  while (rest.length > 0) {
    const at = rest.findIndex(isStop);
    const end = at < 0 ? rest.length : at + 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
}
