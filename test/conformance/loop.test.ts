import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loopSuite } from './loop.ts';
import { main, readCases } from './run.ts';

const path = fileURLToPath(new URL('../fixtures/conformance/agent-loop.json', import.meta.url));
const text = JSON.stringify(readCases(path));

const failures = async (file: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
  (await loopSuite(file)).filter((result) => result.why !== null).map((result) => result.name);

describe('loop', () => {
  it('holds in every case', async () => {
    const lines: string[] = [];
    expect(await main(['loop', path], (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toBe('30 passed, 0 failed');
  });

  it('fails when the file says otherwise', async () => {
    const other = (from: string, to: string): Promise<readonly string[]> => {
      expect(text).toContain(from);
      return failures(JSON.parse(text.replace(from, to)) as Record<string, unknown>);
    };
    expect(await other('"user:go","user:be brief"', '"user:go"')).toEqual([
      'universal/steer-queued-before-prompt',
    ]);
    expect(await other('"errorMessage":"503 overloaded"}]', '"errorMessage":"504"}]')).toHaveLength(1);
    expect(await other('"toolResults":["c1","c2"]', '"toolResults":["c2","c1"]')).toHaveLength(1);
    expect(await other('"inner":"text_delta"', '"inner":"text_start"')).toHaveLength(1);
    expect(await other('"op":"prompt"', '"op":"sing"')).toEqual(['case 1']);
  });
});
