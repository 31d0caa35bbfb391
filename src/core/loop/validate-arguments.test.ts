import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../models/model-ports.ts';
import { validateArguments } from './validate-arguments.ts';

type Properties = Readonly<Record<string, unknown>>;

const schema = (properties: Properties, more: Properties = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

function check(parameters: JsonSchema, args: unknown): unknown {
  const result = validateArguments({ name: 'tool', parameters }, { arguments: args as Properties });
  return result.ok ? result.value : result.error.split('\n').filter((line) => line.startsWith('- '));
}

describe('validateArguments', () => {
  it.each([
    ['integer', '42', 42],
    ['number', '-1.5e2', -150],
    ['number', true, 1],
    ['boolean', 'true', true],
    ['boolean', 'FALSE', false],
    ['boolean', 1, true],
    ['string', 1, '1'],
    ['string', false, 'false'],
    ['array', 'one', ['one']],
    ['array', '["a","b"]', ['a', 'b']],
    ['object', '{"a":1}', { a: 1 }],
    ['null', '', null],
    [['integer', 'null'], '7', 7],
    [['string', 'integer'], 7, 7],
  ])('coerces to %s: %j', (type, given, expected) => {
    expect(check(schema({ x: { type } }), { x: given })).toEqual({ x: expected });
  });

  it.each([
    [{ type: 'integer' }, '4.5', 'x must be integer'],
    [{ type: 'integer' }, 'four', 'x must be integer'],
    [{ type: 'boolean' }, 'yes', 'x must be boolean'],
    [{ type: 'string' }, ['a'], 'x must be string'],
    [{ type: ['string', 'null'] }, {}, 'x must be string or null'],
    [{ enum: ['a', 'b'] }, 'c', 'x must be one of "a", "b"'],
    [{ const: 1 }, 2, 'x must be 1'],
    [{ type: 'string', minLength: 2 }, '😀', 'x must have at least 2 characters'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'x must have at most 1 characters'],
    [{ type: 'string', pattern: '^\\d+$' }, 'a1', 'x must match ^\\d+$'],
    [{ type: 'integer', minimum: 1 }, 0, 'x must be at least 1'],
    [{ type: 'integer', exclusiveMaximum: 5 }, 5, 'x must be less than 5'],
    [{ type: 'number', multipleOf: 0.1 }, 0.35, 'x must be a multiple of 0.1'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'x must have at most 1 items'],
    [{ type: 'array', uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'x must not repeat an item'],
    [{ type: 'array', items: { type: 'integer' } }, [1, 'b'], 'x.1 must be integer'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a', 1], 'x.1 is not allowed'],
    [{ type: 'array', contains: { const: 1 } }, [2], 'x lacks an item of the required form'],
    [{ type: 'object', required: ['y'] }, {}, 'x.y is required'],
    [{ type: 'object', additionalProperties: false }, { z: 1 }, 'x.z is not allowed'],
    [{ type: 'object', propertyNames: { pattern: '^a' } }, { b: 1 }, 'x.b must match ^a'],
    [
      { type: 'object', patternProperties: { '^n': { type: 'integer' } } },
      { n1: 'a' },
      'x.n1 must be integer',
    ],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'x must have at most 1 members'],
    [{ type: 'object', dependentRequired: { a: ['b'] } }, { a: 1 }, 'x.b is required beside a'],
    [{ anyOf: [{ type: 'integer' }, { const: 'all' }] }, 'some', 'x fits none of the allowed forms'],
    [{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, 'x fits more than one of the allowed forms'],
    [{ not: { const: 'root' } }, 'root', 'x has a form that is not allowed'],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    [{ if: { const: 1 }, then: false }, 1, 'x is not allowed'],
    [{ $ref: '#/$defs/short' }, 'abc', 'x must have at most 2 characters'],
  ])('with schema %j refuses %j', (part, given, says) => {
    const defs = { $defs: { short: { type: 'string', maxLength: 2 } } };
    expect(check(schema({ x: part }, defs), { x: given })).toEqual([`- ${says}`]);
  });

  it('prefers an anyOf branch that matches without coercion', () => {
    const either = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
    expect(check(schema({ x: either }), { x: '7' })).toEqual({ x: '7' });
    expect(check(schema({ x: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] } }), { x: '7' })).toEqual({
      x: 7,
    });
  });

  it('lists every problem and the received arguments, so that a model can correct its call', () => {
    const parameters = schema(
      { path: { type: 'string' }, lines: { type: 'integer' } },
      { required: ['path'] },
    );
    const result = validateArguments({ name: 'read_file', parameters }, { arguments: { lines: 'many' } });
    expect(result).toEqual({
      ok: false,
      error: [
        'The arguments of read_file do not fit its schema:',
        '- path is required',
        '- lines must be integer',
        '',
        'Received: {\n  "lines": "many"\n}',
      ].join('\n'),
    });
  });

  it('keeps the model arguments unchanged and freezes the validated copy', () => {
    const given = Object.freeze({ list: Object.freeze(['1']) });
    const made = check(schema({ list: { type: 'array', items: { type: 'integer' } } }), given);
    expect(made).toEqual({ list: [1] });
    expect(Object.isFrozen((made as { list: unknown }).list)).toBe(true);
  });

  it('drops __proto__ keys at any depth (T26)', () => {
    const given: unknown = JSON.parse(
      '{"__proto__":{"a":1},"x":{"__proto__":{"admin":true},"b":1},"y":"{\\"__proto__\\":1}"}',
    );
    const made = check(schema({ x: {}, y: { type: 'object' } }), given) as Record<string, object>;
    expect(Object.keys(made)).toEqual(['x', 'y']);
    expect(Object.keys(made.x ?? {})).toEqual(['b']);
    expect(Object.getPrototypeOf(made.x)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.keys(Object.assign({}, made.y))).toEqual([]);
    expect((Object.assign({}, made.x) as { admin?: boolean }).admin).toBeUndefined();
    const parameters = schema({}, { required: ['__proto__', 'constructor'] });
    expect(check(parameters, {})).toEqual(['- __proto__ is required', '- constructor is required']);
  });

  it('ends with recursive schemas and deep data', () => {
    const loop = schema({ x: { $ref: '#/properties/x' } });
    expect(check(loop, { x: 1 })).toEqual(['- x is nested too deeply']);
    let deep: unknown = 1;
    for (let n = 0; n < 10_000; n += 1) deep = [deep];
    expect(validateArguments({ name: 'tool', parameters: schema({}) }, { arguments: { deep } }).ok).toBe(
      false,
    );
    const tree = schema({ kids: { type: 'array', items: { $ref: '#' } } });
    expect(check(tree, { kids: [{ kids: [] }, { kids: 'no' }] })).toEqual(['- kids.1.kids.0 must be object']);
  });

  it('accepts its own output unchanged', () => {
    const parameters = schema({
      n: { type: 'integer' },
      s: { type: 'string' },
      l: { type: 'array', items: { type: 'boolean' } },
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('n', 's', 'l', '__proto__'), fc.jsonValue()), (given) => {
        const first = validateArguments({ name: 'tool', parameters }, { arguments: given });
        if (!first.ok) return;
        expect(validateArguments({ name: 'tool', parameters }, { arguments: first.value })).toEqual(first);
      }),
    );
  });
});

describe('Patterns in schemas', () => {
  const bad = (list: unknown): string => String(list);

  it.each([
    ['at a text', { pattern: '(' }],
    ['below not', { not: { pattern: '(' } }],
    ['below anyOf', { anyOf: [{ pattern: '(?=a)' }, { type: 'string' }] }],
    ['as a condition', { if: { pattern: '(a)\\1' }, else: {} }],
    ['below oneOf', { oneOf: [{ pattern: '(' }, { type: 'string' }] }],
  ])('T25 an unreadable pattern rejects the value, also when nested: %s', (_where, part) => {
    expect(bad(check(schema({ x: part }), { x: 'a' }))).toContain('cannot be checked against the pattern');
  });

  it('T25 an unreadable property name pattern rejects the property', () => {
    const parameters = schema({}, { patternProperties: { '(': false } });
    expect(bad(check(parameters, { rm: 1 }))).toContain('rm cannot be checked against the pattern ( here');
    expect(check(parameters, {})).toEqual({});
  });

  it('T25 a catastrophic pattern ends, and so do many in one call', () => {
    const x = `${'a'.repeat(5_000)}!`;
    expect(bad(check(schema({ x: { pattern: '^(a+)+$' } }), { x }))).toBe('- x must match ^(a+)+$');
    const list = schema({ x: { type: 'array', items: { pattern: '^(a|a|a)*$' } } });
    const many = check(list, { x: Array.from({ length: 2_000 }, () => 'a'.repeat(200)) });
    expect(bad(many)).toMatch(/^- x\.\d+ cannot be checked against the pattern \S+ within bounds/);
  });
});
