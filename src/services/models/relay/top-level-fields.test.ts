import { describe, expect, it } from 'vitest';
import { findFields, replaceRanges } from './top-level-fields.ts';

const modelOf = (text: string): string | null => {
  const body = Buffer.from(text);
  const range = findFields(body, ['model'])?.get('model');
  return range ? body.toString('utf8', range.start, range.end) : null;
};

describe('Fields of a request', () => {
  it.each([
    ['{"model":"a"}', '"a"'],
    [' {\n "x" : [1, {"model":"inner"}] , "model" : "a" }\n', '"a"'],
    ['{"text":"\\"model\\":\\"no\\" \\\\","model":"é"}', '"é"'],
    ['{"n":-1.5e3,"t":true,"z":null,"model":7}', '7'],
    ['{"\\u006dodel":"escaped"}', '"escaped"'],
    ['{"messages":[{"content":"}]\\""}],"model":"a"}', '"a"'],
    ['{}', null],
  ])('are found: %s', (text, model) => {
    expect(modelOf(text)).toBe(model);
  });

  it.each([
    '',
    '[]',
    '"model"',
    '{',
    '{"model"}',
    '{"model":}',
    '{"model":"a"',
    '{"model":"a"}x',
    '{"model":"a" "b":1}',
    '{model:"a"}',
    '{"a":[1,"}',
    '{"model":"a","model":"b"}',
    '{"model":"a","\\u006dodel":"b"}',
    '\ufeff{"model":"a"}',
  ])('are refused if servers could read them differently: %s', (text) => {
    // biome-ignore format: a list
    expect(findFields(Buffer.from(text), ['model'])).toBeNull();
  });

  it('are replaced, and the rest stays as it is', () => {
    const body = Buffer.from('{"a":1, "model": "x" ,"stream":true}');
    const fields = findFields(body, ['model', 'stream']);
    const [model, stream] = [fields?.get('model'), fields?.get('stream')];
    if (!model || !stream) throw new Error('not found');
    const edits = [
      { range: stream, text: 'false' },
      { range: model, text: '"long name"' },
    ];
    expect(replaceRanges(body, edits).toString()).toBe('{"a":1, "model": "long name" ,"stream":false}');
    expect(replaceRanges(body, [])).toBe(body);
  });
});
