import { useLayoutEffect, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { setFirstNew } from './scroll-targets.ts';

/** Returns the oldest of the last `unread` messages from others, or `null` if none. */
export function firstNewOf(messages: readonly ChatMessage[], unread: number): string | null {
  if (unread <= 0) return null;
  const others = messages.filter((message) => !message.own);
  return (others.at(-unread) ?? others[0])?.id ?? null;
}

/** Computed once at opening: reading lowers the unread count, but must not move the line. */
export function useFirstNew(unread: number, messages: readonly ChatMessage[], known: boolean): void {
  const [atOpen] = useState(unread);
  const [found, setFound] = useState<string | null>(null);
  if (known && found === null && atOpen > 0) {
    const first = firstNewOf(messages, atOpen);
    if (first !== null) setFound(first);
  }
  useLayoutEffect(() => {
    setFirstNew(found);
    return () => setFirstNew(null);
  }, [found]);
}
