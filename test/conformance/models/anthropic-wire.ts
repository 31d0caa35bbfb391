import Anthropic from '@anthropic-ai/sdk';
import { createAnthropicModel } from '../../../src/services/models/anthropic.ts';
import { type AdapterUnderTest, type Script, type ScriptBlock, testKey } from './adapter-under-test.ts';

const frame = (data: { readonly type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const begun = {
  text: () => ({ type: 'text', text: '' }),
  thinking: () => ({ type: 'thinking', thinking: '', signature: '' }),
  call: (block: Extract<ScriptBlock, { type: 'call' }>) => ({
    type: 'tool_use',
    id: block.id,
    name: block.name,
    input: {},
  }),
};

function blockFrames(block: ScriptBlock, index: number): string[] {
  const start = block.type === 'call' ? begun.call(block) : begun[block.type]();
  const delta = (piece: string) => {
    if (block.type === 'text') return { type: 'text_delta', text: piece };
    if (block.type === 'thinking') return { type: 'thinking_delta', thinking: piece };
    return { type: 'input_json_delta', partial_json: piece };
  };
  const signed = block.type === 'thinking' ? [{ type: 'signature_delta', signature: block.signature }] : [];
  return [
    frame({ type: 'content_block_start', index, content_block: start }),
    ...[...block.pieces.map(delta), ...signed].map((part) =>
      frame({ type: 'content_block_delta', index, delta: part }),
    ),
    frame({ type: 'content_block_stop', index }),
  ];
}

const stopReasons = { stop: 'end_turn', length: 'max_tokens', toolUse: 'tool_use' };

function wire({ id, blocks, stop, usage }: Script): readonly string[] {
  const message = { id, type: 'message', role: 'assistant', model: 'claude-sonnet-4-6', content: [] };
  const read = {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const thinking = { output_tokens_details: { thinking_tokens: usage.reasoning } };
  return [
    frame({
      type: 'message_start',
      message: { ...message, stop_reason: null, stop_sequence: null, usage: read },
    }),
    frame({ type: 'ping' }),
    ...blocks.flatMap(blockFrames),
    frame({
      type: 'message_delta',
      delta: { stop_reason: stopReasons[stop], stop_sequence: null },
      usage: { output_tokens: usage.output, ...thinking },
    }),
    frame({ type: 'message_stop' }),
  ];
}

export const anthropicAdapter: AdapterUnderTest = {
  name: 'anthropic',
  create: createAnthropicModel,
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  basePath: '',
  wire,
  async secondOpinion(baseURL) {
    const client = new Anthropic({ apiKey: testKey, baseURL, maxRetries: 0 });
    const stream = client.messages.stream({
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
    });
    const { content, usage } = await stream.finalMessage();
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({ name: block.name, arguments: block.input })),
      outputTokens: usage.output_tokens,
    };
  },
};
