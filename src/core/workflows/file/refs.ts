/** References to earlier results: `$id.path`. Reads own properties only, never the prototype. */
import { exactJsonText } from '../pipeline/exact-json.ts';
import { type Json, type Ref, resultFields, type TemplateScope } from './definition.ts';
import type { KnownNames } from './names.ts';

const whole = /^\$([A-Za-z0-9_-]+)((?:\.[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*)*)$/;

/** `null` if the text is not exactly one reference. The check tells whether the step exists. */
export function parseRef(text: string): Ref | null {
  const match = whole.exec(text.trim());
  if (!match) return null;
  const [, step = '', rest = ''] = match;
  return { step, path: rest === '' ? [] : rest.slice(1).split('.') };
}

export const printRef = (ref: Ref): string => ['$', [ref.step, ...ref.path].join('.')].join('');

/** A step needs a field after its id (`$a.json`); a loop variable may stand alone. */
export function isKnownRef(ref: Ref, names: KnownNames): boolean {
  return names.loops.has(ref.step) || (names.steps.has(ref.step) && ref.path.length > 0);
}

const own = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

function walk(start: unknown, path: readonly string[]): Json | undefined {
  let value = start;
  for (const word of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(word)) return undefined;
    value = own(value, word);
  }
  return value as Json | undefined;
}

const flags: ReadonlySet<string> = new Set(['approved', 'skipped', 'error']);
const fields: ReadonlySet<string> = new Set(resultFields);

/** `undefined` if the step has not run, was skipped, or has no such field. */
export function resolveRef(ref: Ref, scope: TemplateScope): Json | undefined {
  if (Object.hasOwn(scope.loop, ref.step)) {
    const item = scope.loop[ref.step];
    const direct = walk(item, ref.path);
    if (direct !== undefined) return direct;
    // Treats the item like the result of a step.
    const [as, ...rest] = ref.path;
    if (as === 'stdout' && rest.length === 0) return valueText(item);
    return as === 'json' ? walk(item, rest) : undefined;
  }
  const [field = '', ...rest] = ref.path;
  if (!fields.has(field)) return undefined;
  const result = Object.hasOwn(scope.steps, ref.step) ? scope.steps[ref.step] : undefined;
  const value = result === undefined ? undefined : walk(own(result, field), rest);
  return value === undefined && flags.has(field) && rest.length === 0 ? false : value;
}

/** Text of a value inside a template: empty for `undefined`, JSON for anything but a string. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '';
  return exactJsonText(value);
}
