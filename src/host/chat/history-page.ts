/**
 * Reads one page of a room's history: the newest messages, those before or after one, those around one, or
 * one thread.
 */
import type { MethodParsed } from '../../contract/methods.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';

type Wanted = Omit<MethodParsed<'chat.history'>, 'room'>;
type Store = Pick<AccountStore, 'history' | 'thread' | 'message'>;

export interface HistoryPage {
  readonly messages: readonly StoredMessage[];
  readonly hasMore: boolean;
  readonly hasLater: boolean;
}

/** `null` if the anchor message is not in this room. */
export function historyPage(store: Store, roomId: string, wanted: Wanted): HistoryPage | null {
  const { before, after, around, thread, limit } = wanted;
  const anchor = around ?? thread;
  if (anchor !== undefined && store.message(anchor)?.roomId !== roomId) return null;
  if (thread !== undefined) {
    const all = store.thread(thread, limit + 1).filter((message) => message.roomId === roomId);
    return { messages: all.slice(-limit), hasMore: all.length > limit, hasLater: false };
  }
  if (around !== undefined) return aroundOne(store, roomId, around, limit);
  if (after !== undefined) {
    const page = store.history({ roomId, after, limit });
    return { messages: page.messages, hasMore: true, hasLater: page.hasMore };
  }
  const page = store.history({ roomId, limit, ...(before === undefined ? {} : { before }) });
  return { ...page, hasLater: before !== undefined };
}

function aroundOne(store: Store, roomId: string, id: string, limit: number): HistoryPage {
  const one = store.message(id);
  const earlier = store.history({ roomId, before: id, limit: Math.max(1, Math.floor(limit / 2)) });
  const later = store.history({ roomId, after: id, limit: Math.max(1, Math.ceil(limit / 2)) });
  return {
    messages: [...earlier.messages, ...(one ? [one] : []), ...later.messages],
    hasMore: earlier.hasMore,
    hasLater: later.hasMore,
  };
}
