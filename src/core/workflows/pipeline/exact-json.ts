/**
 * JSON of pipelines. A whole number that a double cannot hold becomes a bigint and is written back digit by
 * digit. Numbers beyond every double, and nesting that would overflow the writer, are refused. No value
 * changes silently.
 */
import { errorText } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';

export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type ExactJsonRecord = { readonly [key: string]: JsonValue };

/** Levels of nested containers. */
const maxDepth = 1000;
/**
 * Texts without a match contain no number that a double could change, so they take the fast path; digits
 * inside strings may match, too.
 */
const riskyNumber = /(?:^|[[,:\s])-?(?:\d{16}|[\d.]+[eE]\+?\d{3})/;

type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => JsonValue;
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

const keepNumber: SourceReviver = (_key, value, context) => {
  if (typeof value !== 'number' || context.source === undefined) return value;
  if (!Number.isFinite(value))
    throw new SyntaxError(`the number ${context.source.slice(0, 40)} is too large`);
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
};

const isContainer = (value: JsonValue): value is readonly JsonValue[] | ExactJsonRecord =>
  typeof value === 'object' && value !== null;

/** Breadth-first and without recursion, because data may be deep and large. */
function isTooDeep(value: JsonValue): boolean {
  let level = isContainer(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= maxDepth) return true;
    const below: typeof level = [];
    for (const each of level) {
      const children = Array.isArray(each) ? (each as readonly JsonValue[]) : Object.values(each);
      for (const child of children) if (isContainer(child)) below.push(child);
    }
    level = below;
  }
  return false;
}

/** Any nesting depth; throws for invalid JSON. */
export const readExact = (text: string): JsonValue =>
  riskyNumber.test(text) ? parseWithSource(text, keepNumber) : (JSON.parse(text) as JsonValue);

/** The error is a clause that completes a sentence. */
export function parseExact(text: string): Result<JsonValue, string> {
  try {
    const value = readExact(text);
    return isTooDeep(value) ? err(`it is nested deeper than ${maxDepth} levels`) : ok(value);
  } catch (error) {
    return err(errorText(error));
  }
}

/** `indent` in blanks. */
export function stringifyExact(value: JsonValue, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    // Only a bigint throws here; checking every value first would slow down all other texts.
    return JSON.stringify(
      value,
      (_key, each: unknown) => (typeof each === 'bigint' ? rawJSON(String(each)) : each),
      indent,
    );
  }
}

/** For code that compares doubles only. */
export function holdsBigint(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  return isContainer(value) && Object.values<JsonValue>(value as ExactJsonRecord).some(holdsBigint);
}

export const isExactRecord = (value: JsonValue | undefined): value is ExactJsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of one item: strings unquoted, everything else as JSON. */
export const exactJsonText = (value: JsonValue): string =>
  typeof value === 'string' ? value : stringifyExact(value);

/** Canonical JSON: the same text for the same data, whatever the key order. */
export function sortedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isExactRecord(value)) return stringifyExact(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key] ?? null)}`).join(',')}}`;
}
