import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bashExecSuite } from './bash-exec.ts';
import { readCases } from './run.ts';

const file = readCases(fileURLToPath(new URL('../fixtures/conformance/bash-exec.json', import.meta.url)));
const posix = process.platform !== 'win32';

describe.skipIf(!posix)('bash-exec', () => {
  it.each([
    ['in the sandbox of the system', true],
    ['without a sandbox', false],
  ])(
    'T9 T14 T18: every recorded case holds %s',
    async (_, sandbox) => {
      const results = await bashExecSuite(sandbox)(file);
      expect(results.filter(({ why }) => why !== null)).toEqual([]);
      expect(results.length).toBe(136);
    },
    120_000,
  );

  it('fails when a case says otherwise', async () => {
    const cases = (file.cases as { id: string; expected: string }[]).filter(({ id }) =>
      ['ok-01', 'ok-22', 'shell-01', 'path-02'].includes(id),
    );
    const turned = cases.map((one) => ({ ...one, expected: one.expected === 'deny' ? 'allow' : 'deny' }));
    const results = await bashExecSuite(false)({ cases: [...turned, { id: 'x' }] });
    expect(results.filter(({ why }) => why !== null)).toHaveLength(5);
  });
});
