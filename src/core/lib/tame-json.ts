/**
 * JSON from strangers. Data in which `toString` is a key has no text form, so that comparing or measuring it throws, deep
 * inside a schema check that promises never to (T24); nothing of ours has such a key, and it is refused like broken JSON.
 */

/** The word itself, or letters of it written as escapes: everything else needs no second look. */
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

/** Throws a SyntaxError for what is not JSON, and for what is not tame. */
export function parseTameJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (suspicious.test(text) && holdsTextForm(value)) throw new SyntaxError('toString is a key of the JSON');
  return value;
}
