/** Which rows of a long list are near the visible area, computed from one height per kind of row. */

export interface ListItem {
  readonly key: string;
  /** Rows of one kind have the same height. */
  readonly kind: string;
}

/** Top of each item in px, and the height of the whole list as the last entry. */
export function rowTops(kinds: readonly string[], heightOf: (kind: string) => number): readonly number[] {
  const tops = [0];
  for (const kind of kinds) tops.push((tops.at(-1) ?? 0) + heightOf(kind));
  return tops;
}

/** Index of the item at this height; the first or last one outside of the list. */
export function indexAt(tops: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Rows that change together, so that a small scroll renders nothing. */
const block = 8;

export interface RowRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The rows between two heights, and one block on each side. */
export function rangeBetween(tops: readonly number[], top: number, bottom: number): RowRange {
  const count = tops.length - 1;
  const from = Math.max(0, Math.floor(indexAt(tops, top) / block) - 1) * block;
  return { from, to: Math.min(count, (Math.floor(indexAt(tops, bottom) / block) + 2) * block) };
}

/** Rendered indexes in order: the range, and the kept row wherever it is. */
export function renderedIndexes({ from, to }: RowRange, count: number, kept: number): readonly number[] {
  const end = Math.min(to, count);
  const range = Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
  if (kept < 0 || kept >= count || (kept >= from && kept < end)) return range;
  return kept < from ? [kept, ...range] : [...range, kept];
}
