import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loopSuite } from './loop.ts';
import { main, readCases } from './run.ts';

const path = fileURLToPath(new URL('../fixtures/conformance/agent-loop.json', import.meta.url));
const text = JSON.stringify(readCases(path));

const failures = async (file: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
  (await loopSuite(file)).filter((result) => result.why !== null).map((result) => result.name);

describe('loop', () => {
  it('passes all cases', async () => {
    const lines: string[] = [];
    expect(await main(['loop', path], (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toBe('30 passed, 0 failed');
  });

  it('fails when an expected value in the fixture is changed', async () => {
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

  it('checks thinking, earlier tool results, and the call that an action or hook refers to', async () => {
    const said = (text: string) => ({ blocks: [{ text: [text] }] });
    const call = { toolCall: { id: 'c1', name: 'echo', args: { text: 'x' } } };
    const one = {
      name: 'all of it',
      level: 'current',
      input: {
        initialMessages: [
          { role: 'user', text: 'before' },
          { role: 'assistant', thinking: 'well', toolCalls: ['c0'] },
          { role: 'toolResult', toolCallId: 'c0', toolName: 'echo', text: 'found', isError: false },
        ],
        tools: [{ name: 'echo', behaviour: { '*': { return: 'raw' } } }],
        hooks: { after: { c1: { text: 'reviewed' } } },
        provider: [
          { blocks: [{ thinking: ['let me', ' see'] }, call], stopReason: 'toolUse' },
          said('heard'),
          said('done'),
        ],
        actions: [
          { when: { type: 'tool_execution_end', toolCallId: 'c1' }, op: 'steer', text: 'steered' },
          { when: { type: 'message_end', role: 'toolResult' }, op: 'followUp', text: 'after that' },
        ],
        script: [{ op: 'prompt', text: 'go' }],
      },
      expected: {
        messages: [
          { role: 'user', text: 'before' },
          { role: 'assistant', thinking: 'well', toolCalls: ['c0'] },
          { role: 'toolResult', toolCallId: 'c0', text: 'found', isError: false },
          { role: 'user', text: 'go' },
          { role: 'assistant', thinking: 'let me see', toolCalls: ['c1'] },
          { role: 'toolResult', toolCallId: 'c1', text: 'reviewed' },
          { role: 'user', text: 'steered' },
          { role: 'assistant', text: 'heard' },
          { role: 'user', text: 'after that' },
          { role: 'assistant', text: 'done' },
        ],
      },
    };
    expect(await loopSuite({ cases: [one] })).toEqual([{ name: 'current/all of it', why: null }]);
    const text = JSON.stringify({ cases: [one] });
    for (const [from, to] of [
      ['"thinking":"let me see"', '"thinking":"hm"'],
      ['"toolCallId":"c1"},"op":"steer"', '"toolCallId":"c2"},"op":"steer"'],
      ['"role":"toolResult"},"op"', '"role":"assistant","toolCallId":"c1"},"op"'],
      ['{"c1":{"text":"reviewed"}}', '{"c1":{"text":"raw"}}'],
    ] as const) {
      expect(text).toContain(from);
      expect(await failures(JSON.parse(text.replace(from, to)) as Record<string, unknown>)).toHaveLength(1);
    }
  });
});
