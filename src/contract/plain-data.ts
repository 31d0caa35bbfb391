import { z } from 'zod';

/** Maximum nesting of arrays and objects. */
const mostDeep = 200;

/**
 * Whether a value, possibly from structured clone, is a JSON tree: no shared references, so that its text
 * cannot be larger than the value, and no `__proto__` key (T22, T25).
 */
function isPlainData(root: unknown): boolean {
  const seen = new Set<object>();
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'number' && !Number.isFinite(value)) return false;
    if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return false;
    if (typeof value !== 'object' || value === null) continue;
    const isTree = Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
    if (!isTree || seen.has(value) || depth === mostDeep || Object.hasOwn(value, '__proto__')) return false;
    seen.add(value);
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
  return true;
}

const error = 'Must be plain JSON, at most 200 levels deep';

/** Any JSON value; another schema defines its meaning. */
export const plainDataSchema = z.unknown().refine(isPlainData, { error });

export const plainRecordSchema = z.record(z.string(), z.unknown()).refine(isPlainData, { error });
