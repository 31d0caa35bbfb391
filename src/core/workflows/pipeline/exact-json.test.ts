import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { type JsonValue, parseExact, sortedJson, stringifyExact } from './exact-json.ts';

const read = (text: string): JsonValue => {
  const value = parseExact(text);
  if (!value.ok) throw new Error(value.error);
  return value.value;
};

describe('Exact JSON', () => {
  it.each([
    '{"id":9007199254740993}',
    '[-12345678901234567890,1]',
    '{"a":{"b":[100000000000000000000000000001]}}',
    '{"__proto__":{"n":9007199254740993}}',
    '[9007199254740991,1.5,1e3]'.replace('1e3', '1000'),
  ])('keeps every digit of %s', (text) => {
    expect(stringifyExact(read(text))).toBe(text);
  });

  it('reads safe numbers and digit strings unchanged', () => {
    expect(read('[1,"9007199254740993",0.1]')).toEqual([1, '9007199254740993', 0.1]);
  });

  it.each([
    ['a number beyond every double', '[1e400]', 'too large'],
    ['deep nesting', `${'['.repeat(1002)}${']'.repeat(1002)}`, 'nested'],
    ['what is no JSON', '{a:1}', ''],
  ])('refuses %s', (_name, text, why) => {
    expect(parseExact(text)).toMatchObject({ ok: false, error: expect.stringContaining(why) });
  });

  it(`reads back any written value (seed ${seed})`, () => {
    const big = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
    const value = fc.letrec<{ tree: JsonValue; leaf: JsonValue }>((tie) => ({
      leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), big),
      tree: fc.oneof(
        { depthSize: 'small' },
        tie('leaf'),
        fc.array(tie('tree')),
        fc.dictionary(fc.string(), tie('tree'), { noNullPrototype: true }),
      ),
    })).tree;
    fc.assert(
      fc.property(value, (tree) => {
        expect(read(stringifyExact(tree))).toEqual(tree);
      }),
      { numRuns: 500 },
    );
  });

  it('has one sorted text for the same data', () => {
    expect(sortedJson(read('{"b":1,"a":[{"d":2,"c":9007199254740993}]}'))).toBe(
      '{"a":[{"c":9007199254740993,"d":2}],"b":1}',
    );
  });
});
