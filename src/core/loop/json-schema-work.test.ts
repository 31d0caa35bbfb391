import { describe, expect, it } from 'vitest';
import { processorMs, promised } from '../../../test/fakes/patience.ts';
import type { JsonSchema } from '../models/model-ports.ts';
import { checkAgainst } from './json-schema.ts';

const messages = (schema: JsonSchema, value: unknown): readonly string[] =>
  checkAgainst(schema, value).issues.map(({ message }) => message);

const deep = (depth: number): unknown => {
  let value: unknown = { leaf: 1 };
  for (let at = 0; at < depth; at += 1) value = { next: value };
  return value;
};

describe('Work of a schema check (T25)', () => {
  const list: JsonSchema = {
    oneOf: [
      { type: 'object', required: ['leaf'] },
      { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } },
    ],
  };

  it('evaluates each oneOf branch once, so a recursive schema costs only what its data costs', () => {
    const started = processorMs();
    expect(messages(list, deep(60))).toEqual([]);
    expect(messages(list, { next: { other: 1 } })).toEqual(['fits none of the allowed forms']);
    expect(processorMs() - started).toBeLessThan(promised(2_000));
  });

  it.each<[string, JsonSchema, unknown]>([
    ['branches that point at the same place', { oneOf: [{ $ref: '#' }, { $ref: '#' }] }, 1],
    ['a form that excludes itself', { anyOf: [{ not: { $ref: '#' } }, { $ref: '#' }] }, { a: 1 }],
    [
      'items that are all compared',
      { uniqueItems: true },
      Array.from({ length: 20_000 }, (_, at) => ({ at })),
    ],
  ])('stays bounded for %s', (_, schema, value) => {
    const started = processorMs();
    const found = messages(schema, value);
    if (schema.uniqueItems) expect(found).toEqual([]);
    else
      expect(found).toEqual([expect.stringMatching(/^(takes too much work to check|is nested too deeply)/)]);
    expect(processorMs() - started).toBeLessThan(promised(2_000));
  });

  it('reports an invalid pointer without throwing', () => {
    expect(messages({ $ref: '#/%' }, 1)).toEqual(['has a form that its schema does not say: #/%']);
  });
});
