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
/** New rows change their height for some frames after they came. Counted in frames: on a busy computer each takes long. */
const settleFrames = 30;

interface Anchor {
  readonly row: Element;
  readonly edge: number;
}

/** The lower edge: a first row may lose its name line, which stands above its text. */
const edgeIn = (box: Element, row: Element): number =>
  row.getBoundingClientRect().bottom - box.getBoundingClientRect().top;

/** Holds the row that is being read where it stands while others come in above it. */
function useAnchor(place: RefObject<HTMLElement | null>) {
  const anchor = useRef<Anchor | null>(null);
  const held = useRef(false);
  const put = useRef(0);
  const restore = (): void => {
    const box = place.current;
    if (box === null || !held.current || anchor.current === null || !anchor.current.row.isConnected) return;
    const moved = edgeIn(box, anchor.current.row) - anchor.current.edge;
    if (Math.abs(moved) > 0.5) box.scrollTop += moved;
    put.current = box.scrollTop;
  };
  /** Only near the beginning, for only there something can come in above. */
  const remember = (): void => {
    const box = place.current;
    if (box === null) return;
    // Anywhere else than where it was put: the reader scrolls, and nothing holds them.
    if (Math.abs(box.scrollTop - put.current) > 1) held.current = false;
    if (held.current || box.scrollTop > box.clientHeight) return;
    const row = [...box.querySelectorAll('[data-row]')].find((one) => edgeIn(box, one) > 0);
    anchor.current = row === undefined ? null : { row, edge: edgeIn(box, row) };
  };
  const hold = (): (() => void) => {
    held.current = true;
    restore();
    let frames = 0;
    const step = (): void => {
      restore();
      frames += 1;
      if (frames < settleFrames) next = requestAnimationFrame(step);
      else held.current = false;
    };
    let next = requestAnimationFrame(step);
    return () => {
      cancelAnimationFrame(next);
      held.current = false;
    };
  };
  return { restore, remember, hold };
}

/**
 * Keeps the end in sight while text grows (not at the end of a stretch of the past: `present` false), and keeps the
 * reader's place when older messages come in above.
 */
export function useStickToEnd(firstId: string | null, present = true): Stick {
  const place = useRef<HTMLElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const here = useRef(present);
  here.current = present;
  if (!present) following.current = false;
  const anchor = useAnchor(place);
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
    following.current = here.current && box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx;
    anchor.remember();
    setAway(!following.current && box.scrollHeight - box.scrollTop - box.clientHeight > box.clientHeight / 2);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another first row is what it is about
  useLayoutEffect(() => {
    const prepended = shownFirst.current !== firstId && shownFirst.current !== null;
    shownFirst.current = firstId;
    if (prepended && !following.current) return anchor.hold();
  }, [firstId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the anchor lives in refs
  useEffect(() => {
    const box = place.current;
    if (box === null || inner.current === null) return;
    const grown = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight;
      else {
        anchor.restore();
        anchor.remember();
      }
    });
    grown.observe(inner.current);
    grown.observe(box);
    return () => grown.disconnect();
  }, []);

  return { place, inner, away, onScroll, toEnd };
}
