import { expect, it } from 'vitest';
import { createAgentRig } from '../../../test/fakes/agent-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import type { LoopTool } from './loop-tool.ts';

const tool = (returns: () => unknown): LoopTool =>
  ({
    name: 'odd',
    description: 'Returns what it likes.',
    parameters: { type: 'object', properties: {} },
    execute: returns,
  }) as unknown as LoopTool;

const round: Record<string, unknown> = {};
round.self = round;

it.each([
  ['nothing', () => undefined, 'The tool returned nothing.', false],
  ['nothing, later', async () => undefined, 'The tool returned nothing.', false],
  ['null', () => null, 'The tool returned nothing.', false],
  ['a string', () => 'done', 'done', false],
  ['a string, later', async () => 'done', 'done', false],
  ['an object', () => ({ ok: 1 }), '{"ok":1}', false],
  ['a number', () => 7, '7', false],
  ['content that is no list', () => ({ content: 'text' }), '{"content":"text"}', false],
  ['an error result', () => ({ content: [{ type: 'text', text: 'no' }], isError: true }), 'no', true],
  ['an object that is no JSON', () => round, 'no JSON', true],
])('A tool that returns %s has exactly one result', async (_what, returns, text, isError) => {
  const rig = createAgentRig([calls(['c1', 'odd', {}]), says('done')], { tools: [tool(returns)] });
  await rig.agent.prompt('go');
  const results = rig.agent.state.messages.filter(({ role }) => role === 'toolResult');
  expect(results).toMatchObject([{ toolCallId: 'c1', isError }]);
  expect(rig.texts()[2]).toContain(text);
  expect(rig.texts().at(-1)).toBe('assistant:done');
});
