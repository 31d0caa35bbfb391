/**
 * Canonical bytes of a JSON value for signatures (RFC 8785, restricted to the values of the protocol, spec
 * §1.3). Values on whose form implementations disagree (floats, non-ASCII keys, unsafe integers, lone
 * surrogates) are refused, so they can be neither signed nor verified.
 */

import { type Err, ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { utf8 } from '../lib/bytes.ts';
import { depthWithin } from '../lib/json-depth.ts';
import { parseSafeJson } from '../lib/safe-json.ts';
import { type RefusalReason, refuseWire } from './refusal.ts';
import { maxJsonDepth } from './wire.ts';

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
const escaped = /["\\\u0000-\u001f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const asciiOnly = /^[\u0000-\u007f]*$/;

const quote = (text: string): string =>
  `"${text.replace(escaped, (c) => shortEscapes[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

class Refused extends Error {}

function text(value: string, where: string): string {
  if (loneSurrogate.test(value)) throw new Refused(`${where} holds half a character (a lone surrogate)`);
  return quote(value);
}

function integer(value: number, where: string): string {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
    throw new Refused(`${where} is not an integer between -(2^53-1) and 2^53-1`);
  }
  return String(value);
}

function member(key: string, value: unknown, where: string, depth: number): string {
  if (!asciiOnly.test(key)) throw new Refused(`${where} has a member whose name is not ASCII`);
  return `${quote(key)}:${write(value, `${where}.${key}`, depth)}`;
}

function composite(value: object, where: string, depth: number): string {
  if (depth >= maxJsonDepth) throw new Refused(`${where} is nested more than ${maxJsonDepth} levels deep`);
  if (Array.isArray(value)) {
    return `[${value.map((item, i) => write(item, `${where}[${i}]`, depth + 1)).join(',')}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new Refused(`${where} is not plain JSON`);
  // Sorting by UTF-16 units equals sorting by code points while all names are ASCII.
  const members = Object.keys(value).sort();
  const record = value as Record<string, unknown>;
  return `{${members.map((key) => member(key, record[key], where, depth + 1)).join(',')}}`;
}

function write(value: unknown, where: string, depth: number): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return integer(value, where);
  if (typeof value === 'string') return text(value, where);
  if (typeof value === 'object') return composite(value, where, depth);
  throw new Refused(`${where} is not JSON`);
}

/**
 * UTF-8 bytes of the canonical form, or `not_canonical` with the path inside the value. Nesting is limited to
 * 64 levels.
 */
export function canonicalJson(value: unknown): Result<Uint8Array> {
  try {
    return ok(utf8(write(value, 'value', 0)));
  } catch (error) {
    if (error instanceof Refused)
      return refuseWire('not_canonical', say('server.cannotSign', { why: error.message }));
    throw error;
  }
}

/** Signed bytes: the canonical form without the top-level `signature` and `self_signature` (spec §1.3). */
export function signingInput(object: Readonly<Record<string, unknown>>): Result<Uint8Array> {
  const { signature: _, self_signature: __, ...rest } = object;
  return canonicalJson(rest);
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON text that must be an object, at most 64 levels deep (T24). */
export function parseObject(json: string): Result<JsonRecord> {
  const malformed = (why: string): Err =>
    refuseWire('malformed' satisfies RefusalReason, say('server.invalidData', { why }));
  if (!depthWithin(json, maxJsonDepth)) return malformed(`is nested more than ${maxJsonDepth} levels deep`);
  try {
    const value = parseSafeJson(json);
    return isRecord(value) ? ok(value) : malformed('is not a JSON object');
  } catch {
    return malformed('is not JSON');
  }
}
