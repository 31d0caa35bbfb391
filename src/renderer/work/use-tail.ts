/**
 * Scroll position of a list of lines: follows the end until the reader scrolls up, then keeps the visible
 * lines.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { LogState } from './use-log.ts';

/** Height in px, the same as in `.log-row`. */
export const rowHeight = 22;
/** Distance from the top in px at which older lines are fetched. */
const nearTop = 400;
/** Distance from the end in px that counts as the end. */
const atEndWithin = 30;

export interface Tail {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly view: { readonly top: number; readonly height: number };
  readonly following: boolean;
  /** Lines added since the list stopped following. */
  readonly fresh: number;
  pause(): void;
  follow(): void;
  scrolled(): void;
}

export function useTail({ buffer, version, ended, older }: LogState): Tail {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const [following, setFollowing] = useState(true);
  /**
   * Index of the end when following stopped, plus `shift`, so that lines removed at the top do not change it.
   */
  const [left, setLeft] = useState(0);
  const moved = useRef(buffer.shift);
  const { shift } = buffer;
  const end = buffer.shown.length + shift;

  // biome-ignore lint/correctness/useExhaustiveDependencies: with every version
  useLayoutEffect(() => {
    const box = place.current;
    if (box === null) return;
    if (following) box.scrollTop = box.scrollHeight;
    else if (moved.current !== shift) box.scrollTop -= (shift - moved.current) * rowHeight;
    moved.current = shift;
    setView((before) => (before.top === box.scrollTop ? before : { ...before, top: box.scrollTop }));
  }, [version, following, shift]);

  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const watch = new ResizeObserver(() => setView({ top: box.scrollTop, height: box.clientHeight }));
    watch.observe(box);
    return () => watch.disconnect();
  }, []);

  const pause = useCallback(() => {
    setFollowing(false);
    setLeft((before) => (following ? buffer.shown.length + buffer.shift : before));
  }, [buffer, following]);
  const scrolled = (): void => {
    const box = place.current;
    if (box === null) return;
    setView({ top: box.scrollTop, height: box.clientHeight });
    if (box.scrollHeight - box.clientHeight - box.scrollTop < atEndWithin) setFollowing(true);
    else if (box.scrollTop < nearTop && !ended) older();
  };
  return {
    place,
    view,
    following,
    pause,
    scrolled,
    fresh: following ? 0 : end - left,
    follow: () => setFollowing(true),
  };
}
