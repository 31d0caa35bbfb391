/** Deep copy of JSON data that shares nothing with the original and has no `__proto__` members (T26). */

const maxDepth = 128;

/** `null` if nested too deeply or not plain data. */
export function plainCopy(value: unknown, depth = 0): { readonly value: unknown } | null {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? null : { value };
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const item of value) {
      const copy = plainCopy(item, depth + 1);
      if (!copy) return null;
      list.push(copy.value);
    }
    return { value: list };
  }
  const fields: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') continue;
    const copy = plainCopy(member, depth + 1);
    if (!copy) return null;
    fields[key] = copy.value;
  }
  return { value: fields };
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
