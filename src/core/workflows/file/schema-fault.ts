/** What makes a JSON schema of a question unusable, found before anything runs: an answer could never fit, or always would. */
import { isRecord, type JsonValue } from '../pipeline/exact-json.ts';

const types: ReadonlySet<JsonValue> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
const inside = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'] as const;
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const deepest = 64;

/** Null: nothing is wrong with it. `place` is where in it, dotted. */
export function schemaFault(schema: JsonValue, place = 'schema'): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isRecord(schema)) return `${place} must be an object`;
  if (place.split('.').length > deepest) return `${place} is nested too deeply`;
  const { type, properties, required } = schema;
  const named = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const wrong = named.find((each) => !types.has(each));
  if (wrong !== undefined) return `${place}.type must be one of ${[...types].join(', ')}`;
  if (properties !== undefined && !isRecord(properties)) return `${place}.properties must be an object`;
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((each) => typeof each === 'string'))
  )
    return `${place}.required must be a list of names`;
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) return `${place}.enum must be a list`;
  return faultBelow(schema, properties ?? {}, place);
}

function faultBelow(
  schema: { readonly [key: string]: JsonValue },
  properties: { readonly [key: string]: JsonValue },
  place: string,
): string | null {
  const parts: (readonly [string, JsonValue])[] = Object.entries(properties);
  for (const key of inside) if (schema[key] !== undefined) parts.push([key, schema[key]]);
  for (const key of lists) {
    const list = schema[key];
    if (list === undefined) continue;
    if (!Array.isArray(list)) return `${place}.${key} must be a list`;
    parts.push(...list.map((each, index) => [`${key}.${index}`, each] as const));
  }
  for (const [key, part] of parts) {
    const fault = schemaFault(part, `${place}.${key}`);
    if (fault !== null) return fault;
  }
  return null;
}
