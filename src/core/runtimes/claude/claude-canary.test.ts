import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../services/clock/system-clock.ts';
import type { HarnessProcess } from '../harness-ports.ts';
import { canaryReply, runClaudeCanary } from './claude-canary.ts';

const permission = (tool: string, input: object): string =>
  JSON.stringify({
    type: 'control_request',
    request_id: tool,
    request: { subtype: 'can_use_tool', tool_name: tool, input, tool_use_id: tool },
  });
const result = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: '' });

/** A program that prints these lines and leaves these files. */
async function canaryOf(lines: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const written: string[] = [];
  const process = {
    write: (line: string) => void written.push(line),
    async *lines() {
      yield* lines;
    },
  };
  const parts = {
    process: { ...process, lines: process.lines() } as unknown as HarnessProcess,
    readFile: (name: string) => files[name] ?? null,
    clock: createSystemClock(),
    random: { uuid: () => 'id' },
  };
  return { passed: await runClaudeCanary(parts), written: written.join('\n') };
}

const asks = [
  permission('Bash', { command: 'touch /x/shell' }),
  permission('Write', { file_path: '/x/edit', content: 'asked' }),
  permission('WebFetch', { url: 'https://kennel.invalid/' }),
  permission('Task', { prompt: 'p' }),
  permission('Bash', { command: 'touch /x/sub' }),
];

describe('Canary of Claude Code', () => {
  it('notes what the program asked for, denies it, and rewrites one call', async () => {
    const { passed, written } = await canaryOf([...asks, result], { edit: 'rewritten' });
    expect(passed).toEqual(['shell', 'edit', 'network', 'subAgent', 'denial', 'rewrite']);
    expect(written.match(/"behavior":"deny"/g)).toHaveLength(3);
  });

  it('fails a program that acts in spite of a denial, or ignores the rewritten input', async () => {
    const { passed } = await canaryOf([...asks, result], { shell: '', edit: 'asked' });
    expect(passed).toEqual(['shell', 'edit', 'network', 'subAgent']);
  });

  it('passes nothing for a program that never asks, or ends before its turn', async () => {
    expect((await canaryOf([result])).passed).toEqual([]);
    expect((await canaryOf(asks)).passed).toEqual([]);
  });

  it('scripts one action per request, and another for the sub-agent', () => {
    const ask = (content: unknown, tools = ['Bash']) =>
      canaryReply({ messages: [{ role: 'user', content }], tools }, '/x');
    expect(ask('canary')).toMatchObject([{ tool: 'Bash', input: { command: 'touch /x/shell' } }]);
    expect(ask([{ type: 'tool_result' }])).toMatchObject([{ tool: 'Write' }]);
    expect(ask('kennel-canary-sub-agent')).toMatchObject([{ input: { command: 'touch /x/sub' } }]);
    expect(ask('canary', [])).toEqual([{ text: 'done' }]);
  });
});
