/** What was typed into a form, as the value that its schema describes. */
import { isObject, type SchemaField } from './schema-fields.ts';

export type Problem = 'required' | 'number' | 'integer' | 'json';

/** Typed text by the key of its field. */
export type Typed = Readonly<Record<string, string>>;

/** No two paths share a key, and none is a name that every object has. */
export const keyOf = ({ path }: Pick<SchemaField, 'path'>): string => JSON.stringify(path);

type ReadResult = { readonly value: unknown } | { readonly problem: Problem } | 'absent';

function numberOf(text: string, whole: boolean): ReadResult {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: 'number' };
  return whole && !Number.isInteger(value) ? { problem: 'integer' } : { value };
}

function parsed(text: string): ReadResult {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'json' };
  }
}

function linesOf({ item }: SchemaField, text: string): ReadResult {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (item === 'string') return { value: lines };
  const numbers = lines.map((line) => numberOf(line.trim(), item === 'integer'));
  const wrong = numbers.find((one) => one !== 'absent' && 'problem' in one);
  if (wrong !== undefined) return wrong;
  return { value: numbers.flatMap((one) => (one !== 'absent' && 'value' in one ? [one.value] : [])) };
}

/** Of any type: JSON where it is some, else the words themselves. */
function anyOf(text: string): ReadResult {
  const found = parsed(text);
  return found !== 'absent' && 'value' in found ? found : { value: text };
}

/** Nothing was typed. A value that had a default and was emptied is meant to be empty where it can be. */
function emptyOf({ kind, required, start }: SchemaField): ReadResult {
  if (kind === 'text' && start !== '') return { value: '' };
  if (kind === 'lines' && (required || start !== '')) return { value: [] };
  return required ? { problem: 'required' } : 'absent';
}

function readField(field: SchemaField, text: string): ReadResult {
  if (text === '' || (field.kind !== 'text' && text.trim() === '')) return emptyOf(field);
  switch (field.kind) {
    case 'text':
      return { value: text };
    case 'lines':
      return linesOf(field, text);
    case 'boolean':
      return { value: text === 'true' };
    case 'any':
      return anyOf(text);
    case 'number':
    case 'integer':
      return numberOf(text.trim(), field.kind === 'integer');
    case 'choice':
    case 'json':
      return parsed(text);
  }
}

/** Data only: a name like `__proto__` is a name. */
function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  const set = (next: unknown): void => {
    Object.defineProperty(target, name, {
      value: next,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  };
  if (rest.length === 0) {
    set(value);
    return;
  }
  const known = Object.hasOwn(target, name) ? target[name] : undefined;
  const next: Record<string, unknown> = isObject(known) ? { ...known } : {};
  put(next, rest, value);
  set(next);
}

export interface ReadForm {
  /** Undefined: nothing was given, and nothing had to be. */
  readonly value: unknown;
  readonly problems: Readonly<Record<string, Problem>>;
}

/** `fields` as `fieldsOf` gave them; what was not typed stands as it stood at first. */
export function readForm(fields: readonly SchemaField[], typed: Typed): ReadForm {
  const problems: Record<string, Problem> = {};
  const whole: Record<string, unknown> = {};
  let value: unknown;
  for (const field of fields) {
    const found = readField(field, typed[keyOf(field)] ?? field.start);
    if (found === 'absent') continue;
    if ('problem' in found) problems[keyOf(field)] = found.problem;
    else if (field.path.length === 0) value = found.value;
    else put(whole, field.path, found.value);
  }
  const single = fields.length === 1 && fields[0]?.path.length === 0;
  return { value: single ? value : whole, problems };
}
