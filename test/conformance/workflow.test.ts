import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { main, readCases } from './run.ts';
import { workflowSuite } from './workflow.ts';

const path = fileURLToPath(new URL('../fixtures/conformance/workflow-own.json', import.meta.url));

describe.skipIf(process.platform === 'win32')('workflow', () => {
  it('holds in every case', async () => {
    const lines: string[] = [];
    const code = await main(['workflow', path], (line) => lines.push(line));
    expect(lines.filter((line) => line.startsWith('not ok'))).toEqual([]);
    expect([code, lines.at(-1)]).toEqual([0, '6 passed, 0 failed']);
  }, 120_000);

  it('fails when a case says otherwise, or cannot be read', async () => {
    const text = JSON.stringify(readCases(path));
    const turned = JSON.parse(
      text
        .replace('Go on?"},{"ok":true', 'Go on?"},{"ok":false')
        .replace('"effects":["right"]', '"effects":["wrong"]')
        .replace('"exit":2', '"exit":3'),
    ) as { cases: { name: string }[] };
    const some = turned.cases.filter(({ name }) => !/killed|four|library/.test(name));
    const results = await workflowSuite({ cases: [...some, { name: 'x', actions: [{ do: 'sing' }] }] });
    expect(results.map(({ why }) => why !== null)).toEqual([true, true, false, true]);
  }, 120_000);
});
