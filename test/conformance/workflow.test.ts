import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { main, readCases } from './run.ts';
import { workflowSuite } from './workflow.ts';
import { caseSchema } from './workflow-case.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/conformance/${name}`, import.meta.url));
const path = fixture('workflow-own.json');
const more = fixture('workflow-more.json');
/** Regression cases; the whole file takes minutes and runs by its path. */
const mended =
  /^(exec-ends|resume-two|wf-approval-stdin|wf-for-each-skipped|wf-arg-name|host-pipeline|wf-graph|cli-bad)/;

describe.skipIf(process.platform === 'win32')('workflow', () => {
  it('passes all cases', async () => {
    const lines: string[] = [];
    const code = await main(['workflow', path], (line) => lines.push(line));
    expect(lines.filter((line) => line.startsWith('not ok'))).toEqual([]);
    expect([code, lines.at(-1)]).toEqual([0, '6 passed, 0 failed']);
  }, 120_000);

  it('passes the recorded cases that once failed', async () => {
    const { cases } = readCases(more) as { cases: { name: string }[] };
    for (const each of cases) expect(caseSchema.safeParse(each), each.name).toMatchObject({ success: true });
    const results = await workflowSuite({ cases: cases.filter(({ name }) => mended.test(name)) });
    expect(results.filter(({ why }) => why !== null)).toEqual([]);
    expect(results).toHaveLength(8);
  }, 120_000);

  it('fails when an expected value is changed or a case cannot be read', async () => {
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
