/**
 * Detects an unusable JSON schema of a question before anything runs: one that no answer, or every answer,
 * would fit.
 */
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { resolvePointer } from '../../loop/json-schema.ts';
import { type ExactJsonRecord, isExactRecord, type JsonValue } from '../pipeline/exact-json.ts';

const types: ReadonlySet<JsonValue> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
const inside = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
] as const;
const named = ['$defs', 'definitions', 'patternProperties'] as const;
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const deepest = 64;

/** `null` if the schema is usable. */
export function schemaFault(schema: JsonValue): HostMessage | null {
  return faultAt(schema, 'schema') ?? pointerFault(schema);
}

/** Keywords whose schemas apply to the same value, not to a part of it. */
const same = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const;

interface Visited {
  readonly root: JsonValue;
  readonly clean: Set<JsonValue>;
  /** Schemas on the current path, which apply to the same value. */
  readonly open: Set<JsonValue>;
}

/** Schemas that apply to the same value as `schema`; a string is a pointer that leads nowhere. */
function appliedWith(root: JsonValue, schema: ExactJsonRecord): readonly JsonValue[] | string {
  const parts = same.flatMap((key) => schema[key] ?? []);
  const { $ref: pointer } = schema;
  if (typeof pointer !== 'string') return parts;
  const target = resolvePointer(root, pointer) as JsonValue | undefined;
  return target === undefined ? pointer : [target, ...parts];
}

function visit(schema: JsonValue, visited: Visited): HostMessage | null {
  const { root, clean, open } = visited;
  if (!isExactRecord(schema) || clean.has(schema)) return null;
  if (open.has(schema)) return say('workflowFiles.schemaLoops');
  const next = appliedWith(root, schema);
  if (typeof next === 'string') return say('workflowFiles.schemaNoTarget', { pointer: next });
  open.add(schema);
  for (const part of next) {
    const fault = visit(part, visited);
    if (fault !== null) return fault;
  }
  open.delete(schema);
  clean.add(schema);
  return null;
}

/** Reports a pointer that leads nowhere, or a schema that refers to itself without consuming data. */
function pointerFault(root: JsonValue): HostMessage | null {
  const visited: Visited = { root, clean: new Set(), open: new Set() };
  const all: JsonValue[] = [root];
  for (const schema of all) {
    if (!isExactRecord(schema)) continue;
    const fault = visit(schema, visited);
    if (fault !== null) return fault;
    all.push(...partsOf(schema).map(([, part]) => part));
  }
  return null;
}

/** `place`: dotted path inside the schema. */
function faultAt(schema: JsonValue, place: string): HostMessage | null {
  if (typeof schema === 'boolean') return null;
  if (!isExactRecord(schema)) return say('workflowFiles.schemaObject', { place });
  if (place.split('.').length > deepest) return say('workflowFiles.schemaTooDeep', { place });
  const { type, properties, required } = schema;
  const typed = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const wrong = typed.find((each) => !types.has(each));
  if (wrong !== undefined)
    return say('workflowFiles.schemaValue', { place: `${place}.type`, values: [...types].join(', ') });
  if (properties !== undefined && !isExactRecord(properties))
    return say('workflowFiles.schemaObject', { place: `${place}.properties` });
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((each) => typeof each === 'string'))
  )
    return say('workflowFiles.schemaNames', { place: `${place}.required` });
  if (schema.enum !== undefined && !Array.isArray(schema.enum))
    return say('workflowFiles.schemaList', { place: `${place}.enum` });
  return faultBelow(schema, place);
}

/** Subschemas with their paths; lists and tables of another shape have none. */
function partsOf(schema: ExactJsonRecord): readonly (readonly [string, JsonValue])[] {
  const parts: (readonly [string, JsonValue])[] = [];
  const { properties } = schema;
  if (isExactRecord(properties)) parts.push(...Object.entries(properties));
  for (const key of inside) {
    const part = schema[key];
    if (part !== undefined) parts.push([key, part]);
  }
  for (const key of named) {
    const table = schema[key];
    if (isExactRecord(table))
      parts.push(...Object.entries(table).map(([name, part]) => [`${key}.${name}`, part] as const));
  }
  for (const key of lists) {
    const list = schema[key];
    if (Array.isArray(list)) parts.push(...list.map((each, index) => [`${key}.${index}`, each] as const));
  }
  return parts;
}

function faultBelow(schema: ExactJsonRecord, place: string): HostMessage | null {
  const notList = lists.find((key) => schema[key] !== undefined && !Array.isArray(schema[key]));
  if (notList !== undefined) return say('workflowFiles.schemaList', { place: `${place}.${notList}` });
  for (const [key, part] of partsOf(schema)) {
    const fault = faultAt(part, `${place}.${key}`);
    if (fault !== null) return fault;
  }
  return null;
}
