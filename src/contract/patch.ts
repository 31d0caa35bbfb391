/** A feed topic sends one snapshot with a revision, then numbered patches made of these operations. */
import { z } from 'zod';

const pathSchema = z.array(z.union([z.string(), z.number().int()]));

export const patchOpSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('set'), path: pathSchema, value: z.unknown() }),
  z.object({ op: z.literal('delete'), path: pathSchema }),
  /** Appends to the string at `path`: streamed text costs its delta, not its whole. */
  z.object({ op: z.literal('append'), path: pathSchema, text: z.string() }),
]);
export type PatchOp = z.infer<typeof patchOpSchema>;

export const feedEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), revision: z.number().int(), state: z.unknown() }),
  /** `revision` is exactly one more than the event before; a gap means: subscribe again. */
  z.object({ type: z.literal('patch'), revision: z.number().int(), ops: z.array(patchOpSchema) }),
  z.object({ type: z.literal('end'), reason: z.string() }),
]);
export type FeedEvent = z.infer<typeof feedEventSchema>;

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
  // Keys are names that servers choose: one that is called __proto__ is a name like any other (T26).
  return Object.defineProperty(copy, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Applies a patch without touching `state`; branches that did not change keep their identity. */
export function applyPatch<T>(state: T, ops: readonly PatchOp[]): T {
  return ops.reduce<unknown>((current, op) => applyAt(current, op.path, op), state) as T;
}
