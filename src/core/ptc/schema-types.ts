/**
 * TypeScript types from JSON Schema, for models that write code against tools. The schema is untrusted: names are
 * quoted where needed, and comments cannot be closed by a text.
 */
import type { JsonSchema } from '../models/model-ports.ts';
import { type Shape, shapeOf } from './schema-shape.ts';

const identifier = /^[A-Za-z_$][\w$]*$/;

const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  return all.includes('unknown') || all.length === 0 ? 'unknown' : all.join(' | ');
};

const hidden = /[\s\p{Cc}\p{Cf}\p{Cs}]+/gu;

/** One line that cannot end a comment. */
export const commentText = (text: unknown): string =>
  typeof text === 'string'
    ? text.slice(0, 1_000).replace(hidden, ' ').replaceAll('*/', '* /').trim().slice(0, 300)
    : '';

function objectType({ members, isOpen }: Extract<Shape, { type: 'object' }>): string {
  const lines = members.map(({ name, description, isRequired, shape }) => {
    const key = identifier.test(name) ? name : JSON.stringify(name);
    const about = commentText(description);
    return `${about === '' ? '' : `/** ${about} */ `}${key}${isRequired ? '' : '?'}: ${typeOf(shape)}`;
  });
  return `{ ${[...lines, ...(isOpen ? ['[more: string]: unknown'] : [])].join('; ')} }`;
}

function typeOf(shape: Shape): string {
  switch (shape.type) {
    case 'any':
    case 'recursive':
      return 'unknown';
    case 'integer':
      return 'number';
    case 'literal':
      return JSON.stringify(shape.value);
    case 'union':
      return union(shape.of.map(typeOf));
    case 'all':
      return shape.of.map((part) => `(${typeOf(part)})`).join(' & ');
    case 'tuple':
      return `[${shape.of.map(typeOf).join(', ')}]`;
    case 'array':
      return `Array<${typeOf(shape.of)}>`;
    case 'record':
      return `Record<string, ${typeOf(shape.of)}>`;
    case 'object':
      return objectType(shape);
    case 'reference':
      return typeOf(shape.to);
    default:
      return shape.type;
  }
}

export const typeOfSchema = (schema: JsonSchema): string => typeOf(shapeOf(schema));
