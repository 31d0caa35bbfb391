/** Converts almost correct values of a model: "42" to a number, 1 to "1", one item to a list. */
import { isRecord } from '../../contract/is-record.ts';
import { plainCopy } from './plain-copy.ts';

const matchers: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isRecord,
};

const typeNames = (type: unknown): readonly unknown[] => (Array.isArray(type) ? type : [type]);

/** Unknown types match every value. */
export function hasType(type: unknown, value: unknown): boolean {
  return typeNames(type).some((name) => {
    const matches = typeof name === 'string' && Object.hasOwn(matchers, name) ? matchers[name] : undefined;
    return matches === undefined || matches(value);
  });
}

type Fitted = { readonly value: unknown };

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function asNumber(value: unknown): Fitted | null {
  if (typeof value === 'boolean') return { value: value ? 1 : 0 };
  if (typeof value !== 'string' || !decimal.test(value.trim())) return null;
  const number = Number(value);
  return Number.isFinite(number) ? { value: number } : null;
}

function asBoolean(value: unknown): Fitted | null {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === 'true' || text === 1 || text === '1') return { value: true };
  if (text === 'false' || text === 0 || text === '0') return { value: false };
  return null;
}

/** Parses a list or object that was sent as JSON text. */
function fromText(value: unknown, opening: string, type: string): Fitted | null {
  if (typeof value !== 'string' || !value.trimStart().startsWith(opening)) return null;
  try {
    const parsed = plainCopy(JSON.parse(value));
    return parsed && hasType(type, parsed.value) ? parsed : null;
  } catch {
    return null;
  }
}

function to(type: unknown, value: unknown): Fitted | null {
  switch (type) {
    case 'number':
      return asNumber(value);
    case 'integer': {
      const fitted = asNumber(value);
      return fitted && Number.isInteger(fitted.value) ? fitted : null;
    }
    case 'boolean':
      return asBoolean(value);
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? { value: String(value) } : null;
    case 'null':
      return value === '' ? { value: null } : null;
    case 'object':
      return fromText(value, '{', 'object');
    case 'array':
      return (
        fromText(value, '[', 'array') ?? (value === null || value === undefined ? null : { value: [value] })
      );
    default:
      return null;
  }
}

/** `null` if the value does not clearly fit any of the schema's types. */
export function coerce(schema: Readonly<Record<string, unknown>>, value: unknown): Fitted | null {
  for (const type of typeNames(schema.type)) {
    const fitted = to(type, value);
    if (fitted) return fitted;
  }
  return null;
}
