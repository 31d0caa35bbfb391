import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonAs } from './json-as.ts';

const schema = z.object({ n: z.number().default(7) });

describe('External JSON', () => {
  it.each([
    ['{"n":1,"more":2}', { n: 1 }],
    ['{}', { n: 7 }],
    ['{"n":"1"}', null],
    ['[]', null],
    ['{"n":1', null],
    ['', null],
  ])('%j parses to %j', (text, value) => {
    expect(jsonAs(schema, text)).toEqual(value);
  });
});
