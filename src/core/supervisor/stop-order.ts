/** Splits messages at each stop: later messages belong to the next turn, even if both arrive together. */
import type { StoredMessage } from '../puffo/stored-message.ts';

/** Yields the messages in order, in chunks that end with a stop or at the end. */
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
