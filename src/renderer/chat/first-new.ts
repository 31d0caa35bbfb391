import { useLayoutEffect, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { setFirstNew } from './places.ts';

/** The message that `unread` others end with, counted from the newest back; null when there are none. */
export function firstNewOf(messages: readonly ChatMessage[], unread: number): string | null {
  if (unread <= 0) return null;
  const others = messages.filter((message) => !message.own);
  return (others.at(-unread) ?? others[0])?.id ?? null;
}

/** Counted once, when the room opens: reading moves the count, but not the line. */
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
