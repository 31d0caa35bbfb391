import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../docs');

interface Claim {
  /** e.g. `T5`, or `F8`. */
  readonly number: string;
  /** Relative to `docs`. */
  readonly file: string;
}

/** Rows of the form `| T1, T2 | what | [name](file) … |`. */
function claimsOf(text: string): Claim[] {
  return [...text.matchAll(/^\| ((?:[TF]\d+(?:, )?)+) \|.*\| (.*) \|$/gm)].flatMap(
    ([, numbers = '', tests = '']) =>
      [...tests.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, file = '']) =>
        numbers.split(', ').map((number) => ({ number, file })),
      ),
  );
}

const names = (text: string, number: string): boolean => new RegExp(`\\b${number}\\b`).test(text);

describe('the tables of docs/security.md', () => {
  const claims = claimsOf(readFileSync(join(docs, 'security.md'), 'utf8'));

  it('are read', () => {
    expect(claims).toContainEqual({ number: 'T1', file: '../test/host/doors.test.ts' });
    expect(claims).toContainEqual({ number: 'F23', file: '../src/services/puffo/wheel.test.ts' });
  });

  it('name only test files that name the number', () => {
    const empty = claims.filter(({ number, file }) => !names(readFileSync(join(docs, file), 'utf8'), number));
    expect(empty).toEqual([]);
  });

  it('would not take another number for it', () => {
    expect(names('it refuses (T12)', 'T1')).toBe(false);
    expect(names('it refuses (T1, T2)', 'T1')).toBe(true);
  });
});
