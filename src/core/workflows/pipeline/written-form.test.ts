import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { type JsonValue, parseExact, stringifyExact } from './exact-json.ts';
import { writtenForm } from './written-form.ts';

/** Text after reading and writing; `null` if it is no JSON. */
function rewritten(text: string): string | null {
  const value = parseExact(text);
  return value.ok ? stringifyExact(value.value) : null;
}

describe('Canonical JSON text', () => {
  it.each([
    '[0,"a",{"b":[true,false,null]},-1.5,1e+21,1e-7]',
    '{"":[],"b":{},"__proto__":1,"é😀":"\\n\\"\\\\"}',
    '100000000000000000000',
    '"a"',
  ])('accepts %s with or without surrounding whitespace', (json) => {
    expect(rewritten(json)).toBe(json);
    expect(writtenForm(json)).toBe(json);
    expect(writtenForm(` \n${json}\r\n`)).toBe(json);
  });

  it.each([
    ['blanks inside', '[1, 2]'],
    ['a field that comes twice', '{"a":1,"a":2}'],
    ['fields that would change places', '{"b":1,"1":2}'],
    ['a number in another spelling', '[1.0]'],
    ['a number without an end', '[1e999]'],
    ['what only looks like a number', '[NaN,Infinity,-]'],
    ['nought below nought', '[-0]'],
    ['digits that no double holds', '[9007199254740993]'],
    ['a sign in another spelling', '"\\u0061\\/"'],
    ['half a character', '"\ud83d"'],
    ['a control character', '"\u0001"'],
    ['a text without an end', '["a'],
    ['a list without an end', '[1,'],
    ['a comma too many', '[1,]'],
    ['two values', '1 2'],
    ['more behind it', '{}x'],
    ['blanks that JSON does not know', '\u00a0[1]'],
    ['nothing', ' \n'],
    ['what is nested too deep', `${'['.repeat(513)}${']'.repeat(513)}`],
  ])('does not accept %s', (_name, text) => {
    expect(writtenForm(text)).toBeNull();
  });

  it(`never accepts a text that would be written differently (seed ${seed})`, () => {
    const piece = fc.constantFrom(
      ...'[]{},:"\\ 01.-eE+u\nabtrue',
      'null',
      '"a":',
      '"\\u0041"',
      '\ud83d',
      '\ude00',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (json) => {
        const told = writtenForm(json);
        if (told !== null) expect(rewritten(json)).toBe(told);
      }),
      { numRuns: 3_000 },
    );
  });

  it(`accepts all JSON that Kennel writes, except for rare characters and names (seed ${seed})`, () => {
    const name = fc.string({ unit: fc.constantFrom(...'abcé😀"\\\n_') });
    const leaf = fc.oneof(
      name,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
    );
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(name, tie('tree'))),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const json = stringifyExact(value);
        expect(writtenForm(`${json}\n`)).toBe(json);
      }),
      { numRuns: 1_000 },
    );
  });
});
