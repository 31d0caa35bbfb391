/**
 * Finds values that a file may contain and JSON cannot represent exactly. They are refused, so that the
 * pinned definition is what the author wrote.
 */

import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

const maxDepth = 48;

function strangeNumber(value: number): HostMessage | null {
  if (!Number.isFinite(value)) return say('workflowFiles.notFinite');
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return say('workflowFiles.numberTooLarge', { n: value });
  return null;
}

/** Readers could confuse a key `toString` or `__proto__` with the prototype's (T24). */
function strangeObject(value: object): HostMessage | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null)
    return say('workflowFiles.noPlainObject');
  return Object.hasOwn(value, '__proto__') || Object.hasOwn(value, 'toString')
    ? say('workflowFiles.forbiddenNames')
    : null;
}

function strangeOne(value: unknown): HostMessage | null {
  switch (typeof value) {
    case 'number':
      return strangeNumber(value);
    case 'object':
      return value === null ? null : strangeObject(value);
    case 'bigint':
    case 'function':
    case 'symbol':
      return say('workflowFiles.notJson', { kind: typeof value });
    default:
      return null;
  }
}

/** `null` if everything is plain JSON (or `undefined`), nested at most 48 deep. */
export function strangeValue(start: unknown): HostMessage | null {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: start, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (depth > maxDepth) return say('workflowFiles.valuesTooDeep', { n: maxDepth });
    const strange = strangeOne(value);
    if (strange !== null) return strange;
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
  return null;
}
