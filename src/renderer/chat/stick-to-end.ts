import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface Stick {
  readonly place: RefObject<HTMLElement | null>;
  readonly inner: RefObject<HTMLDivElement | null>;
  /** The reader went up; nothing pulls them down again until they ask. */
  readonly away: boolean;
  onScroll(): void;
  toEnd(): void;
}

const nearEndPx = 48;

/** Keeps the end in sight while text grows, and keeps the reader's place when older messages come in above. */
export function useStickToEnd(firstId: string | null): Stick {
  const place = useRef<HTMLElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const height = useRef(0);
  const shownFirst = useRef(firstId);
  const [away, setAway] = useState(false);

  const toEnd = (): void => {
    following.current = true;
    setAway(false);
    const box = place.current;
    if (box !== null) box.scrollTop = box.scrollHeight;
  };
  const onScroll = (): void => {
    const box = place.current;
    if (box === null) return;
    following.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx;
    setAway(!following.current && box.scrollHeight - box.scrollTop - box.clientHeight > box.clientHeight / 2);
  };

  useLayoutEffect(() => {
    const box = place.current;
    if (box === null) return;
    if (shownFirst.current !== firstId && shownFirst.current !== null && !following.current)
      box.scrollTop += box.scrollHeight - height.current;
    shownFirst.current = firstId;
    height.current = box.scrollHeight;
  }, [firstId]);

  useEffect(() => {
    const box = place.current;
    if (box === null || inner.current === null) return;
    const grown = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight;
      height.current = box.scrollHeight;
    });
    grown.observe(inner.current);
    grown.observe(box);
    return () => grown.disconnect();
  }, []);

  return { place, inner, away, onScroll, toEnd };
}
