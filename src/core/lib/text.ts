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
    end = at + length;
    // A first half behind which no second one stands is no character, and what follows it may begin one.
    if (isHalf(text, end - 1, 0xd800) && isHalf(text, end, 0xdc00)) end += 1;
    yield text.slice(at, end);
  }
}

/** Of the 1,024 first halves from U+D800, or the second ones from U+DC00. */
const isHalf = (text: string, at: number, from: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= from && unit < from + 0x400;
};
