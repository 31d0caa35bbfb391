/** JSON from untrusted clients: UTF-8 and nesting are checked before parsing (T24). */
import { fromUtf8 } from '../core/lib/bytes.ts';
import { parseSafeJson } from '../core/lib/safe-json.ts';

const quote = 0x22;
const backslash = 0x5c;

/** The index of the quote that closes the string whose opening quote is at `at`, or the end. */
function closingQuote(bytes: Uint8Array, at: number): number {
  for (let next = at + 1; next < bytes.length; next += 1) {
    if (bytes[next] === backslash) next += 1;
    else if (bytes[next] === quote) return next;
  }
  return bytes.length;
}

/** Nesting depth of arrays and objects, counted without parsing; any number for text that is not JSON. */
export function nestingDepth(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = closingQuote(bytes, at);
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return deepest;
}

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

/** An empty body counts as an empty object: clients send nothing for `{}` (spec §2.1). */
export function parseGuardedJson(bytes: Uint8Array, maxDepth: number): ParsedJson {
  if (bytes.length === 0) return { ok: true, value: {} };
  if (nestingDepth(bytes) > maxDepth) {
    return { ok: false, why: `The JSON is nested deeper than ${maxDepth} levels.` };
  }
  const text = fromUtf8(bytes);
  if (text === null) return { ok: false, why: 'The body is not UTF-8.' };
  try {
    return { ok: true, value: parseSafeJson(text) };
  } catch {
    return { ok: false, why: 'The body is not JSON.' };
  }
}
