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

/** The text in pieces of about `length` code units; no character of two halves is cut between them. */
export function* piecesOf(text: string, length: number): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    const last = text.charCodeAt(at + length - 1);
    const halved = last >= 0xd800 && last <= 0xdbff;
    end = at + length + (halved ? 1 : 0);
    yield text.slice(at, end);
  }
}
