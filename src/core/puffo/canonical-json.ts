/**
 * Canonical bytes of a JSON value for signatures (RFC 8785, restricted to the values of the protocol, spec
 * §1.3). Values on whose form implementations disagree (floats, non-ASCII keys, unsafe integers, lone
 * surrogates) are refused, so they can be neither signed nor verified.
 */

import { isRecord } from '../../contract/is-record.ts';
import { type Err, ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { utf8 } from '../lib/bytes.ts';
import { depthWithin } from '../lib/json-depth.ts';
import { parseSafeJson } from '../lib/safe-json.ts';
import { writeStable } from '../lib/stable-json.ts';
import { type RefusalReason, refuseWire } from './refusal.ts';
import { maxJsonDepth } from './wire.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const asciiOnly = /^[\u0000-\u007f]*$/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

class Refused extends Error {}

function checkNumber(value: number, where: string): void {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
    throw new Refused(`${where} is not an integer between -(2^53-1) and 2^53-1`);
  }
}

function checkMembers(value: object, where: string, depth: number): void {
  if (depth >= maxJsonDepth) throw new Refused(`${where} is nested more than ${maxJsonDepth} levels deep`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) check(item, `${where}[${index}]`, depth + 1);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new Refused(`${where} is not plain JSON`);
  // Sorting by UTF-16 units equals sorting by code points while all names are ASCII.
  for (const [name, member] of Object.entries(value)) {
    if (!asciiOnly.test(name)) throw new Refused(`${where} has a member whose name is not ASCII`);
    check(member, `${where}.${name}`, depth + 1);
  }
}

function check(value: unknown, where: string, depth: number): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'number') checkNumber(value, where);
  else if (typeof value === 'object') checkMembers(value, where, depth);
  else if (typeof value !== 'string') throw new Refused(`${where} is not JSON`);
  else if (loneSurrogate.test(value)) throw new Refused(`${where} holds half a character (a lone surrogate)`);
}

/**
 * UTF-8 bytes of the canonical form, or `not_canonical` with the path inside the value. Nesting is limited to
 * 64 levels.
 */
export function canonicalJson(value: unknown): Result<Uint8Array> {
  try {
    check(value, 'value', 0);
    return ok(utf8(writeStable(value)));
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
