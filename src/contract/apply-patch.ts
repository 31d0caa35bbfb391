/** Applies patches to a state; separate from the schemas, which a page does not need. */
import type { PatchOp } from './patch.ts';

type Container = Record<string | number, unknown>;

const copyOf = (value: unknown): Container =>
  Array.isArray(value) ? ([...value] as unknown as Container) : { ...(value as Container) };

function applyAt(state: unknown, path: readonly (string | number)[], op: PatchOp): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (op.op === 'append') return `${typeof state === 'string' ? state : ''}${op.text}`;
    return op.op === 'set' ? op.value : undefined;
  }
  const copy = copyOf(state ?? {});
  if (rest.length === 0 && op.op === 'delete') {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
    return copy;
  }
  const value = applyAt(Object.hasOwn(copy, key) ? copy[key] : undefined, rest, op);
  // Keys may be names chosen by servers, so `__proto__` must be an ordinary key (T26).
  return Object.defineProperty(copy, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Does not modify `state`; unchanged branches keep their identity. */
export function applyPatch<T>(state: T, ops: readonly PatchOp[]): T {
  return ops.reduce<unknown>((current, op) => applyAt(current, op.path, op), state) as T;
}
