import { describe, expect, it } from 'vitest';
import { keptFacts, maxFactBytes, maxFactName, maxFacts, maxMemoryBytes, withFacts } from './task-memory.ts';
import { resultSchema } from './task-prompts.ts';

const refusal = (memory: Record<string, unknown>, facts: Record<string, unknown>): string => {
  const known = withFacts(memory, facts);
  return known.ok ? 'noted' : known.error.message;
};

describe('Task memory', () => {
  it('stores facts by name, replaces them, and deletes them with null', () => {
    const known = withFacts({ place: 'hall', broom: 1 }, { broom: { size: 2 }, place: null });
    expect(known).toEqual({ ok: true, value: { broom: { size: 2 } } });
  });

  it('limits the number, name length, size and total size of facts', () => {
    const many = Object.fromEntries(Array.from({ length: maxFacts }, (_, n) => [`f${n}`, n]));
    expect(refusal(many, { f0: 'again' })).toBe('noted');
    expect(refusal(many, { more: 1 })).toContain(`at most ${maxFacts} facts`);
    expect(refusal(many, { more: 1, f0: null })).toBe('noted');
    expect(refusal({}, { ['n'.repeat(maxFactName)]: 1 })).toBe('noted');
    expect(refusal({}, { ['n'.repeat(maxFactName + 1)]: 1 })).toContain('cannot be the name');
    // In bytes, with both quotation marks.
    expect(refusal({}, { a: 'ä'.repeat((maxFactBytes - 2) / 2) })).toBe('noted');
    expect(refusal({}, { a: 'ä'.repeat(maxFactBytes / 2) })).toContain(`more than ${maxFactBytes} bytes`);
    const full = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(maxFactBytes - 2)]));
    expect(refusal(full, { d: 'x'.repeat(maxFactBytes - 2) })).toContain(`at most ${maxMemoryBytes} bytes`);
  });

  it('requires names, and protects the result schema', () => {
    expect(refusal({}, {})).toBe('Give at least one fact.');
    expect(refusal({}, { ' ': 1 })).toContain('cannot be the name');
    expect(refusal({}, { [resultSchema]: {} })).toContain('cannot be the name');
    expect(keptFacts({ [resultSchema]: { type: 'object' } })).toBe('');
    expect(keptFacts({ a: 1 }, true)).toMatch(/\n<data (u\w+) from="facts">\n[{]"a":1}\n<[/]data \1>\n$/);
    expect(keptFacts({ [resultSchema]: {}, a: 1 })).toBe('Noted in this task, as JSON:\n{"a":1}');
  });
});
