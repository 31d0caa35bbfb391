/**
 * Builds the smallest value that fits a JSON Schema, as far as a script can tell: its default, its example,
 * or something empty.
 */
import { isRecord } from '../../../contract/is-record.ts';

type Fields = Readonly<Record<string, unknown>>;

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
const deepest = 20;

/** `root` resolves `#/$defs/…`. */
export function sampleOf(schema: unknown, root: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > deepest) return null;
  if (typeof schema.$ref === 'string') return sampleOf(partOf(root, schema.$ref), root, depth + 1);
  if ('const' in schema) return schema.const;
  const given = schema.default ?? first(schema.examples) ?? first(schema.enum);
  if (given !== undefined) return given;
  const branch = first(schema.anyOf) ?? first(schema.oneOf) ?? first(schema.allOf);
  if (branch !== undefined && schema.type === undefined) return sampleOf(branch, root, depth + 1);
  return emptyOf(schema, root, depth);
}

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

function emptyOf(schema: Fields, root: unknown, depth: number): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return 'sample'.padEnd(countOf(schema.minLength), '.').slice(0, countOf(schema.maxLength) || undefined);
    case 'integer':
    case 'number':
      return countOf(schema.minimum);
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: countOf(schema.minItems) }, () => sampleOf(schema.items, root, depth + 1));
    case 'null':
      return null;
    default:
      return fieldsOf(schema, root, depth);
  }
}

function fieldsOf(schema: Fields, root: unknown, depth: number): Fields {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const names = Array.isArray(schema.required) ? schema.required.map(String) : Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name], root, depth + 1)]));
}

function partOf(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), root);
}
