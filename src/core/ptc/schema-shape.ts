/**
 * The types that a JSON Schema describes, without their notation: TypeScript and Python are written from it. Covers what
 * tool servers use: enums, constants, unions, `$ref` within the document, nullable and optional members, tuples and
 * records; anything else is `any`. The schema is untrusted, so its size is limited.
 */
import { isRecord } from '../../contract/is-record.ts';
import type { JsonSchema } from '../models/model-ports.ts';

const deepest = 12;
const mostMembers = 200;
/** Most parts of one type: references could multiply without end. */
const mostParts = 2_000;

export interface ShapeMember {
  readonly name: string;
  /** Untrusted text; empty if the schema has none. */
  readonly description: string;
  readonly isRequired: boolean;
  readonly shape: Shape;
}

export type Shape =
  | { readonly type: 'any' | 'never' | 'string' | 'number' | 'integer' | 'boolean' | 'null' }
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'union' | 'all' | 'tuple'; readonly of: readonly Shape[] }
  | { readonly type: 'array' | 'record'; readonly of: Shape }
  /** `isOpen`: it may have members that are not listed. */
  | { readonly type: 'object'; readonly members: readonly ShapeMember[]; readonly isOpen: boolean }
  | { readonly type: 'reference'; readonly path: string; readonly to: Shape }
  /** A reference inside of what it refers to. */
  | { readonly type: 'recursive'; readonly path: string };

const any: Shape = { type: 'any' };
const plainTypes = ['string', 'number', 'integer', 'boolean', 'null'] as const;

const literal = (value: unknown): Shape =>
  typeof value === 'string' || typeof value === 'boolean' || value === null
    ? { type: 'literal', value }
    : typeof value === 'number' && Number.isFinite(value)
      ? { type: 'literal', value }
      : any;

const union = (of: readonly Shape[]): Shape =>
  of.length === 0 || of.some(({ type }) => type === 'any') ? any : { type: 'union', of };

const all = (parts: readonly Shape[]): Shape => {
  const of = parts.filter(({ type }) => type !== 'any');
  return of.length > 1 ? { type: 'all', of } : (of[0] ?? any);
};

class ShapeReader {
  readonly #root: JsonSchema;
  /** References that are being read. */
  readonly #open = new Set<string>();
  #parts = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  read(schema: unknown, depth: number): Shape {
    this.#parts += 1;
    if (schema === false) return { type: 'never' };
    if (!isRecord(schema) || depth > deepest || this.#parts > mostParts) return any;
    const { $ref, anyOf, oneOf, allOf, type, nullable } = schema;
    if (typeof $ref === 'string') return this.#referenced($ref, depth);
    if (nullable === true) return union([this.read({ ...schema, nullable: false }, depth), { type: 'null' }]);
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return union(schema.enum.slice(0, mostMembers).map(literal));
    if (Array.isArray(anyOf ?? oneOf) || Array.isArray(allOf)) return this.#combined(schema, depth);
    if (Array.isArray(type)) return union(type.map((one) => this.read({ ...schema, type: one }, depth)));
    return this.#plain(type, schema, depth);
  }

  #combined({ anyOf, oneOf, allOf, ...own }: Readonly<Record<string, unknown>>, depth: number): Shape {
    const each = (parts: readonly unknown[]): readonly Shape[] =>
      parts.slice(0, mostMembers).map((part) => this.read(part, depth + 1));
    const choices = anyOf ?? oneOf;
    return all([
      ...(isRecord(own.properties) ? [this.read(own, depth)] : []),
      ...(Array.isArray(choices) ? [union(each(choices))] : []),
      ...(Array.isArray(allOf) ? each(allOf) : []),
    ]);
  }

  #plain(type: unknown, schema: Readonly<Record<string, unknown>>, depth: number): Shape {
    const plain = plainTypes.find((each) => each === type);
    if (plain) return { type: plain };
    if (type === 'array') return this.#array(schema, depth);
    return type === 'object' || isRecord(schema.properties) ? this.#object(schema, depth) : any;
  }

  #array({ items, prefixItems }: Readonly<Record<string, unknown>>, depth: number): Shape {
    if (!Array.isArray(prefixItems)) return { type: 'array', of: this.read(items ?? true, depth + 1) };
    return {
      type: 'tuple',
      of: prefixItems.slice(0, mostMembers).map((each) => this.read(each, depth + 1)),
    };
  }

  #object(schema: Readonly<Record<string, unknown>>, depth: number): Shape {
    const { properties, required, additionalProperties } = schema;
    const given = isRecord(properties) ? Object.entries(properties).slice(0, mostMembers) : [];
    if (given.length === 0) return { type: 'record', of: this.read(additionalProperties ?? true, depth + 1) };
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const members = given.map(([name, member]) => ({
      name,
      description: isRecord(member) && typeof member.description === 'string' ? member.description : '',
      isRequired: needed.includes(name),
      shape: this.read(member, depth + 1),
    }));
    return {
      type: 'object',
      members,
      isOpen: isRecord(additionalProperties) || additionalProperties === true,
    };
  }

  #referenced(path: string, depth: number): Shape {
    if (!path.startsWith('#')) return any;
    if (this.#open.has(path)) return { type: 'recursive', path };
    let at: unknown = this.#root;
    for (const part of path.slice(1).split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }
    this.#open.add(path);
    const to = this.read(at, depth + 1);
    this.#open.delete(path);
    return { type: 'reference', path, to };
  }
}

export const shapeOf = (schema: JsonSchema): Shape => new ShapeReader(schema).read(schema, 0);

/**
 * Members of an object, also behind references and of objects that count together; `null` if it is none. The first
 * of two members with one name counts.
 */
export function membersOf(shape: Shape): Extract<Shape, { type: 'object' }> | null {
  if (shape.type === 'object') return shape;
  if (shape.type === 'reference') return membersOf(shape.to);
  if (shape.type !== 'all') return null;
  const objects = shape.of.flatMap((part) => membersOf(part) ?? []);
  if (objects.length === 0) return null;
  const members = new Map(
    objects
      .flatMap((object) => object.members)
      .reverse()
      .map((member) => [member.name, member]),
  );
  return {
    type: 'object',
    members: [...members.values()].reverse(),
    isOpen: objects.length < shape.of.length || objects.some(({ isOpen }) => isOpen),
  };
}
