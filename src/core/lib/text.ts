/** Lengths and cuts in Unicode code points, the unit of every Puffo limit (spec §12.8). */

export function codePointLength(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** First `limit` code points; never half a surrogate pair. */
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

/** Chunks of about `length` code units; never cuts a surrogate pair. */
export function* piecesOf(text: string, length: number): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + length;
    // A high surrogate without a low one is no pair, and the next unit may start one.
    if (isHalf(text, end - 1, 0xd800) && isHalf(text, end, 0xdc00)) end += 1;
    yield text.slice(at, end);
  }
}

/** Whether the unit is one of the 1,024 surrogates from `from`: U+D800 (high) or U+DC00 (low). */
const isHalf = (text: string, at: number, from: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= from && unit < from + 0x400;
};

/** The last part of a path with slashes or backslashes. */
export const lastPathPart = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
