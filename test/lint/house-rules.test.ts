import { describe, expect, it } from 'vitest';
import { checkText } from '../../scripts/house-rules.ts';

const rulesFor = (file: string, text: string): string[] => checkText(file, text).map(({ rule }) => rule);

describe('house rules', () => {
  it.each([
    ['core-has-no-clock', 'src/core/lib/a.ts', 'const now = Date.now();'],
    ['core-has-no-clock', 'src/core/lib/a.ts', 'const now = new Date();'],
    ['core-has-no-timer', 'src/core/lib/a.ts', 'setTimeout(run, 5);'],
    ['core-has-no-dice', 'src/core/lib/a.ts', 'const roll = Math.random();'],
    ['core-has-no-console', 'src/core/lib/a.ts', "console.log('x');"],
    ['whole-import-path', 'src/host/a.ts', "import { b } from './b';"],
    ['whole-import-path', 'src/host/a.ts', "const b = await import('../b/c');"],
    ['whole-import-path', 'src/host/a.ts', "import { b } from './b.test';"],
    ['no-module-mock', 'test/host/a.test.ts', `vi.${'mock'}('./b.ts');`],
    ['no-left-over', 'src/host/a.ts', `// ${'TO'}DO: later`],
  ])('%s bites in %s: %s', (rule, file, text) => {
    expect(rulesFor(file, text)).toEqual([rule]);
  });

  it('finds a file of more than 400 lines and names the length', () => {
    expect(checkText('src/host/a.ts', 'x();\n'.repeat(401))).toMatchObject([
      { rule: 'file-length', line: 401 },
    ]);
    expect(rulesFor('src/host/a.ts', 'x();\n'.repeat(400))).toEqual([]);
  });

  it.each([
    ['src/services/clock/a.ts', 'const now = Date.now();'],
    ['src/core/lib/a.test.ts', 'const now = Date.now();'],
    ['src/core/lib/a.ts', 'const now = clock.now();'],
    ['src/core/lib/a.ts', ' * never reads Date.now itself'],
    ['src/host/a.ts', "import { b } from './b.ts';"],
    ['src/host/a.ts', "import { b } from './b.test.ts';"],
    ['src/renderer/a.tsx', "import './a.css';"],
  ])('lets %s say: %s', (file, text) => {
    expect(rulesFor(file, text)).toEqual([]);
  });
});
