import { z } from 'zod';

/** Levels of arrays and objects inside each other. */
const mostDeep = 200;

/**
 * Whether a value that may have come by structured clone is what JSON can say: a tree, with nothing in it twice, so that it is no
 * larger written than it is here, and without a key that would become the prototype of what it is copied into (T22, T25).
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

/** Any JSON value; what it means is said by a schema of somebody else's. */
export const plainDataSchema = z.unknown().refine(isPlainData, { error });

export const plainRecordSchema = z.record(z.string(), z.unknown()).refine(isPlainData, { error });
