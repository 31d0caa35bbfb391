import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromUtf8 } from '../lib/bytes.ts';
import { canonicalJson, parseObject, signingInput } from './canonical-json.ts';

const textOf = (value: unknown): string | null => {
  const out = canonicalJson(value);
  return out.ok ? fromUtf8(out.value) : null;
};

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

/** Values that the protocol signs: ASCII names, whole numbers, well-formed text. */
const signable = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().filter((n) => !Object.is(n, -0)),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), tie('value'), { maxKeys: 4 }),
  ),
})).value;

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
};

describe('canonicalJson', () => {
  it('sorts keys, writes no whitespace and escapes only what must be escaped', () => {
    expect(textOf({ b: [1, -2, true, null], a: '"\\\n\u0001\u007f/é😀', A: {} })).toBe(
      '{"A":{},"a":"\\"\\\\\\n\\u0001\u007f/é😀","b":[1,-2,true,null]}',
    );
  });

  it.each([
    ['a fraction', { x: 1.5 }],
    ['minus zero', { x: -0 }],
    ['an integer beyond 2^53', { x: 2 ** 53 }],
    ['a huge float', { x: 1e21 }],
    ['not a number', { x: Number.NaN }],
    ['a name that is not ASCII', { Ā: 1 }],
    ['half a surrogate pair', { x: '\ud83d' }],
    ['a swapped surrogate pair', { x: '\ude00\ud83d' }],
    ['undefined', { x: undefined }],
    ['a bigint', { x: 1n }],
    ['a date', { x: new Date(0) }],
    ['65 levels', nested(65)],
  ])('refuses %s', (_, value) => {
    const out = canonicalJson(value);
    expect(out.ok ? null : [out.error.code, out.error.where]).toEqual(['invalid_input', 'not_canonical']);
  });

  it('names the path of the refused value', () => {
    const out = canonicalJson({ a: [{ b: 0.1 }] });
    expect(out.ok ? '' : out.error.message).toContain('value.a[0].b');
  });

  it('accepts 64 levels', () => {
    expect(canonicalJson(nested(64)).ok).toBe(true);
  });

  it('keeps the value, and does not depend on key order', () => {
    fc.assert(
      fc.property(signable, (value) => {
        const text = textOf(value);
        expect(JSON.parse(text ?? '')).toEqual(value);
        expect(textOf(shuffled(value))).toBe(text);
      }),
      { verbose: 1 },
    );
  });

  it('leaves out only top-level signature fields', () => {
    const out = signingInput({ z: { signature: 'kept' }, signature: 'x', self_signature: 'y' });
    expect(out.ok && fromUtf8(out.value)).toBe('{"z":{"signature":"kept"}}');
  });
});

describe('parseObject', () => {
  it('refuses deep nesting before it parses (T24)', () => {
    const hostile = `{"a":${'['.repeat(100_000)}`;
    expect(parseObject(hostile)).toMatchObject({
      ok: false,
      error: { code: 'protocol', where: 'malformed' },
    });
  });

  it.each(['', 'null', '[]', '"text"', '{"a":}', '{} {}'])('refuses %j', (json) => {
    expect(parseObject(json).ok).toBe(false);
  });
});
