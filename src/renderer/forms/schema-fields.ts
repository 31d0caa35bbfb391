/**
 * Derives form fields from a JSON schema. Parts that the form cannot split are edited as JSON, and the host
 * validates the whole value again.
 */

type Json = unknown;
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'lines' | 'json' | 'any';

export interface SchemaField {
  /** Path of the value; empty for the root. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  /** Title from the schema or the property name; empty for the root. */
  readonly label: string;
  readonly description: string;
  readonly required: boolean;
  /** Initial text: 'true' or 'false' for a `boolean`, JSON of the value for a `choice`. */
  readonly start: string;
  /** JSON of each value; only for a `choice`. */
  readonly choices: readonly string[];
  /** Type of each line; only for `lines`. */
  readonly item: 'string' | 'number' | 'integer';
}

type Schema = Readonly<Record<string, Json>>;

/** More fields or choices would freeze the page, so they are edited as JSON (T25). */
const mostFields = 100;
const mostChoices = 500;
/** Maximum nesting of objects; deeper ones are edited as JSON. */
const deepest = 4;

export const isObject = (value: Json): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: Json): string => (typeof value === 'string' ? value : '');
export const fieldJson = (value: Json): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

function typeOf(schema: Schema): string | null {
  if (typeof schema.type === 'string') return schema.type;
  return schema.type === undefined && isObject(schema.properties) ? 'object' : null;
}

const itemTypes = ['string', 'number', 'integer'] as const;

/** Keywords that a single field cannot express. */
const beyond = ['oneOf', 'anyOf', 'allOf', 'not', '$ref', 'if', 'patternProperties'] as const;
const isPlain = (schema: Schema): boolean => beyond.every((word) => schema[word] === undefined);

function kindOf(schema: Schema): FieldKind {
  if (Array.isArray(schema.enum) && schema.enum.length > mostChoices) return 'json';
  if (Array.isArray(schema.enum) || schema.const !== undefined) return 'choice';
  const type = typeOf(schema);
  if (!isPlain(schema)) return 'json';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer' || type === 'boolean') return type;
  if (type === 'any') return 'any';
  const isList = type === 'array' && isObject(schema.items) && isPlain(schema.items);
  const item = isList && isObject(schema.items) ? schema.items : null;
  return item !== null && item.enum === undefined && itemTypes.some((one) => one === item.type)
    ? 'lines'
    : 'json';
}

/** Checks that values survive the split into lines; otherwise the field shows JSON. */
const fitsLines = (value: Json): boolean =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every((one) => (typeof one === 'string' ? /^[^\n]*\S[^\n]*$/.test(one) : true)));

function startOf(kind: FieldKind, value: Json): string {
  if (value === undefined) return '';
  if (kind === 'lines' && Array.isArray(value)) return value.map(String).join('\n');
  if (kind === 'choice') return JSON.stringify(value);
  if (kind === 'json') return fieldJson(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Place {
  readonly path: readonly string[];
  readonly required: boolean;
  readonly value: Json;
}

function fieldOf(schema: Schema, { path, required, value }: Place): SchemaField {
  const given = value === undefined ? schema.default : value;
  const wanted = kindOf(schema);
  const kind = wanted === 'lines' && !fitsLines(given) ? 'json' : wanted;
  const values = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const];
  const item = isObject(schema.items)
    ? itemTypes.find((one) => isObject(schema.items) && one === schema.items.type)
    : null;
  return {
    path,
    kind,
    label: text(schema.title) || (path.at(-1) ?? ''),
    description: text(schema.description),
    required,
    start: startOf(kind, given),
    choices: kind === 'choice' ? values.map((one) => JSON.stringify(one)) : [],
    item: item ?? 'string',
  };
}

/** Flattens an object and its nested objects into fields, in declaration order. */
export function fieldsOf(schema: Json, defaults: Json): readonly SchemaField[] {
  const whole = { path: [], required: true, value: defaults };
  const known = isObject(schema) ? schema : {};
  const fields = within(known, whole);
  return fields.length > mostFields ? [fieldOf(known, whole)] : fields;
}

function within(schema: Schema, place: Place): readonly SchemaField[] {
  const { properties } = schema;
  const open = typeOf(schema) === 'object' && isObject(properties) && isPlain(schema);
  if (!open || Object.keys(properties).length === 0 || place.path.length >= deepest)
    return [fieldOf(schema, place)];
  const needed: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
  const given = place.value === undefined ? schema.default : place.value;
  const values = isObject(given) ? given : {};
  return Object.entries(properties).flatMap(([name, one]) =>
    within(isObject(one) ? one : {}, {
      path: [...place.path, name],
      required: place.required && needed.includes(name),
      value: Object.hasOwn(values, name) ? values[name] : undefined,
    }),
  );
}
