import { useCallback, useRef, useState } from 'react';
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

/** Messages that were on the screen and that the feed, starting its window anew, no longer holds. */
export function droppedFromFront(
  before: readonly ChatMessage[],
  now: readonly ChatMessage[],
): readonly ChatMessage[] {
  const first = now[0];
  if (first === undefined || before[0] === undefined || before[0].id === first.id) return [];
  const at = before.findIndex((message) => message.id === first.id);
  return at > 0 ? before.slice(0, at) : [];
}

/** Pages of history above what the feed holds; asked for, never fetched unasked. */
export function useOlder(room: string, live: readonly ChatMessage[], feedHasMore: boolean): Older {
  const { link } = useReplica();
  const [pages, setPages] = useState<readonly ChatMessage[]>([]);
  const [more, setMore] = useState<boolean | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = useRef(live);
  const dropped = droppedFromFront(shown.current, live);
  shown.current = live;
  if (dropped.length > 0) {
    setPages([...pages, ...dropped]);
    // Nothing was above the old window: then nothing is above these either.
    setMore(more ?? false);
  }
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
