/** Full-text search in memory: every term of the query must be a word of the text. */
import { messageText } from '../../src/core/agents/message-text.ts';
import type { MessageSearch } from '../../src/core/puffo/account-store.ts';
import type { StoredMessage } from '../../src/core/puffo/stored-message.ts';

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** `all` returns the stored messages in order of arrival. */
export function memoryMessageSearch(all: () => Iterable<StoredMessage>): MessageSearch {
  return {
    catchUp: () => false,
    find({ words, roomId, before, limit, senderSlugs, sentBefore, sentFrom, hasFile }) {
      const wanted = wordsOf(words);
      const newest = [...all()].reverse();
      const from = before === undefined ? 0 : newest.findIndex(({ envelopeId }) => envelopeId === before) + 1;
      const isFiltered = [senderSlugs, sentBefore, sentFrom, roomId, hasFile || undefined].some(
        (condition) => condition !== undefined,
      );
      if ((wanted.length === 0 && !isFiltered) || (before !== undefined && from === 0))
        return { messages: [], hasMore: false, below: null };
      const found = newest.slice(from).filter((message) => {
        const { text, attachments } = messageText(message);
        const there = new Set(wordsOf([text, ...attachments].join(' ')));
        const isWanted =
          (senderSlugs?.includes(message.senderSlug) ?? true) &&
          message.sentAt < (sentBefore ?? Number.POSITIVE_INFINITY) &&
          message.sentAt >= (sentFrom ?? Number.NEGATIVE_INFINITY) &&
          (!hasFile || attachments.length > 0);
        return (
          isWanted &&
          (roomId === undefined || message.roomId === roomId) &&
          wanted.every((word) => there.has(word))
        );
      });
      return { messages: found.slice(0, limit), hasMore: found.length > limit, below: null };
    },
  };
}
