import { describe, expect, it } from 'vitest';
import { readWatchedUri, toolArguments } from './watched-uri.ts';

describe('Address to watch', () => {
  it('names a tool, its arguments and its interval', () => {
    expect(readWatchedUri('tool://fetch/?url=https%3A%2F%2Fa.org%2F%3Fb%3D1&tag=x&tag=y#poll=0.5')).toEqual({
      kind: 'tool',
      tool: 'fetch',
      query: { url: ['https://a.org/?b=1'], tag: ['x', 'y'] },
      pollMs: 500,
    });
    expect(readWatchedUri('tool://Get_Sum-2')).toMatchObject({ tool: 'Get_Sum-2', query: {}, pollMs: null });
  });

  it('keeps an address in an argument that is not encoded', () => {
    expect(readWatchedUri('tool://fetch/?url=https://example.com/news')).toMatchObject({
      query: { url: ['https://example.com/news'] },
    });
  });

  it('takes any other address for a resource', () => {
    expect(readWatchedUri('memory://knowledge-graph')).toEqual({
      kind: 'resource',
      uri: 'memory://knowledge-graph',
    });
  });

  it.each([
    'tool:',
    'tool://',
    'tool:fetch',
    'tool://f/#poll=',
    'tool://f/#poll=x',
    'tool://f/#poll=-1',
    'tool://f/#every=5',
    'tool://%ff/',
    'news',
    'docs://a b',
    '',
  ])('refuses %j', (uri) => {
    expect(readWatchedUri(uri)).toBeNull();
  });
});

describe('Arguments of a watched tool', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      on: { type: ['boolean', 'null'] },
      maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      ids: { type: 'array', items: { type: 'number' } },
      words: { type: 'array', items: { type: 'string' } },
      filter: { type: 'object' },
      text: { type: 'string' },
    },
  } as const;

  it.each([
    ['n', ['12'], 12],
    ['n', ['many'], 'many'],
    ['on', ['true'], true],
    ['on', ['null'], null],
    ['maybe', ['1.5'], 1.5],
    ['ids', ['1', '2'], [1, 2]],
    ['ids', ['1'], [1]],
    ['ids', ['[3,4]'], [3, 4]],
    ['words', ['1', '2'], ['1', '2']],
    ['filter', ['{"a":[1]}'], { a: [1] }],
    ['filter', ['{'], '{'],
    ['text', ['12'], '12'],
    ['unknown', ['12'], '12'],
    ['unknown', ['a', 'b'], ['a', 'b']],
    ['__proto__', ['x'], 'x'],
  ])('gives %s=%j the type of the schema', (key, values, expected) => {
    expect(Object.entries(toolArguments(Object.fromEntries([[key, values]]), inputSchema))).toEqual([
      [key, expected],
    ]);
  });
});
