import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const docs = join(root, 'docs');

interface Claim {
  /** Such as `T5` or `F8`. */
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

/** Test titles that are string literals. */
const titlesOf = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:\b(?:it|test|describe)(?:\.\w+)*(?:\([^\n'"`]*\))?|^\s*\]\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm,
    ),
  ].map(([, , title = '']) => title);

describe('the tables of docs/security.md', () => {
  const claims = claimsOf(readFileSync(join(docs, 'security.md'), 'utf8'));

  it('are read', () => {
    expect(claims).toContainEqual({ number: 'T1', file: '../test/host/doors.test.ts' });
    expect(claims).toContainEqual({ number: 'F23', file: '../src/services/puffo/timer-wheel.test.ts' });
  });

  it('name only test files that name the number', () => {
    const empty = claims.filter(({ number, file }) => !names(readFileSync(join(docs, file), 'utf8'), number));
    expect(empty).toEqual([]);
  });

  it('have a row for every number that a test names', () => {
    const listed = new Set(claims.map(({ number }) => number));
    const tests = globSync('{src,test,e2e}/**/*.{test,spec}.ts', { cwd: root });
    const missing = tests
      .filter((file) => !file.endsWith('threat-table.test.ts'))
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/\b[TF][1-9]\d?\b/g)].map(
          ([number]) => `${number} in ${file}`,
        ),
      )
      .filter((found) => !listed.has(found.split(' ')[0] ?? ''));
    expect(tests.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  it('name every test file in whose titles a number stands', () => {
    const listed = new Set(claims.map(({ number, file }) => `${number} in ${file.replace('../', '')}`));
    const tests = globSync('{src,test,e2e}/**/*.{test,spec}.ts', { cwd: root });
    const others = tests.filter((file) => !file.endsWith('threat-table.test.ts'));
    const missing = others.flatMap((file) =>
      titlesOf(readFileSync(join(root, file), 'utf8'))
        .flatMap((title) => title.match(/\b[TF][1-9]\d?\b/g) ?? [])
        .map((number) => `${number} in ${file}`)
        .filter((found) => !listed.has(found)),
    );
    expect(titlesOf("it('a (T1)', f);\ntest.each([1])('b', f);\n  ])(`T2 c`, f)")).toEqual([
      'a (T1)',
      'b',
      'T2 c',
    ]);
    expect([...new Set(missing)]).toEqual([]);
  });

  it('would not take another number for it', () => {
    expect(names('it refuses (T12)', 'T1')).toBe(false);
    expect(names('it refuses (T1, T2)', 'T1')).toBe(true);
  });
});
