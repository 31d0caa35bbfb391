/**
 * Paths into an item: `a.b.0`, `a-b`, `"a key.with dots".c`; `.` and `this` are the item itself. Only own
 * properties are found.
 */
import { isExactRecord, type JsonValue } from './exact-json.ts';

/** `null` if a quote stays open, or if text follows a quote without a dot. */
export function parsePath(text: string): readonly string[] | null {
  if (text === '' || text === '.' || text === 'this') return [];
  const parts: string[] = [];
  const part = /(?:"((?:[^"\\]|\\.)*)"|([^."\s]+))(\.|$)/y;
  while (part.lastIndex < text.length) {
    const start = part.lastIndex;
    const match = part.exec(text);
    if (match === null) return null;
    parts.push(match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? '');
    if (match[3] === '.' && part.lastIndex === text.length) return null;
    if (part.lastIndex === start) return null;
  }
  return parts;
}

/** `undefined` if the path has no value. */
export function valueAt(item: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = item;
  for (const key of path) {
    if (Array.isArray(at)) at = /^\d+$/.test(key) ? (at as readonly JsonValue[])[Number(key)] : undefined;
    else if (isExactRecord(at)) at = Object.hasOwn(at, key) ? at[key] : undefined;
    else return undefined;
  }
  return at;
}
