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
    'T9 T14 T18: passes all recorded cases %s',
    async (_, sandbox) => {
      const results = await bashExecSuite(sandbox)(file);
      expect(results.filter(({ why }) => why !== null)).toEqual([]);
      expect(results.length).toBe(136);
    },
    120_000,
  );

  it('fails cases whose expected result is inverted or that cannot be read', async () => {
    const cases = (file.cases as { id: string; expected: string }[]).filter(({ id }) =>
      ['ok-01', 'ok-22', 'shell-01', 'path-02'].includes(id),
    );
    const turned = cases.map((one) => ({ ...one, expected: one.expected === 'deny' ? 'allow' : 'deny' }));
    const results = await bashExecSuite(false)({ cases: [...turned, { id: 'x' }] });
    expect(results.filter(({ why }) => why !== null)).toHaveLength(5);
  });

  it('checks approval questions, environment settings and argument validation', async () => {
    const file = (name: string) => ({ file: `{ROOT}/${name}`, content: 'x' });
    const base = { class: 'ok', risk: 'high', reason: '', setup: [file('a')] };
    const remove = { ...base, cmd: 'rm a', mustNotExist: ['{ROOT}/a'] };
    const asked = { command: 'rm a', argv: ['rm', 'a'], cwd: '{ROOT}', risk: 'high', justification: 'tidy' };
    const env = (name: string, value: string) => ({ env: { [`POP_AGENT_BASH_${name}`]: value } });
    const cases = [
      {
        ...remove,
        id: 'named',
        expected: 'approval',
        approvalRequestFields: ['command', 'argv', 'cwd', 'risk'],
      },
      {
        ...remove,
        id: 'valued',
        expected: 'approval',
        params: { justification: 'tidy' },
        approvalRequestFields: asked,
      },
      { ...remove, id: 'other', expected: 'approval', approvalRequestFields: { command: 'rm b' } },
      { ...remove, id: 'absent', expected: 'approval', approvalRequestFields: ['mood'] },
      {
        ...base,
        id: 'mute',
        cmd: 'rm a',
        expected: 'deny',
        mustExist: ['{ROOT}/a'],
        setup: [file('a'), env('PROMPT_APPROVAL', 'false')],
      },
      {
        ...base,
        id: 'roots',
        cmd: 'touch {OUT}/new',
        risk: 'medium',
        expected: 'approval',
        setup: [env('WRITABLE_ROOTS', '{OUT}')],
        mustExist: ['{OUT}/new'],
      },
      { ...base, id: 'arguments', cmd: 'ls', risk: null, expected: 'deny', params: { timeout_s: ['5'] } },
      { ...base, id: 'unknown', cmd: 'ls', risk: null, expected: 'deny', params: { shell: true } },
    ];
    const results = await bashExecSuite(false)({ cases });
    expect(results.filter(({ why }) => why !== null)).toEqual([
      { name: 'other', why: expect.stringContaining('command') },
      { name: 'absent', why: 'the question has no mood' },
    ]);
  });
});
