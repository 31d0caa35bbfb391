/**
 * JSON of pipelines. A whole number that a double cannot hold comes as a bigint and is written back digit by digit; a
 * number beyond every double, and nesting that would break those who write it, are refused. Nothing is changed silently.
 */
import { err, ok, type Result } from '../../../contract/result.ts';

export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonRecord = { readonly [key: string]: JsonValue };

/** Containers in containers. */
const maxDepth = 1000;
/** Texts without these hold no number that could be changed, and take the short way; digits inside words do not count. */
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

const isContainer = (value: JsonValue): value is readonly JsonValue[] | JsonRecord =>
  typeof value === 'object' && value !== null;

/** Level by level, without a call per value: data may be deep and large. */
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

/** However deep it is nested; throws for what is no JSON. */
export const readExact = (text: string): JsonValue =>
  riskyNumber.test(text) ? parseWithSource(text, keepNumber) : (JSON.parse(text) as JsonValue);

/** The error is half a sentence: what is wrong with the text. */
export function parseExact(text: string): Result<JsonValue, string> {
  try {
    const value = readExact(text);
    return isTooDeep(value) ? err(`it is nested deeper than ${maxDepth} levels`) : ok(value);
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

/** `indent` in blanks. */
export function stringifyExact(value: JsonValue, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    // Only a bigint brings it here: looking at every value first would cost each text that holds none.
    return JSON.stringify(
      value,
      (_key, each: unknown) => (typeof each === 'bigint' ? rawJSON(String(each)) : each),
      indent,
    );
  }
}

/** For what compares with doubles only. */
export function holdsBigint(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  return isContainer(value) && Object.values<JsonValue>(value as JsonRecord).some(holdsBigint);
}

export const isRecord = (value: JsonValue | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As people and programs read one item: texts as they are, everything else as JSON. */
export const textOf = (value: JsonValue): string =>
  typeof value === 'string' ? value : stringifyExact(value);

/** The same text for the same data, whatever the order of its keys. */
export function sortedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isRecord(value)) return stringifyExact(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key] ?? null)}`).join(',')}}`;
}
