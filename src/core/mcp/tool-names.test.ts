import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../platform/sha256.ts';
import { maxToolNameLength, mcpToolNames } from './tool-names.ts';

const names = (...tools: readonly (readonly [server: string, tool: string])[]): readonly string[] =>
  mcpToolNames(
    tools.map(([server, tool]) => ({ server, tool })),
    sha256Hex,
  );

describe('Names of MCP tools', () => {
  it('joins server and tool', () => {
    expect(names(['memory', 'create_entities'])).toEqual(['memory__create_entities']);
    expect(names(['every-thing', 'get-sum'])).toEqual(['every-thing__get-sum']);
  });

  it('replaces characters that model providers refuse', () => {
    expect(names(['a.b', 'c d/é'])).toEqual(['a_b__c_d__']);
    expect(names(['', ''])).toEqual(['server__tool']);
  });

  it('adds a hash to both names of a collision, in any order', () => {
    const [first, second] = names(['s', 'a.b'], ['s', 'a b']);
    expect(first).toMatch(/^s__a_b_[0-9a-f]{12}$/);
    expect(second).toMatch(/^s__a_b_[0-9a-f]{12}$/);
    expect(first).not.toBe(second);
    expect(names(['s', 'a b'], ['s', 'a.b'])).toEqual([second, first]);
  });

  it('T10 keeps a tool from imitating the tool of another server', () => {
    const [first, second] = names(['a', 'b__c'], ['a__b', 'c']);
    expect(first).toBe('a__b__c');
    expect(second).toBe('a_b__c');
    expect(names(['a_', 'b'], ['a', '_b'])).toEqual(['a__b', 'a___b']);
  });

  it('cuts long names and keeps them apart', () => {
    const long = 'x'.repeat(100);
    const [first, second] = names(['s', `${long}1`], ['s', `${long}2`]);
    expect(first).toHaveLength(maxToolNameLength);
    expect(first).not.toBe(second);
  });

  it('keeps a tool from taking the hashed name of another', () => {
    const [taken = ''] = names(['s', 'a.b'], ['s', 'a b']);
    const made = names(['s', 'a.b'], ['s', 'a b'], ['s', taken.slice('s__'.length)]);
    expect(new Set(made).size).toBe(3);
  });

  it('makes unique names that providers accept of any tools', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('a', '_', 'a__b', 'b', '__', 'x'.repeat(70)));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: String }), (pairs) => {
        const made = names(...pairs);
        expect(new Set(made).size).toBe(new Set(pairs.map((pair) => JSON.stringify(pair))).size);
        for (const name of made) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});
