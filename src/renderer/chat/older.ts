import { useCallback, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { sayError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

const pageSize = 100;

export interface Older {
  readonly messages: readonly ChatMessage[];
  readonly more: boolean;
  readonly busy: boolean;
  load(): void;
}

/** Pages of history above what the feed holds; asked for, never fetched unasked. */
export function useOlder(room: string, live: readonly ChatMessage[], feedHasMore: boolean): Older {
  const { link } = useReplica();
  const [pages, setPages] = useState<readonly ChatMessage[]>([]);
  const [more, setMore] = useState<boolean | null>(null);
  const [busy, setBusy] = useState(false);
  const before = pages[0]?.id ?? live[0]?.id;
  const load = useCallback(async () => {
    if (before === undefined) return;
    setBusy(true);
    const result = await link.call('chat.history', { room, before, limit: pageSize });
    setBusy(false);
    if (!result.ok) return sayError(result.error);
    setPages((old) => [...result.value.messages, ...old]);
    setMore(result.value.hasMore);
  }, [link, room, before]);
  return { messages: pages, more: more ?? feedHasMore, busy, load: () => void load() };
}
