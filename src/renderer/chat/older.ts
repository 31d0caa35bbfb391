import { useCallback, useRef, useState } from 'react';
import type { HostClient } from '../../contract/host-api.ts';
import type { ChatMessage } from '../../contract/model.ts';
import { sayError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

const pageSize = 100;

/** A stretch of history that does not reach up to the present. */
interface Past {
  readonly messages: readonly ChatMessage[];
  readonly more: boolean;
}

export interface History {
  readonly messages: readonly ChatMessage[];
  readonly more: boolean;
  /** Newer ones are not shown: the reader looks at something far back. */
  readonly past: boolean;
  readonly busy: boolean;
  load(): void;
  loadLater(): void;
  /** Shows the history around a message; false when it is not there. */
  around(id: string): Promise<boolean>;
  toPresent(): void;
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

/** What stands before the first live message; null when the stretch does not reach it. */
export function upToLive(
  stretch: readonly ChatMessage[],
  live: readonly ChatMessage[],
): readonly ChatMessage[] | null {
  const at = stretch.findIndex((message) => message.id === live[0]?.id);
  return at < 0 ? null : stretch.slice(0, at);
}

type Wanted = { readonly before: string } | { readonly after: string } | { readonly around: string };

async function read(link: HostClient, room: string, wanted: Wanted) {
  const result = await link.call('chat.history', { room, ...wanted, limit: pageSize });
  if (result.ok) return result.value;
  sayError(result.error);
  return null;
}

/** Pages of history above what the feed holds, or a stretch far back; asked for, never fetched unasked. */
export function useHistory(room: string, live: readonly ChatMessage[], feedHasMore: boolean): History {
  const { link } = useReplica();
  const [pages, setPages] = useState<readonly ChatMessage[]>([]);
  const [more, setMore] = useState<boolean | null>(null);
  const [past, setPast] = useState<Past | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = useRef(live);
  const dropped = droppedFromFront(shown.current, live);
  shown.current = live;
  if (dropped.length > 0) {
    setPages([...pages, ...dropped]);
    // Nothing was above the old window: then nothing is above these either.
    setMore(more ?? false);
  }
  const load = async (): Promise<void> => {
    const before = (past?.messages ?? pages)[0]?.id ?? live[0]?.id;
    if (before === undefined) return;
    setBusy(true);
    const page = await read(link, room, { before });
    // In one go with the rows: two changes would be two jolts.
    setBusy(false);
    if (page === null) return;
    if (past !== null) setPast({ messages: [...page.messages, ...past.messages], more: page.hasMore });
    else {
      setPages((old) => [...page.messages, ...old]);
      setMore(page.hasMore);
    }
  };
  const join = (stretch: readonly ChatMessage[], older: boolean, later: boolean): void => {
    const joined = upToLive(stretch, shown.current);
    if (joined === null && later) {
      setPast({ messages: stretch, more: older });
      return;
    }
    setPages(joined ?? []);
    setMore(joined === null ? null : older);
    setPast(null);
  };
  const loadLater = async (): Promise<void> => {
    const after = past?.messages.at(-1)?.id;
    if (past === null || after === undefined) return;
    setBusy(true);
    const page = await read(link, room, { after });
    setBusy(false);
    if (page !== null) join([...past.messages, ...page.messages], past.more, page.hasLater);
  };
  const around = useCallback(
    async (id: string): Promise<boolean> => {
      setBusy(true);
      const page = await read(link, room, { around: id });
      setBusy(false);
      if (page !== null) setPast({ messages: page.messages, more: page.hasMore });
      return page !== null;
    },
    [link, room],
  );
  return {
    messages: past?.messages ?? pages,
    more: past?.more ?? more ?? feedHasMore,
    past: past !== null,
    busy,
    load: () => void load(),
    loadLater: () => void loadLater(),
    around,
    toPresent: () => setPast(null),
  };
}
