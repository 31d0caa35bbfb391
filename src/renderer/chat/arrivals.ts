import { useEffect, useRef } from 'react';
import { speak } from '../state/screen.ts';
import { useRoomView } from '../state/subscriptions.ts';
import { plainSnippet } from '../words/snippet.ts';

/** Announces newly arrived messages to screen readers, shortened; messages present at opening stay silent. */
export function useArrivals(roomId: string): void {
  const last = useRoomView(roomId, (room) => room?.messages.at(-1) ?? null);
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (last === null) return;
    if (seen.current !== null && seen.current !== last.id && !last.own)
      speak(`${plainSnippet(last.senderName, 40)}: ${plainSnippet(last.text, 240)}`);
    seen.current = last.id;
  }, [last]);
}
