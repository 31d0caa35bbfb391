import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../docs/examples');

async function run(name: string): Promise<readonly string[]> {
  const args = ['--conditions=kennel-source', path.join(folder, name)];
  const { PROVIDER: _provider, API_KEY: _key, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim().split('\n');
}

/** Run by `ptc-examples.test.ts`. */
const ptcExamples = ['code-as-tool.ts', 'code-with-tools.ts', 'mcp-tools.ts', 'own-functions.ts'];

describe('Library examples', () => {
  it.each([
    ['basic.ts', /^Hello\..*no model behind them/],
    ['own-provider.ts', /^IS ANYBODY THERE\?$/],
    ['own-tools.ts', /^ran,refused,Three\.$/],
    ['is-complete.ts', /^3 lines$/],
    ['parse-action.ts', /^Take a hat\.$/],
    ['workflow.ts', /^needs_approval Hello, Ann,,\[ 'Hello, Ann\\n' \]$/],
  ])('run unchanged: %s', async (name, expected) => {
    expect((await run(name)).join(',')).toMatch(expected);
  });

  it('have at most 30 lines each, and all of them are run', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== 'script.ts');
    expect(files).toEqual(expect.arrayContaining(ptcExamples));
    expect(files).toHaveLength(6 + ptcExamples.length);
    for (const file of files) {
      const lines = readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n').length;
      expect(lines, file).toBeLessThanOrEqual(30);
    }
  });
});
