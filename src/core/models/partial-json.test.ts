import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartialJson } from './partial-json.ts';

function read(text: string, sizes: readonly number[] = [text.length]): PartialJson {
  const parser = new PartialJson();
  let at = 0;
  for (let n = 0; at < text.length; n += 1) {
    const size = Math.max(1, sizes[n % sizes.length] ?? 1);
    parser.push(text.slice(at, at + size));
    parser.value();
    at += size;
  }
  return parser;
}

const whole = (text: string): unknown => {
  const done = read(text).finish();
  return done.ok ? done.value : done.error;
};

const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 }));
const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

describe('PartialJson', () => {
  it('shows strings while they grow, in the same object each time', () => {
    const parser = new PartialJson();
    parser.push('{"path":"hel');
    const first = parser.value();
    expect(first).toEqual({ path: 'hel' });
    parser.push('lo.md","lines":[1,2');
    expect(parser.value()).toBe(first);
    expect(first).toEqual({ path: 'hello.md', lines: [1] });
    parser.push('3,"a');
    expect(parser.value()).toEqual({ path: 'hello.md', lines: [1, 23, 'a'] });
    parser.push('b"]}');
    expect(parser.finish()).toEqual({ ok: true, value: { path: 'hello.md', lines: [1, 23, 'ab'] } });
  });

  it('reads empty text as no arguments', () => {
    expect(whole('')).toEqual({});
    expect(whole('  \n')).toEqual({});
    expect(new PartialJson().value()).toEqual({});
  });

  it('ends with the result of JSON.parse, however the text is split', () => {
    fc.assert(
      fc.property(objects, cuts, fc.constantFrom(undefined, 1), (value, sizes, indent) => {
        const text = JSON.stringify(value, null, indent);
        const parser = read(text, sizes);
        const expected = JSON.parse(text) as unknown;
        expect(parser.finish()).toEqual({ ok: true, value: expected });
        expect(JSON.stringify(parser.value())).toBe(JSON.stringify(expected));
      }),
    );
  });

  it('accepts the same objects as JSON.parse, and never throws', () => {
    const scraps = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        ':',
        ',',
        'a',
        '1',
        '-',
        'true',
        'null',
        ' ',
        '\\"',
        '{"a":1}',
      ),
      { maxLength: 14 },
    );
    fc.assert(
      fc.property(scraps, cuts, (parts, sizes) => {
        const text = parts.join('');
        const done = read(text, sizes).finish();
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          value = text.trim() === '' ? {} : undefined;
        }
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        expect(done.ok).toBe(isObject);
        if (done.ok) expect(done.value).toEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it('repairs raw control characters and unknown escapes in strings', () => {
    expect(whole('{"a":"one\ntwo\tthree"}')).toEqual({ a: 'one\ntwo\tthree' });
    expect(whole('{"re":"\\d+\\.md","u":"\\u12","q":"\\"","win":"C:\\Users"}')).toEqual({
      re: '\\d+\\.md',
      u: '\\u12',
      q: '"',
      win: 'C:\\Users',
    });
  });

  it('shows the same repaired text while streaming as at the end', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', '\n', '\\', '\u0001', '\\d', '\\n', '\\u00', '\\u0041'),
    });
    fc.assert(
      fc.property(words, cuts, (word, sizes) => {
        const parser = read(`{"a":"${word}x","b":1}`, sizes);
        const done = parser.finish();
        if (done.ok) expect(parser.value()).toEqual(done.value);
      }),
    );
  });

  it('refuses malformed text instead of guessing', () => {
    for (const text of [
      '{"a":1',
      '{"a":"b',
      '{"a":1,}',
      '{"a" 1}',
      "{'a':1}",
      '{"a":1} x',
      '{"a":tru}',
      '{"a":01}',
    ]) {
      expect(read(text).finish(), text).toMatchObject({
        ok: false,
        error: expect.stringContaining('not valid JSON'),
      });
    }
    for (const text of ['[1]', '"a"', '7', 'null']) {
      expect(whole(text)).toBe('The arguments are not a JSON object.');
    }
  });

  it('keeps __proto__ as a plain property (T26)', () => {
    const parser = read('{"__proto__":{"admin":true},"a":{"__proto__":1}}', [3]);
    const value = parser.value();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect((value as { admin?: boolean }).admin).toBeUndefined();
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('refuses nesting that would overflow the stack', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(read(deep, [1_000]).finish()).toMatchObject({
      ok: false,
      error: expect.stringContaining('deeper'),
    });
  });
});
