import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ptcFences } from './ptc-fences.ts';
import { readCases, runFile } from './run.ts';

const file = readCases(fileURLToPath(new URL('../fixtures/conformance/ptc-fences.json', import.meta.url)));

describe('ptc-fences', () => {
  it('passes all recorded cases', () => {
    const results = runFile(ptcFences, file);
    expect(results.filter(({ why }) => why !== null)).toEqual([]);
    expect(results).toHaveLength(10);
  });

  it('fails cases whose expected result is changed or that cannot be read', () => {
    const input = '```bash:execute\nls\n```';
    const want = [{ target: 'bash', action: 'execute', body: 'la' }];
    const cases = [{ name: 'changed', input, want }, { name: 'none', input, want: [] }, { input }];
    expect(runFile(ptcFences, { cases }).filter(({ why }) => why !== null)).toHaveLength(3);
  });
});
