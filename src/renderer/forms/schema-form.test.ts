import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf, readForm } from './read-form.ts';
import { fieldsOf } from './schema-fields.ts';

const schema = {
  type: 'object',
  required: ['decision', 'count', 'who'],
  properties: {
    decision: { enum: ['approve', 'redraft', 3] },
    count: { type: 'integer' },
    urgent: { type: 'boolean', default: true },
    labels: { type: 'array', items: { type: 'string' } },
    who: { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Full name' } } },
    other: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
};

const typed = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([path, text]) => [keyOf({ path: path.split('.') }), text]));

describe('JSON schema form', () => {
  it('has one field per value, also inside objects, and a JSON field for other schemas', () => {
    const fields = fieldsOf(schema, { count: 2 });
    expect(fields.map(({ path, kind, required }) => [path.join('.'), kind, required])).toEqual([
      ['decision', 'choice', true],
      ['count', 'integer', true],
      ['urgent', 'boolean', false],
      ['labels', 'lines', false],
      ['who.name', 'text', true],
      ['other', 'json', false],
    ]);
    expect(fields.map(({ start }) => start)).toEqual(['', '2', 'true', '', '', '']);
  });

  it('falls back to one JSON field above the limits for fields and choices (T25)', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'string' }]));
    const of = (count: number) => fieldsOf({ type: 'object', properties: many(count) }, undefined);
    expect([of(100).length, of(101).length, of(20_000).length]).toEqual([100, 1, 1]);
    expect(of(20_000)[0]).toMatchObject({ path: [], kind: 'json', required: true });
    const choice = (count: number) => fieldsOf({ enum: Array.from({ length: count }, (_, n) => n) }, 1)[0];
    expect(choice(500)).toMatchObject({ kind: 'choice', start: '1' });
    expect(choice(501)).toMatchObject({ kind: 'json', choices: [], start: '1' });
  });

  it('converts input to the types of the schema and omits empty fields', () => {
    const { value, problems } = readForm(
      fieldsOf(schema, {}),
      typed({ decision: '3', count: ' 4 ', labels: 'a\n\n b', 'who.name': 'Ada' }),
    );
    expect(problems).toEqual({});
    expect(value).toEqual({ decision: 3, count: 4, urgent: true, labels: ['a', ' b'], who: { name: 'Ada' } });
  });

  it('reports the problem of each invalid field', () => {
    const { problems } = readForm(fieldsOf(schema, {}), typed({ count: '1.5', other: '{' }));
    expect(problems).toEqual({
      [keyOf({ path: ['decision'] })]: 'required',
      [keyOf({ path: ['count'] })]: 'integer',
      [keyOf({ path: ['who', 'name'] })]: 'required',
      [keyOf({ path: ['other'] })]: 'json',
    });
  });

  it('uses a JSON field for a missing schema, and treats __proto__ as a plain property name', () => {
    const whole = fieldsOf(null, undefined);
    expect(readForm(whole, { [keyOf({ path: [] })]: '[1, 2]' }).value).toEqual([1, 2]);
    const hostile = fieldsOf(
      JSON.parse(
        '{"properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"string"}}}}}',
      ),
      undefined,
    );
    const { value } = readForm(hostile, { [keyOf({ path: ['__proto__', 'polluted'] })]: 'yes' });
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"yes"}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('round-trips arbitrary default values', () => {
    const scalar = fc.oneof(fc.boolean(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(scalar, fc.jsonValue())),
        (defaults) => {
          const properties = Object.fromEntries(
            Object.entries(defaults).map(([name, one]) => [
              name,
              { type: typeof one === 'object' ? null : typeof one },
            ]),
          );
          const fields = fieldsOf({ type: 'object', properties, required: Object.keys(defaults) }, defaults);
          const { value, problems } = readForm(fields, {});
          const kept = Object.entries(defaults).filter(([, one]) => one !== '');
          expect(Object.keys(problems)).toHaveLength(Object.keys(defaults).length - kept.length);
          if (kept.length > 0)
            expect(JSON.parse(JSON.stringify(value))).toEqual(
              JSON.parse(JSON.stringify(Object.fromEntries(kept))),
            );
        },
      ),
    );
  });
});
