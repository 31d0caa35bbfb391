import { type RefObject, useEffect, useRef } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import type { OlderMessages } from './older.ts';
import { arrive, dropTarget, usePlaces } from './scroll-targets.ts';

/** Duration of the highlight of the found message, in ms. */
const markedMs = 6000;
/** Delays of repeated scrolls, in ms: rows get their real height only when they become visible. */
const settleMs = [0, 80, 260];

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
    if (target === null) return;
    const row = (): HTMLElement | null | undefined =>
      place.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(target)}"]`);
    const timers = settleMs.map((ms) =>
      setTimeout(() => {
        row()?.scrollIntoView({ block: 'center' });
        if (ms === 0) row()?.focus({ preventScroll: true });
      }, ms),
    );
    timers.push(setTimeout(() => dropTarget(target), markedMs));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [target, place]);
}
