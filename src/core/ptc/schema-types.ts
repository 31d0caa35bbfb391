/**
 * TypeScript types from JSON Schema, for models that write code against tools. Covers what tool servers use: enums,
 * constants, unions, `$ref` within the document, nullable and optional members, tuples and records; anything else is
 * `unknown`. The schema is untrusted: names are quoted where needed, and comments cannot be closed by a text.
 */
import { isRecord } from '../../contract/is-record.ts';
import type { JsonSchema } from '../models/model-ports.ts';

const deepest = 12;
const mostMembers = 200;
/** Most parts of one type: references could multiply without end. */
const mostParts = 2_000;
const identifier = /^[A-Za-z_$][\w$]*$/;

const literal = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) || value === null
    ? JSON.stringify(value)
    : 'unknown';

const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  return all.includes('unknown') || all.length === 0 ? 'unknown' : all.join(' | ');
};

/** One line that cannot end a comment. */
export const commentText = (text: unknown): string =>
  typeof text === 'string' ? text.replace(/\s+/g, ' ').replaceAll('*/', '* /').trim().slice(0, 300) : '';

class TypeWriter {
  readonly #root: JsonSchema;
  /** References that are being written: a type that contains itself ends as `unknown`. */
  readonly #open = new Set<string>();
  #parts = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  write(schema: unknown, depth: number): string {
    this.#parts += 1;
    if (schema === true || !isRecord(schema) || depth > deepest || this.#parts > mostParts)
      return schema === false ? 'never' : 'unknown';
    const { $ref, anyOf, oneOf, allOf, type, nullable } = schema;
    if (typeof $ref === 'string') return this.#referenced($ref, depth);
    if (nullable === true) return union([this.write({ ...schema, nullable: false }, depth), 'null']);
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return union(schema.enum.slice(0, mostMembers).map(literal));
    const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
    if (choices) return union(choices.slice(0, mostMembers).map((each) => this.write(each, depth + 1)));
    if (Array.isArray(allOf)) {
      const parts = allOf.map((each) => this.write(each, depth + 1)).filter((part) => part !== 'unknown');
      return parts.length === 0 ? 'unknown' : parts.map((part) => `(${part})`).join(' & ');
    }
    if (Array.isArray(type)) return union(type.map((each) => this.write({ ...schema, type: each }, depth)));
    return this.#plain(type, schema, depth);
  }

  #plain(type: unknown, schema: Readonly<Record<string, unknown>>, depth: number): string {
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (type === 'number' || type === 'integer') return 'number';
    if (type === 'array') return this.#array(schema, depth);
    if (type === 'object' || isRecord(schema.properties)) return this.#object(schema, depth);
    return 'unknown';
  }

  #array({ items, prefixItems }: Readonly<Record<string, unknown>>, depth: number): string {
    if (Array.isArray(prefixItems))
      return `[${prefixItems
        .slice(0, mostMembers)
        .map((each) => this.write(each, depth + 1))
        .join(', ')}]`;
    return `Array<${this.write(items ?? true, depth + 1)}>`;
  }

  #object(schema: Readonly<Record<string, unknown>>, depth: number): string {
    const { properties, required, additionalProperties } = schema;
    const members = isRecord(properties) ? Object.entries(properties).slice(0, mostMembers) : [];
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const lines = members.map(([name, member]) => {
      const key = identifier.test(name) ? name : JSON.stringify(name);
      const about = isRecord(member) ? commentText(member.description) : '';
      const mark = needed.includes(name) ? '' : '?';
      return `${about === '' ? '' : `/** ${about} */ `}${key}${mark}: ${this.write(member, depth + 1)}`;
    });
    const isOpen = isRecord(additionalProperties) || additionalProperties === true;
    if (members.length === 0) return `Record<string, ${this.write(additionalProperties ?? true, depth + 1)}>`;
    return `{ ${[...lines, ...(isOpen ? ['[more: string]: unknown'] : [])].join('; ')} }`;
  }

  #referenced(path: string, depth: number): string {
    if (!path.startsWith('#') || this.#open.has(path)) return 'unknown';
    let at: unknown = this.#root;
    for (const part of path.slice(1).split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }
    this.#open.add(path);
    const type = this.write(at, depth + 1);
    this.#open.delete(path);
    return type;
  }
}

export const typeOfSchema = (schema: JsonSchema): string => new TypeWriter(schema).write(schema, 0);
