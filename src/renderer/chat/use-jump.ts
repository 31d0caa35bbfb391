import { type RefObject, useEffect, useRef } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import type { OlderMessages } from './older.ts';
import { arrive, dropTarget, usePlaces } from './scroll-targets.ts';

/** Duration of the highlight of the found message, in ms. */
const markedMs = 6000;
/** Events by which a reader moves on: afterwards the message is no longer kept in the centre. */
const readerEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Carries out a jump in this room: loads distant history, centres the message and highlights it. */
export function useJump(
  roomId: string,
  place: RefObject<HTMLElement | null>,
  messages: readonly ChatMessage[],
  { known, history }: { readonly known: boolean; readonly history: OlderMessages },
): void {
  const jump = usePlaces((places) => (places.jump?.roomId === roomId ? places.jump : null));
  const target = usePlaces((places) => places.target);
  const asked = useRef<unknown>(null);
  const here = jump !== null && messages.some((message) => message.id === jump.id);
  const { around } = history;
  useEffect(() => {
    if (jump === null || !known) return;
    if (here) return arrive(jump.id);
    if (asked.current === jump) return;
    asked.current = jump;
    void around(jump.id).then((found) => {
      if (!found) arrive(null);
    });
  }, [jump, here, known, around]);
  useEffect(() => {
    const box = place.current;
    const column = box?.firstElementChild;
    if (target === null || !box || !column) return;
    const row = () => column.querySelector<HTMLElement>(`[data-message="${CSS.escape(target)}"]`);
    // Rows get their real height only when they become visible, and earlier messages may still arrive.
    const resized = new ResizeObserver(() => row()?.scrollIntoView({ block: 'center' }));
    const release = (): void => resized.disconnect();
    resized.observe(column);
    for (const name of readerEvents) box.addEventListener(name, release, { passive: true });
    const focused = setTimeout(() => row()?.focus({ preventScroll: true }));
    const dropped = setTimeout(() => dropTarget(target), markedMs);
    return () => {
      release();
      for (const name of readerEvents) box.removeEventListener(name, release);
      clearTimeout(focused);
      clearTimeout(dropped);
    };
  }, [target, place]);
}
