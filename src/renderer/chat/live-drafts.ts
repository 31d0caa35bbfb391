import { useEffect, useMemo, useState } from 'react';
import type { LiveDraft } from '../../contract/model.ts';
import { useRoomView } from '../state/subscriptions.ts';

/** Time that a finished draft waits for its sealed message, in ms. */
const lingerMs = 2000;
const none: Readonly<Record<string, LiveDraft>> = {};

/**
 * Returns the room's drafts. A finished draft stays until its message arrives, so that the text does not
 * flicker.
 */
export function useDrafts(roomId: string): readonly LiveDraft[] {
  const drafts = useRoomView(roomId, (room) => room?.drafts ?? none);
  const ended = useRoomView(roomId, (room) => room?.ended ?? none);
  // Drafts that ended before this view was mounted must not show again.
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
