/** Converts the text of a form into the value that its schema describes. */
import { isObject, type SchemaField } from './schema-fields.ts';

export type FieldProblem = 'required' | 'number' | 'integer' | 'json';

/** Typed text by field key. */
export type Typed = Readonly<Record<string, string>>;

/** JSON keeps the keys of different paths distinct and avoids names such as `__proto__`. */
export const keyOf = ({ path }: Pick<SchemaField, 'path'>): string => JSON.stringify(path);

type ReadResult = { readonly value: unknown } | { readonly problem: FieldProblem } | 'absent';

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

/** Field of any type: parses JSON if it is valid, otherwise keeps the text. */
function anyOf(text: string): ReadResult {
  const found = parsed(text);
  return found !== 'absent' && 'value' in found ? found : { value: text };
}

/**
 * Value of an empty field. A cleared field that had a default becomes empty text or an empty list, not
 * absent.
 */
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

/** Own property even for a name such as `__proto__`. */
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
  /** `undefined` if nothing was typed and nothing is required. */
  readonly value: unknown;
  readonly problems: Readonly<Record<string, FieldProblem>>;
}

/** Takes the fields of `fieldsOf`; a field that was not edited keeps its start value. */
export function readForm(fields: readonly SchemaField[], typed: Typed): ReadForm {
  const problems: Record<string, FieldProblem> = {};
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
