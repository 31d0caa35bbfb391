import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface Stick {
  readonly place: RefObject<HTMLElement | null>;
  readonly inner: RefObject<HTMLDivElement | null>;
  /** The reader scrolled up; the view does not follow new messages until they ask for it. */
  readonly away: boolean;
  onScroll(): void;
  toEnd(): void;
}

const nearEndPx = 48;
/**
 * Frames after which new rows have their final height. Frames rather than ms, because they take longer on a
 * busy machine.
 */
const settleFrames = 30;

interface Anchor {
  readonly row: Element;
  readonly edge: number;
}

/** Measures the lower edge, because the first row may lose its name line, which is above its text. */
const edgeIn = (box: Element, row: Element): number =>
  row.getBoundingClientRect().bottom - box.getBoundingClientRect().top;

/** First of the rows whose lower edge is in the box or below it. Reads few of them: each read costs a layout. */
function firstInSight(box: Element, rows: ArrayLike<Element>): Element | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && edgeIn(box, row) > 0) high = middle;
    else low = middle + 1;
  }
  return rows[low];
}

/** Keeps the row being read at its position while older rows are added above it. */
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
  /** Only near the top and the end, because rows are added and dropped only there. */
  const remember = (): void => {
    const box = place.current;
    if (box === null) return;
    // The position differs from the restored one, so the reader has scrolled and the anchor is released.
    if (Math.abs(box.scrollTop - put.current) > 1) held.current = false;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (held.current || Math.min(box.scrollTop, below) > 2 * box.clientHeight) return;
    const row = firstInSight(box, box.querySelectorAll('[data-row]'));
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
 * Keeps the end visible while text grows, and keeps the reader's position when older messages are added
 * above. `present` is false for a section of the history, which has no end to follow.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the anchor is in refs
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
