/** Lengths and cuts in Unicode code points, which is how every Puffo limit counts (spec §12.8). */

export function codePointLength(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `limit` code points; never half a surrogate pair. */
export function cutCodePoints(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let count = 0;
  let end = 0;
  for (const point of text) {
    if (count === limit) break;
    count += 1;
    end += point.length;
  }
  return text.slice(0, end);
}
