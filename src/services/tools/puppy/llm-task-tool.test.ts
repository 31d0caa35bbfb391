import { expect, it } from 'vitest';
import { toolContext } from '../../../../test/fakes/tool-context.ts';
import { textError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { noneSpent } from '../../../core/models/usage.ts';
import type { Json } from '../../../core/workflows/file/definition.ts';
import type { StepModelWish } from '../../../core/workflows/puppy-port.ts';
import { createLlmTaskTool } from './llm-task-tool.ts';

function rig(answer: Result<Json>) {
  const wishes: StepModelWish[] = [];
  const tool = createLlmTaskTool({
    async ask(wish) {
      wishes.push(wish);
      return { answer, used: { ...noneSpent, tokens: 7, usd: 0.01 } };
    },
  });
  return { tool, wishes };
}
const text = (output: { readonly content: readonly unknown[] }): string => JSON.stringify(output.content);

it('The LLM task tool asks with JSON or text data, and returns the answer with its cost', async () => {
  const { tool, wishes } = rig(ok({ kind: 'a' }));
  const schemaJson = '{"type":"object","required":["kind"]}';
  const told = await tool.execute({ prompt: 'Which?', input: '{"mail":1}', schemaJson }, toolContext());
  expect(told).toMatchObject({ details: { kind: 'a' }, used: { ...noneSpent, tokens: 7, usd: 0.01 } });
  await tool.execute({ prompt: 'Which?', input: 'hello {', maxUsd: 0.5 }, toolContext());
  expect(wishes).toEqual([
    { prompt: 'Which?', input: { mail: 1 }, schema: JSON.parse(schemaJson), maxTokens: null, maxUsd: null },
    { prompt: 'Which?', input: 'hello {', schema: null, maxTokens: null, maxUsd: 0.5 },
  ]);
});

it('The LLM task tool refuses an invalid schema, and reports a failure with its cost', async () => {
  const { tool, wishes } = rig(err(textError('model_error', 'It does not fit.')));
  const refused = await tool.execute({ prompt: 'Which?', schemaJson: '["kind"]' }, toolContext());
  expect([refused.isError, wishes.length]).toEqual([true, 0]);
  const failed = await tool.execute({ prompt: 'Which?' }, toolContext());
  expect(failed).toMatchObject({ isError: true, used: { tokens: 7 } });
  expect(text(failed)).toContain('It does not fit.');
});

it('The LLM task tool previews the whole prompt, has no effects and is not a core tool', async () => {
  const { tool } = rig(ok(null));
  const seen = await tool.assess({ prompt: 'Which kind?', input: 'mail' }, toolContext());
  expect(seen).toMatchObject({ risk: 'low', effects: [], preview: { body: 'Which kind?\n\nmail' } });
  expect([tool.group, tool.core]).toEqual(['puppy', false]);
});
