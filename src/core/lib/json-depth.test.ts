import { expect, it } from 'vitest';
import { utf8 } from './bytes.ts';
import { parseGuardedJson } from './guarded-json.ts';
import { depthWithin } from './json-depth.ts';

it('The depth check counts only brackets outside strings', () => {
  expect(depthWithin('{"a":"[[[[{{{{\\"[["}', 1)).toBe(true);
  expect(depthWithin('[[]]', 1)).toBe(false);
  expect(depthWithin('[[],[],[]]', 2)).toBe(true);
  expect(depthWithin('"[[\\\\"[[', 1)).toBe(false);
  expect(depthWithin('"[[[[', 1)).toBe(true);
});

it('T24: deep nesting, invalid UTF-8 and invalid JSON are refused before parsing', () => {
  const why = (bytes: Uint8Array) => {
    const parsed = parseGuardedJson(bytes, 2);
    return parsed.ok ? parsed.value : parsed.why.text;
  };
  expect(why(utf8('['.repeat(100_000)))).toBe('The JSON is nested deeper than 2 levels.');
  expect(why(utf8('[[["deep"]]]'))).toBe('The JSON is nested deeper than 2 levels.');
  expect(why(utf8('[["{[{[{["]]'))).toEqual([['{[{[{[']]);
  expect(why(Uint8Array.of(0x22, 0xff, 0x22))).toBe('The body is not UTF-8.');
  expect(why(utf8('{"toString":1}'))).toBe('The body is not JSON.');
  expect(why(new Uint8Array())).toEqual({});
});
