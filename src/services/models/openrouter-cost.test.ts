import { expect, it } from 'vitest';
import { lastMessage, streamedAnswer } from '../../../test/fakes/streamed-answer.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { ModelEvent } from '../../core/models/model-ports.ts';
import { createOpenAiCompletionsModel } from './openai-completions.ts';

const usage = { prompt_tokens: 194, completion_tokens: 2, cost: 0.95, total_tokens: 196 };
const chunks = (...all: readonly object[]): string =>
  [...all.map((one) => JSON.stringify(one)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
const said = { id: 'gen-1', choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] };

async function ask(provider: string, text: string) {
  const bodies: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return streamedAnswer([new TextEncoder().encode(text)]);
  };
  const model = createOpenAiCompletionsModel({ clock: createVirtualClock(), fetch });
  const target = { provider, model: 'm', baseUrl: 'http://x/v1', apiKey: 'k', auth: 'api_key' } as const;
  const events: ModelEvent[] = [];
  const context = { system: '', messages: [], tools: [] };
  const options = { maxOutputTokens: 9, thinkingLevel: 'off' } as const;
  for await (const event of model.stream(target, context, options, new AbortController().signal))
    events.push(event);
  return { message: lastMessage(events), last: events.at(-1)?.type, body: bodies[0] };
}

it('The OpenRouter cost of a response is requested and taken over unchanged', async () => {
  const { message, body } = await ask('openrouter', chunks(said, { id: 'gen-1', choices: [], usage }));
  expect(body).toMatchObject({ usage: { include: true } });
  expect(message.usage).toMatchObject({ input: 194, output: 2, cost: { total: 0.95 } });
});

it('With the operator’s own upstream key, the upstream cost is added to the fee', async () => {
  const own = { ...usage, cost: 0.05, is_byok: true, cost_details: { upstream_inference_cost: 0.95 } };
  const { message } = await ask('openrouter', chunks(said, { id: 'gen-1', choices: [], usage: own }));
  expect(message.usage.cost?.total).toBeCloseTo(1);
});

it('Other servers are not asked for a cost, and a cost they report is ignored', async () => {
  const { message, body } = await ask('vllm', chunks(said, { id: 'c', choices: [], usage }));
  expect(body).not.toHaveProperty('usage');
  expect(message.usage.cost).toBeNull();
});

it('A response that fails midway keeps its reported cost', async () => {
  const broken = { id: 'gen-1', error: { code: 502, message: 'upstream' }, choices: [], usage };
  const { message, last } = await ask('openrouter', chunks(broken));
  expect(last).toBe('error');
  expect(message.usage).toMatchObject({ input: 194, cost: { total: 0.95 } });
});
