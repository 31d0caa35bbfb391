/**
 * Checks JSON data against JSON Schema (the part of draft 2020-12 that tools use) by interpretation: no code
 * is generated, so it works under a strict CSP. Common near misses of models are corrected: "42" for 42, one
 * item for a list of one. Unknown keywords are ignored, as in the draft. Work is bounded (T25): a value that
 * was not fully checked does not fit.
 */
import { isRecord } from '../../contract/is-record.ts';
import type { JsonSchema } from '../models/model-ports.ts';
import { coerce, hasType } from './coerce.ts';
import { checkCount, checkList, checkNumber, checkText } from './json-schema-limits.ts';
import { Patterns } from './json-schema-patterns.ts';
import type { SchemaIssue, Walk } from './json-schema-walk.ts';
import { copyWithin, type SchemaWork, SchemaWorkSpent, spend } from './json-schema-work.ts';
import { sameJson } from './same-json.ts';

type Fields = Record<string, unknown>;

const maxDepth = 256;
/** Most schemas applied and values copied or compared in one check; some hundred ms. */
const maxWork = 500_000;

const note = (walk: Walk, path: string, message: string): void => {
  walk.issues.push({ path: path === '' ? '(arguments)' : path, message });
};

const below = (path: string, key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`);

function pointerKey(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return null;
  }
}

/** Resolves only pointers inside the same schema; `undefined` if the target is missing. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  if (!/^#($|[/])/.test(pointer)) return undefined;
  let at: unknown = root;
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const key = pointerKey(part);
    if (key === null) return undefined;
    const list = Array.isArray(at) ? (at as unknown[])[Number(key)] : undefined;
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : list;
  }
  return at;
}

/** The value, coerced to `schema`, and all issues. */
export function checkAgainst(
  schema: JsonSchema,
  given: unknown,
): { readonly value: unknown; readonly issues: readonly SchemaIssue[] } {
  const patterns = new Patterns();
  const issues: SchemaIssue[] = [];
  const work: SchemaWork = { left: maxWork };
  try {
    const value = checkValue(schema, given, '', { root: schema, issues, patterns, work, depth: 0 });
    return { value, issues: [...patterns.unread, ...issues] };
  } catch (error) {
    if (!(error instanceof SchemaWorkSpent)) throw error;
    return { value: given, issues: [{ path: error.path || '(arguments)', message: error.message }] };
  }
}

/** Returns the value, coerced where that is clear; adds an issue for the rest. */
function checkValue(schema: unknown, given: unknown, path: string, outer: Walk): unknown {
  spend(outer.work, 1);
  if (schema === false) note(outer, path, 'is not allowed');
  if (!isRecord(schema)) return given;
  if (outer.depth > maxDepth) throw new SchemaWorkSpent('is nested too deeply', path);
  const walk: Walk = { ...outer, depth: outer.depth + 1 };
  let value = given;
  if (typeof schema.$ref === 'string') {
    const target = resolvePointer(walk.root, schema.$ref);
    if (target === undefined) note(walk, path, `has a form that its schema does not say: ${schema.$ref}`);
    else value = checkValue(target, value, path, walk);
  }
  if (schema.type !== undefined && !hasType(schema.type, value)) {
    const fitted = coerce(schema, value);
    if (!fitted) {
      note(walk, path, `must be ${[schema.type].flat().join(' or ')}`);
      return value;
    }
    value = fitted.value;
  }
  value = checkBranches(schema, value, path, walk);
  checkFixed(schema, value, path, walk);
  if (typeof value === 'string') checkText(schema, value, path, walk);
  else if (typeof value === 'number') checkNumber(schema, value, path, walk);
  else if (Array.isArray(value)) checkItems(schema, value, path, walk);
  else if (isRecord(value)) checkFields(schema, value, path, walk);
  return value;
}

function checkFixed(schema: Fields, value: unknown, path: string, walk: Walk): void {
  if (Array.isArray(schema.enum)) spend(walk.work, schema.enum.length);
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => sameJson(one, value))) {
    note(walk, path, `must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}`);
  }
  if (Object.hasOwn(schema, 'const') && !sameJson(schema.const, value)) {
    note(walk, path, `must be ${JSON.stringify(schema.const)}`);
  }
}

function fits(schema: unknown, value: unknown, walk: Walk): { readonly value: unknown } | null {
  const issues: SchemaIssue[] = [];
  const made = checkValue(schema, copyWithin(value, walk.work), '', { ...walk, issues });
  return issues.length === 0 ? { value: made } : null;
}

interface Chosen {
  readonly value: unknown;
  /** Number of branches that the unchanged value fits. */
  readonly exact: number;
}

/**
 * Checks each branch once. Takes the first that the unchanged value fits, otherwise the first that it can be
 * coerced to; `null` if it fits none.
 */
function chosen(branches: readonly unknown[], value: unknown, walk: Walk): Chosen | null {
  const fitting = branches.map((branch) => fits(branch, value, walk)).filter((each) => each !== null);
  const exact = fitting.filter((each) => sameJson(each.value, value));
  const taken = exact[0] ?? fitting[0];
  return taken ? { value: taken.value, exact: exact.length } : null;
}

/** Whether the unchanged value fits. */
const fitsAsItIs = (schema: unknown, value: unknown, walk: Walk): boolean => {
  const fitted = fits(schema, value, walk);
  return fitted !== null && sameJson(fitted.value, value);
};

/** A coerced value may fit another branch, too: only then are the branches checked again. */
const isAmbiguous = (branches: readonly unknown[], { value, exact }: Chosen, walk: Walk): boolean =>
  exact > 0 ? exact > 1 : branches.filter((branch) => fitsAsItIs(branch, value, walk)).length > 1;

function checkBranches(schema: Fields, given: unknown, path: string, walk: Walk): unknown {
  let value = given;
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf) value = checkValue(part, value, path, walk);
  }
  for (const key of ['anyOf', 'oneOf'] as const) {
    const branches = schema[key];
    if (!Array.isArray(branches)) continue;
    const fitted = chosen(branches, value, walk);
    if (!fitted) note(walk, path, 'fits none of the allowed forms');
    else if (key === 'oneOf' && isAmbiguous(branches, fitted, walk))
      note(walk, path, 'fits more than one of the allowed forms');
    if (fitted) value = fitted.value;
  }
  if (schema.not !== undefined && fitsAsItIs(schema.not, value, walk)) {
    note(walk, path, 'has a form that is not allowed');
  }
  if (schema.if === undefined) return value;
  const branch = fits(schema.if, value, walk) ? schema.then : schema.else;
  return branch === undefined ? value : checkValue(branch, value, path, walk);
}

function checkItems(schema: Fields, value: unknown[], path: string, walk: Walk): void {
  checkList(schema, value, path, walk);
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  for (const [index, item] of value.entries()) {
    const part: unknown = index < first.length ? first[index] : schema.items;
    if (part !== undefined) value[index] = checkValue(part, item, below(path, index), walk);
  }
  if (schema.contains !== undefined && !value.some((item) => fits(schema.contains, item, walk))) {
    note(walk, path, 'lacks an item of the required form');
  }
}

function schemasOf(schema: Fields, key: string, path: string, walk: Walk): readonly unknown[] {
  const named = isRecord(schema.properties) && Object.hasOwn(schema.properties, key);
  const own = named && isRecord(schema.properties) ? [schema.properties[key]] : [];
  const byPattern = isRecord(schema.patternProperties)
    ? Object.entries(schema.patternProperties)
        .filter(([pattern]) => walk.patterns.fits(pattern, key, path))
        .map(([, part]) => part)
    : [];
  const known = [...own, ...byPattern];
  return known.length > 0 || schema.additionalProperties === undefined
    ? known
    : [schema.additionalProperties];
}

function checkPresence(schema: Fields, value: Fields, path: string, walk: Walk): void {
  if (Array.isArray(schema.required)) {
    for (const key of schema.required) {
      if (!Object.hasOwn(value, String(key))) note(walk, below(path, String(key)), 'is required');
    }
  }
  if (!isRecord(schema.dependentRequired)) return;
  for (const [key, needs] of Object.entries(schema.dependentRequired)) {
    if (!Object.hasOwn(value, key) || !Array.isArray(needs)) continue;
    const missing = needs.map(String).filter((other) => !Object.hasOwn(value, other));
    for (const other of missing) note(walk, below(path, other), `is required beside ${key}`);
  }
}

function checkFields(schema: Fields, value: Fields, path: string, walk: Walk): void {
  checkPresence(schema, value, path, walk);
  const keys = Object.keys(value);
  checkCount(schema, keys.length, path, walk);
  for (const key of keys) {
    if (schema.propertyNames !== undefined) checkValue(schema.propertyNames, key, below(path, key), walk);
    for (const part of schemasOf(schema, key, below(path, key), walk))
      value[key] = checkValue(part, value[key], below(path, key), walk);
  }
}
