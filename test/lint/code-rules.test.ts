import { describe, expect, it } from 'vitest';
import { checkText, isLong } from '../../scripts/code-rules.ts';
import { subjectFault } from '../../scripts/lib/commit-subjects.ts';
import { repeatedExports } from '../../scripts/lib/exported-names.ts';

const rulesFor = (file: string, text: string): string[] => checkText(file, text).map(({ rule }) => rule);

describe('code rules', () => {
  it.each([
    ['core-has-no-clock', 'src/core/lib/a.ts', 'const now = Date.now();'],
    ['core-has-no-clock', 'src/core/lib/a.ts', 'const now = new Date();'],
    ['core-has-no-timer', 'src/core/lib/a.ts', 'setTimeout(run, 5);'],
    ['same-environment', 'src/cli/a.test.ts', 'process.env = { ...before };'],
    ['core-has-no-dice', 'src/core/lib/a.ts', 'const roll = Math.random();'],
    ['core-has-no-console', 'src/core/lib/a.ts', "console.log('x');"],
    ['whole-import-path', 'src/host/a.ts', "import { b } from './b';"],
    ['whole-import-path', 'src/host/a.ts', "const b = await import('../b/c');"],
    ['whole-import-path', 'src/host/a.ts', "import { b } from './b.test';"],
    ['no-module-mock', 'test/host/a.test.ts', `vi.${'mock'}('./b.ts');`],
    ['seed-from-the-list', 'src/core/lib/a.test.ts', 'const seed = Date.now() % 1_000;'],
    ['seed-from-the-list', 'test/faults/a.test.ts', 'const roll = Math.random();'],
    ['seed-from-the-list', 'test/fakes/a.ts', 'const from = Number(process.env.KENNEL_SEED ?? 5);'],
    ['seed-from-the-list', 'e2e/app/a.spec.ts', 'const seed = 5;'],
    ['no-retry', 'vitest.config.ts', '  retry: process.env.CI ? 1 : 0,'],
    ['no-retry', 'e2e/playwright.config.ts', '  retries: 2,'],
    ['no-retry', 'test/host/a.test.ts', "it('works', { retry: 3 }, work);"],
    ['no-packed-literal', 'src/host/a.ts', `  ${'..'}.{ a, b: c },`],
    ['no-packed-literal', 'test/host/a.test.ts', `  const all = [${'..'}.[a, b], c];`],
    ['plain-comment', 'src/host/a.ts', '/** Who asked is told. */'],
    ['plain-words', 'src/host/a.ts', '/** Text for whoever asked. */'],
    ['plain-words', 'src/host/a.ts', ' * Empty if there are no hosts.'],
    ['plain-words', 'test/host/a.test.ts', '// The crew takes it in from the desk.'],
    ['error-from-a-key', 'src/host/a.ts', "return err(appError('not_found', 'It is gone.'));"],
    ['error-from-a-key', 'src/host/a.ts', "return err(textError('not_found', 'It is gone.'));"],
    ['error-from-a-key', 'src/services/db/a.ts', "throw new StoreError(code, 'Gone');"],
    ['error-from-a-key', 'src/main/a.ts', "err(appError('io_error', read.error.message));"],
    ['no-left-over', 'src/host/a.ts', `// ${'TO'}DO: later`],
    [
      'few-dependencies',
      'src/host/a.ts',
      `interface ADeps {\n${['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `  readonly ${name}: A;\n`).join('')}}`,
    ],
  ])('%s is reported in %s: %s', (rule, file, text) => {
    expect(rulesFor(file, text)).toEqual([rule]);
  });

  it('counts a file of 300 lines as long, and does not refuse it', () => {
    expect(isLong('x();\n'.repeat(300))).toBe(true);
    expect(isLong('x();\n'.repeat(299))).toBe(false);
    expect(checkText('src/host/a.ts', 'x();\n'.repeat(500))).toEqual([]);
  });

  it.each([
    ['src/services/clock/a.ts', 'const now = Date.now();'],
    ['src/core/lib/a.test.ts', 'const now = Date.now();'],
    ['src/core/lib/a.ts', 'const now = clock.now();'],
    ['src/core/lib/a.ts', ' * never reads Date.now itself'],
    ['src/host/a.ts', "import { b } from './b.ts';"],
    ['src/host/a.ts', "import { b } from './b.test.ts';"],
    ['src/renderer/a.tsx', "import './a.css';"],
    ['test/host/a.test.ts', 'const began = Date.now();'],
    ['test/host/a.test.ts', "const lines = ['retry: 5', 'steps: [{id: a, retry: {max: 2}}]'];"],
    ['vitest.config.ts', '  retry: 0,'],
  ])('accept in %s: %s', (file, text) => {
    expect(rulesFor(file, text)).toEqual([]);
  });
});

describe('exported names', () => {
  const file = (name: string, text: string) => ({ file: `src/${name}`, text });

  it('are unique among source files, whatever their kind', () => {
    const texts = [
      file('core/a.ts', 'export interface Part {}\nexport const read = 1;'),
      file('host/b.ts', '\nexport async function read() {}'),
    ];
    expect(repeatedExports(texts)).toEqual([
      { file: 'src/host/b.ts', line: 2, rule: 'unique-export', says: 'src/core/a.ts exports another read' },
    ]);
  });

  it('may repeat in one file, in tests and in the catalogs', () => {
    const texts = [
      file('core/a.ts', 'export type Part = 1;\nexport const Part = 1;'),
      file('core/a.test.ts', 'export const Part = 1;'),
      file('language/english/chat.ts', 'export const chat = {};'),
      file('language/german/chat.ts', 'export const chat = {};'),
    ];
    expect(repeatedExports(texts)).toEqual([]);
  });
});

describe('subjects of commits', () => {
  it('name type and scope, and have at most 72 characters', () => {
    expect(subjectFault('fix(host): open the journal once')).toBeNull();
    expect(subjectFault(`docs: ${'a'.repeat(66)}`)).toBeNull();
  });

  it.each(['Open the journal once', 'fix:', 'fixed(host): the journal', `docs: ${'a'.repeat(67)}`])(
    'are reported: %s',
    (subject) => expect(subjectFault(subject)).toMatchObject({ rule: 'commit-subject' }),
  );
});
