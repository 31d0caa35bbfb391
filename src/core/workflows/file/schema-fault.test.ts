import { expect, test } from 'vitest';
import { englishText } from '../../../language/host-message.ts';
import { schemaFault } from './schema-fault.ts';

test.each([
  [{}],
  [true],
  [{ type: 'object', properties: { a: { type: ['string', 'null'] } }, required: ['a'] }],
  [{ oneOf: [{ type: 'null' }, { properties: { next: { $ref: '#' } } }] }],
  [{ $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } }],
  [{ anyOf: [{ type: 'integer' }, { enum: [1, 'x'] }], items: false, title: 'x' }],
])('An answerable schema has no fault: %j', (schema) => expect(schemaFault(schema)).toBeNull());

test.each([
  [[], 'schema must be an object'],
  [{ type: 'text' }, 'schema.type must be one of object, array, string, number, integer, boolean, null'],
  [{ properties: { a: { type: 7 } } }, 'schema.a.type must be one of'],
  [{ properties: ['a'] }, 'schema.properties must be an object'],
  [{ required: 'a' }, 'schema.required must be a list of names'],
  [{ enum: 'a' }, 'schema.enum must be a list'],
  [{ oneOf: {} }, 'schema.oneOf must be a list'],
  [{ oneOf: [{ $ref: '#' }, {}] }, 'points at itself without an end'],
  [{ items: { $ref: '#/$defs/a' }, $defs: { a: { not: { $ref: '#/$defs/a' } } } }, 'points at itself'],
  [{ properties: { a: { $ref: '#/$defs/gone' } } }, 'names #/$defs/gone, which it does not hold'],
  [{ $ref: 'https://example.org/schema' }, 'which it does not hold'],
  [{ items: { anyOf: [{}, { type: 'x' }] } }, 'schema.items.anyOf.1.type'],
])('An invalid schema is reported with its path: %j', (schema, fault) => {
  expect(englishText(schemaFault(schema) ?? '')).toContain(fault);
});

test('A very deep schema is reported as nested too deeply', () => {
  let schema: object = {};
  for (let depth = 0; depth < 5_000; depth += 1) schema = { items: schema };
  expect(englishText(schemaFault(schema as never) ?? '')).toContain('nested too deeply');
});
