import { describe, expect, it } from 'vitest';
import { plainDataSchema, plainRecordSchema } from './plain-data.ts';

const isPlain = (value: unknown): boolean => plainDataSchema.safeParse(value).success;

function deep(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

describe('Plain data', () => {
  it.each([null, true, 0, '', [], {}, { a: [1, { b: 'c' }], d: undefined }, Object.create(null), deep(200)])(
    'accepts any JSON value: %j',
    (value) => {
      expect(isPlain(value)).toBe(true);
      expect(plainDataSchema.parse(value)).toBe(value);
    },
  );

  it.each([
    ['a number that JSON cannot write', [Number.NaN]],
    ['a date', { at: new Date(0) }],
    ['a map', [new Map([['a', 1]])]],
    ['a large whole number of its own kind', [1n]],
    ['bytes', new Uint8Array(2)],
    ['more levels than anybody writes', deep(201)],
  ])('refuses %s', (_what, value) => {
    expect(isPlain(value)).toBe(false);
  });

  it('refuses __proto__ keys at any depth (T22)', () => {
    const hostile = JSON.parse('{"a": [{"__proto__": {"admin": true}}]}') as unknown;
    expect(isPlain(hostile)).toBe(false);
    expect(plainRecordSchema.safeParse(hostile).success).toBe(false);
    expect(isPlain(JSON.parse('{"a": {"constructor": "as data"}}'))).toBe(true);
  });

  it('refuses cycles, and small values that serialize to a huge text (T25)', () => {
    const ring: Record<string, unknown> = {};
    ring.self = { ring };
    expect(isPlain(ring)).toBe(false);
    let bomb: unknown = 'x';
    for (let level = 0; level < 60; level += 1) bomb = [bomb, bomb];
    expect(isPlain(bomb)).toBe(false);
  });
});
