import { useEffect, useMemo, useState } from 'react';
import type { Draft } from '../../contract/model.ts';
import { useRoomView } from '../state/subscriptions.ts';

/** How long a finished draft waits for its sealed message: ms. */
const lingerMs = 2000;
const none: Readonly<Record<string, Draft>> = {};

/** The drafts of a room; one that ended stays until its message is there, so that no text blinks. */
export function useDrafts(roomId: string): readonly Draft[] {
  const drafts = useRoomView(roomId, (room) => room?.drafts ?? none);
  const ended = useRoomView(roomId, (room) => room?.ended ?? none);
  // What had ended before this view was opened is past: it must not seem to be written again.
  const [expired, setExpired] = useState(ended);
  useEffect(() => {
    if (Object.keys(ended).length === 0) return;
    const timer = setTimeout(() => setExpired(ended), lingerMs);
    return () => clearTimeout(timer);
  }, [ended]);
  return useMemo(
    () =>
      [
        ...Object.values(ended).filter((draft) => expired[draft.turnId] === undefined),
        ...Object.values(drafts),
      ].sort((a, b) => a.startedAt - b.startedAt),
    [ended, expired, drafts],
  );
}
