import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { row } from './method-row.ts';

describe('Method table row', () => {
  it('creates each schema once, on first access', () => {
    const made: string[] = [];
    const one = row(
      () => {
        made.push('input');
        return z.string();
      },
      () => {
        made.push('output');
        return z.number();
      },
    );
    expect(made).toEqual([]);
    // Tables are merged by spreading.
    const table = { one };
    expect(made).toEqual([]);
    expect(table.one.input.safeParse('x').success).toBe(true);
    expect(table.one.input).toBe(one.input);
    expect(made).toEqual(['input']);
    expect(one.output.safeParse('x').success).toBe(false);
    expect(one.output).toBe(one.output);
    expect(made).toEqual(['input', 'output']);
    expect(one.callers).toEqual(['owner-ui', 'owner-cli']);
  });
});
