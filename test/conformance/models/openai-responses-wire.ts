import OpenAI from 'openai';
import { createOpenAiResponsesModel } from '../../../src/services/models/openai-responses.ts';
import { type AdapterUnderTest, type Script, type ScriptBlock, testKey } from './adapter-under-test.ts';

const model = 'gpt-5.2';

/** The events of one output item, without sequence numbers, and the finished item. */
function itemEvents(block: ScriptBlock, output_index: number): { events: object[]; item: object } {
  const id = `item_${output_index}`;
  const at = { item_id: id, output_index };
  const whole = block.pieces.join('');
  const event = (type: string, more: object): object => ({ type: `response.${type}`, ...more });
  const around = (begun: object, between: readonly object[], item: object) => ({
    events: [
      event('output_item.added', { output_index, item: begun }),
      ...between,
      event('output_item.done', { output_index, item }),
    ],
    item,
  });
  if (block.type === 'call') {
    const item = { id, type: 'function_call', call_id: block.id, name: block.name };
    const pieces = block.pieces.map((delta) => event('function_call_arguments.delta', { ...at, delta }));
    const done = event('function_call_arguments.done', { ...at, arguments: whole });
    return around({ ...item, status: 'in_progress', arguments: '' }, [...pieces, done], {
      ...item,
      status: 'completed',
      arguments: whole,
    });
  }
  if (block.type === 'thinking') {
    const item = { id, type: 'reasoning', encrypted_content: block.signature };
    const part = { ...at, summary_index: 0 };
    const pieces = block.pieces.map((delta) => event('reasoning_summary_text.delta', { ...part, delta }));
    const empty = { type: 'summary_text', text: '' };
    return around(
      { ...item, summary: [] },
      [event('reasoning_summary_part.added', { ...part, part: empty }), ...pieces],
      { ...item, summary: [{ type: 'summary_text', text: whole }] },
    );
  }
  const item = { id, type: 'message', role: 'assistant' };
  const part = { ...at, content_index: 0 };
  const content = (text: string) => ({ type: 'output_text', text, annotations: [] });
  const pieces = block.pieces.map((delta) => event('output_text.delta', { ...part, delta, logprobs: [] }));
  return around(
    { ...item, status: 'in_progress', content: [] },
    [
      event('content_part.added', { ...part, part: content('') }),
      ...pieces,
      event('output_text.done', { ...part, text: whole, logprobs: [] }),
    ],
    { ...item, status: 'completed', content: [content(whole)] },
  );
}

function wire({ id, blocks, stop, usage }: Script): readonly string[] {
  const head = { id, object: 'response', created_at: 1_778_790_000, model, error: null };
  const items = blocks.map(itemEvents);
  const cut = stop === 'length';
  const response = {
    ...head,
    status: cut ? 'incomplete' : 'completed',
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output: items.map(({ item }) => item),
    usage: {
      input_tokens: usage.input + usage.cacheRead,
      input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.cacheRead + usage.output,
    },
  };
  const events = [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
    ...items.flatMap((one) => one.events),
    { type: `response.${response.status}`, response },
  ] as { type: string }[];
  return events.map(
    (event, sequence_number) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );
}

export const openAiResponsesAdapter: AdapterUnderTest = {
  name: 'openai-responses',
  create: createOpenAiResponsesModel,
  provider: 'openai',
  model,
  basePath: '/v1',
  wire,
  // The next request returns the whole encrypted item, not only its signature.
  without: ['signature'],
  async secondOpinion(origin) {
    const client = new OpenAI({ apiKey: testKey, baseURL: `${origin}/v1`, maxRetries: 0 });
    const opinion = { text: '', calls: [] as { name: string; arguments: unknown }[], outputTokens: 0 };
    for await (const event of await client.responses.create({ model, input: 'hi', stream: true })) {
      if (event.type === 'response.output_text.delta') opinion.text += event.delta;
      if (event.type === 'response.output_item.done' && event.item.type === 'function_call') {
        const { name, arguments: args } = event.item;
        opinion.calls.push({ name, arguments: JSON.parse(args) as unknown });
      }
      if (event.type === 'response.completed' || event.type === 'response.incomplete')
        opinion.outputTokens = event.response.usage?.output_tokens ?? 0;
    }
    return opinion;
  },
};
