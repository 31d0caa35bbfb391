/**
 * Parses untrusted JSON. An object with a `toString` key cannot be converted to text, so comparing or
 * measuring it throws, even inside a schema check that must not throw (T24). Kennel uses no such key, so it
 * is refused like invalid JSON.
 */

/** Contains the key itself or letters written as escapes; other texts need no check. */
const suspicious = /toString|\\u00[4-7]/i;

function holdsTextForm(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, 'toString')) return true;
    for (const child of Object.values(next)) open.push(child);
  }
  return false;
}

/** Throws a SyntaxError for invalid JSON and for a `toString` key. */
export function parseSafeJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (suspicious.test(text) && holdsTextForm(value)) throw new SyntaxError('toString is a key of the JSON');
  return value;
}
