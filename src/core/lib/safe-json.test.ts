import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseSafeJson } from './safe-json.ts';

const wild = '{"type":{"length":{"toString":1}}}';

describe('Untrusted JSON (T24)', () => {
  it('would make a schema check throw if it were not refused', () => {
    const schema = z.object({ type: z.string().max(10) });
    expect(() => schema.safeParse(JSON.parse(wild))).toThrow(TypeError);
  });

  it.each([
    wild,
    '{"length":{"to\\u0053tring":null}}',
    '[[{"a":[{"\\u0074\\u006f\\u0053\\u0074\\u0072\\u0069\\u006e\\u0067":{}}]}]]',
    'not JSON',
    '',
  ])('refuses %s', (text) => {
    expect(() => parseSafeJson(text)).toThrow(SyntaxError);
  });

  it.each([
    '{"text":"x.toString() and \\"toString\\": 1"}',
    '{"text":"\\u0041 b"}',
    '{"valueOf":1,"length":{"constructor":{}}}',
    '[1,null,"toString"]',
  ])('parses %s like JSON.parse', (text) => {
    expect(parseSafeJson(text)).toEqual(JSON.parse(text));
  });
});
