/**
 * Filters of templates: pure functions of a value and its arguments, the same on every computer (dates are
 * UTC).
 */
import { cutCodePoints } from '../../lib/text.ts';
import { exactJsonText, type JsonValue, stringifyExact } from './exact-json.ts';

export interface Filter {
  /** Number of arguments. */
  readonly min: number;
  readonly max: number;
  /** Arguments must be whole numbers of zero or more. */
  readonly counts?: boolean;
  apply(value: JsonValue, words: readonly string[]): JsonValue;
}

const textFor = (value: JsonValue): string => (value === null ? '' : exactJsonText(value));
const onText =
  (change: (text: string, words: readonly string[]) => JsonValue) =>
  (value: JsonValue, words: readonly string[]): JsonValue =>
    change(textFor(value), words);
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

function truncate(text: string, [limit = '80']: readonly string[]): string {
  const cut = cutCodePoints(text, Number(limit));
  return cut.length < text.length ? `${cut}...` : text;
}

function lengthOf(value: JsonValue): number {
  if (isList(value)) return value.length;
  return typeof value === 'string' ? [...value].length : 0;
}

function round(value: JsonValue, [digits = '0']: readonly string[]): JsonValue {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return value;
  // Shifting by exponents avoids rounding errors: 1.005 becomes 1.01.
  const [mantissa = '', exponent = '0'] = String(Math.abs(number)).split('e');
  const whole = Math.round(Number(`${mantissa}e${Number(exponent) + Number(digits)}`));
  const [back = '', power = '0'] = String(whole).split('e');
  const rounded = Number(`${back}e${Number(power) - Number(digits)}`) * Math.sign(number);
  return Number.isFinite(rounded) ? rounded : value;
}

/** A date without a zone is UTC, so the result does not depend on the computer. */
function readDate(value: JsonValue): Date {
  if (typeof value === 'number') return new Date(value);
  const text = textFor(value).trim();
  if (/^\d+$/.test(text)) return new Date(Number(text));
  const zoned = /(?:[zZ]|[+-]\d\d:?\d\d|[A-Z]{3})\)?$/.test(text);
  const withTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text);
  return new Date(withTime && !zoned ? `${text.replace(' ', 'T')}Z` : text);
}

function date(value: JsonValue, [format]: readonly string[]): JsonValue {
  const read = readDate(value);
  if (Number.isNaN(read.getTime())) return textFor(value);
  const iso = read.toISOString();
  if (format === undefined) return iso;
  const two = (number: number): string => String(number).padStart(2, '0');
  const parts: Record<string, string> = {
    YYYY: String(read.getUTCFullYear()),
    MM: two(read.getUTCMonth() + 1),
    DD: two(read.getUTCDate()),
    HH: two(read.getUTCHours()),
    mm: two(read.getUTCMinutes()),
    ss: two(read.getUTCSeconds()),
  };
  return format.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => parts[part] ?? part);
}

export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['upper', { min: 0, max: 0, apply: onText((text) => text.toUpperCase()) }],
  ['lower', { min: 0, max: 0, apply: onText((text) => text.toLowerCase()) }],
  ['trim', { min: 0, max: 0, apply: onText((text) => text.trim()) }],
  ['truncate', { min: 0, max: 1, counts: true, apply: onText(truncate) }],
  [
    'replace',
    { min: 1, max: 2, apply: onText((text, [from = '', to = '']) => text.replaceAll(from, () => to)) },
  ],
  [
    'split',
    { min: 0, max: 1, apply: onText((text, [by = ',']) => (by === '' ? [...text] : text.split(by))) },
  ],
  ['first', { min: 0, max: 0, apply: (value) => (isList(value) ? (value[0] ?? null) : value) }],
  ['last', { min: 0, max: 0, apply: (value) => (isList(value) ? (value.at(-1) ?? null) : value) }],
  ['length', { min: 0, max: 0, apply: lengthOf }],
  [
    'join',
    {
      min: 0,
      max: 1,
      apply: (value, [separator = ', ']) =>
        isList(value) ? value.map(textFor).join(separator) : textFor(value),
    },
  ],
  ['json', { min: 0, max: 0, apply: (value) => stringifyExact(value, 2) }],
  ['string', { min: 0, max: 0, apply: textFor }],
  [
    'default',
    { min: 1, max: 1, apply: (value, [other = '']) => (value === null || value === '' ? other : value) },
  ],
  ['round', { min: 0, max: 1, counts: true, apply: round }],
  ['date', { min: 0, max: 1, apply: date }],
]);
