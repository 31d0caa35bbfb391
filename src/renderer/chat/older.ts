import { startTransition, useCallback, useRef, useState } from 'react';
import type { HostClient } from '../../contract/host-api.ts';
import type { ChatMessage } from '../../contract/model.ts';
import { showError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

const pageSize = 50;
/** Messages kept before the live ones, or in a section far back, so that a long history stays fast. */
export const mostKept = 120;

/** A section of the history that does not reach the latest message. */
interface Past {
  readonly messages: readonly ChatMessage[];
  readonly more: boolean;
}

export interface OlderMessages {
  readonly messages: readonly ChatMessage[];
  readonly more: boolean;
  /** Newer messages exist but are not shown, because the reader jumped far back. */
  readonly past: boolean;
  readonly busy: boolean;
  load(): void;
  loadLater(): void;
  /** Loads the history around a message; resolves to false if the message is missing. */
  around(id: string): Promise<boolean>;
  toPresent(): void;
}

/** Returns messages that were shown but left the feed when its window restarted. */
export function droppedFromFront(
  before: readonly ChatMessage[],
  now: readonly ChatMessage[],
): readonly ChatMessage[] {
  const first = now[0];
  if (first === undefined || before[0] === undefined || before[0].id === first.id) return [];
  const at = before.findIndex((message) => message.id === first.id);
  return at > 0 ? before.slice(0, at) : [];
}

/** Returns the part before the first live message, or `null` if the section does not reach it. */
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
  showError(result.error);
  return null;
}

/** Loads pages of history above the feed's window, or a section far back, on request only. */
export function useHistory(room: string, live: readonly ChatMessage[], feedHasMore: boolean): OlderMessages {
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
    // The old window had reached the beginning, so the dropped messages start there too.
    setMore(more ?? false);
  }
  const load = async (): Promise<void> => {
    const before = (past?.messages ?? pages)[0]?.id ?? live[0]?.id;
    if (before === undefined) return;
    setBusy(true);
    const page = await read(link, room, { before });
    const older = [...(page?.messages ?? []), ...(past?.messages ?? pages)];
    // One render together with the rows; two would shift the scroll position twice. A transition renders the
    // rows between frames, so that scrolling does not stop for them.
    startTransition(() => {
      setBusy(false);
      if (page === null) return;
      if (past === null && older.length <= mostKept) {
        setPages(older);
        setMore(page.hasMore);
        return;
      }
      // The newest messages of the section load again when the reader scrolls back.
      setPast({ messages: older.slice(0, mostKept), more: page.hasMore });
      setPages([]);
      setMore(null);
    });
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
    startTransition(() => {
      setBusy(false);
      if (page === null) return;
      const all = [...past.messages, ...page.messages];
      join(all.slice(-mostKept), past.more || all.length > mostKept, page.hasLater);
    });
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
