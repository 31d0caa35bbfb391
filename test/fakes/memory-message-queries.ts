/** In-memory queries over channels and threads. */
import type { AccountStore, MessageQueries, MessageRange } from '../../src/core/puffo/account-store.ts';
import type { StoredMessage } from '../../src/core/puffo/stored-message.ts';

const byTime = (a: StoredMessage, b: StoredMessage): number =>
  a.sentAt - b.sentAt || (a.envelopeId < b.envelopeId ? -1 : Number(a.envelopeId > b.envelopeId));

/** `all` returns the stored messages; `decided` returns the decision about a message. */
export function memoryMessageQueries(
  all: () => Iterable<StoredMessage>,
  decided: AccountStore['decision'],
): MessageQueries {
  const sorted = (keep: (message: StoredMessage) => boolean): StoredMessage[] =>
    [...all()].filter(keep).sort(byTime);
  const within = (messages: readonly StoredMessage[], { limit, since, before, after }: MessageRange) => {
    const from = [...all()].find(({ envelopeId }) => envelopeId === since);
    return messages
      .filter((one) => !from || byTime(one, from) > 0)
      .filter(({ sentAt }) => sentAt > (after ?? -1) && sentAt < (before ?? Number.POSITIVE_INFINITY))
      .slice(-limit);
  };
  const forTools = ({ envelopeId }: StoredMessage): boolean => decided(envelopeId)?.reason !== 'consent';
  const inChannel = (id: string): StoredMessage[] => sorted((one) => one.channelId === id && forTools(one));
  return {
    spaceOf: (channelId) => inChannel(channelId).at(-1)?.spaceId ?? null,
    hasFrom: (roomId, senderSlug) =>
      sorted((one) => one.roomId === roomId && one.senderSlug === senderSlug).length > 0,
    wokenBy: (senderSlug, since, limit) =>
      sorted((one) => one.senderSlug === senderSlug && one.receivedAt > since)
        .filter(({ envelopeId }) => decided(envelopeId)?.react === true)
        .map(({ receivedAt }) => receivedAt)
        .slice(-limit),
    recent: (channelId, limit) => inChannel(channelId).slice(-limit),
    roots(channelId, range) {
      const messages = inChannel(channelId);
      if (messages.length === 0) return null;
      const repliesTo = (id: string): number => sorted(({ threadRootId }) => threadRootId === id).length;
      const roots = messages.filter(({ threadRootId }) => threadRootId === null);
      return within(roots, range).map((message) => ({ message, replies: repliesTo(message.envelopeId) }));
    },
    unanswered(since, limit) {
      const waits = ({ envelopeId, receivedAt }: StoredMessage): boolean => {
        const one = decided(envelopeId);
        if (
          !one ||
          receivedAt < since ||
          ['own', 'introduction'].includes(one.reason) ||
          one.status === 'done'
        )
          return false;
        return one.priority <= 2 || one.status === 'open' || one.status === 'failed';
      };
      return [...all()]
        .filter(waits)
        .reverse()
        .sort((a, b) => b.receivedAt - a.receivedAt)
        .slice(0, limit);
    },
    thread(rootId, range) {
      const messages = sorted(
        (one) => one.envelopeId === rootId || (one.threadRootId === rootId && forTools(one)),
      );
      return messages.some(({ envelopeId }) => envelopeId === rootId) ? within(messages, range) : null;
    },
  };
}
