/**
 * Files of old senders, which sealed the whole body of an upload form instead of the file (spec §3.4).
 * Anything that is not clearly such a body is returned unchanged.
 */
import { concat, utf8 } from '../lib/bytes.ts';

/** Most bytes of the boundary line. */
const maxBoundaryLine = 256;
const [cr, lf, dash] = [0x0d, 0x0a, 0x2d];
const blankLines = [utf8('\r\n\r\n'), utf8('\n\n')];

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (let at = from; at + wanted.length <= bytes.length; at += 1) {
    let same = 0;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same += 1;
    if (same === wanted.length) return at;
  }
  return -1;
}

function boundaryOf(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== dash || bytes[1] !== dash) return null;
  const end = bytes.subarray(0, maxBoundaryLine).indexOf(lf);
  if (end < 0) return null;
  const boundary = bytes.subarray(0, bytes[end - 1] === cr ? end - 1 : end);
  return boundary.length > 2 ? boundary : null;
}

/** Content after the headers of a part; `null` if it has no headers. */
function bodyOf(part: Uint8Array): Uint8Array | null {
  const found = blankLines
    .map((blank) => ({ at: indexOf(part, blank, 0), length: blank.length }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0];
  if (!found) return null;
  const body = part.subarray(found.at + found.length);
  if (body.at(-1) !== lf) return body;
  return body.subarray(0, body.at(-2) === cr ? -2 : -1);
}

/** The largest part of a form, as a view of the input; any other input unchanged. */
export function stripMultipart(bytes: Uint8Array): Uint8Array {
  const boundary = boundaryOf(bytes);
  if (!boundary) return bytes;
  // A boundary starts a line; the same bytes elsewhere are content. Only the preceding line end is part of
  // the search, so that no byte is compared twice, whatever the file contains (T24).
  const line = concat(Uint8Array.of(lf), boundary);
  let largest: Uint8Array | null = null;
  let from = boundary.length;
  for (;;) {
    const next = indexOf(bytes, line, from);
    if (next < 0) break;
    const body = bodyOf(bytes.subarray(from, next + 1));
    if (body && body.length > (largest?.length ?? -1)) largest = body;
    from = next + line.length;
  }
  return largest ?? bytes;
}
