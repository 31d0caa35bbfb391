/**
 * Finds values that a file may contain and JSON cannot represent exactly. They are refused, so that the
 * pinned definition is what the author wrote.
 */

const maxDepth = 48;

function strangeNumber(value: number): string | null {
  if (!Number.isFinite(value)) return 'A number is not finite.';
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return `The number ${value} is too large to be kept exactly; write it in quotes.`;
  return null;
}

/** Readers could confuse a key `toString` or `__proto__` with the prototype's (T24). */
function strangeObject(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null)
    return 'A value is no plain object.';
  return Object.hasOwn(value, '__proto__') || Object.hasOwn(value, 'toString')
    ? '"__proto__" and "toString" cannot be names here.'
    : null;
}

function strangeOne(value: unknown): string | null {
  switch (typeof value) {
    case 'number':
      return strangeNumber(value);
    case 'object':
      return value === null ? null : strangeObject(value);
    case 'bigint':
    case 'function':
    case 'symbol':
      return `A value of type ${typeof value} is no JSON.`;
    default:
      return null;
  }
}

/** `null` if everything is plain JSON (or `undefined`), nested at most 48 deep. */
export function strangeValue(start: unknown): string | null {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: start, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (depth > maxDepth) return `Values may be nested ${maxDepth} deep.`;
    const strange = strangeOne(value);
    if (strange !== null) return strange;
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
  return null;
}
