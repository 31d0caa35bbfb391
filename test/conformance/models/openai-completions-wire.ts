import OpenAI from 'openai';
import { createOpenAiCompletionsModel } from '../../../src/services/models/openai-completions.ts';
import { type AdapterUnderTest, type Script, type ScriptBlock, testKey } from './adapter-under-test.ts';

const model = 'gpt-4o';
const finish = { stop: 'stop', length: 'length', toolUse: 'tool_calls' };

/** Differences between servers of this API that show in a stream. */
interface Dialect {
  /** Calls in one piece without an index, no usage, no closing mark. */
  readonly whole: boolean;
  readonly thinking: 'reasoning_content' | 'reasoning';
  readonly newline: string;
}

function deltas(block: ScriptBlock, index: number, dialect: Dialect): object[] {
  if (block.type === 'text') return block.pieces.map((content) => ({ content }));
  if (block.type === 'thinking') return block.pieces.map((piece) => ({ [dialect.thinking]: piece }));
  const { id, name, pieces } = block;
  if (dialect.whole) {
    return [{ tool_calls: [{ id, type: 'function', function: { name, arguments: pieces.join('') } }] }];
  }
  const first = { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
  return [first, ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }))];
}

const wireOf =
  (dialect: Dialect) =>
  ({ id, blocks, stop, usage }: Script): readonly string[] => {
    const frame = (data: object): string => `data: ${JSON.stringify(data)}${dialect.newline.repeat(2)}`;
    const head = { id, object: 'chat.completion.chunk', created: 1_778_790_000, model };
    const chunk = (delta: object, finish_reason: string | null, more: object = {}): string =>
      frame({ ...head, choices: [{ index: 0, delta, finish_reason }], ...more });
    const figures = {
      usage: {
        prompt_tokens: usage.input + usage.cacheRead,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.cacheRead + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cacheRead },
        completion_tokens_details: { reasoning_tokens: usage.reasoning },
      },
    };
    const calls = blocks.filter((block) => block.type === 'call');
    const pieces = blocks.flatMap((block) =>
      deltas(block, block.type === 'call' ? calls.indexOf(block) : 0, dialect).map((delta) =>
        chunk(delta, null),
      ),
    );
    if (dialect.whole) return [...pieces, chunk({}, finish[stop], figures)];
    return [
      chunk({ role: 'assistant', content: '' }, null),
      ...pieces,
      chunk({}, finish[stop]),
      frame({ ...head, choices: [], ...figures }),
      `data: [DONE]${dialect.newline.repeat(2)}`,
    ];
  };

const base = {
  create: createOpenAiCompletionsModel,
  model,
  basePath: '/v1',
} as const;

export const openAiCompletionsAdapter: AdapterUnderTest = {
  ...base,
  name: 'openai-completions',
  provider: 'openai',
  wire: wireOf({ whole: false, thinking: 'reasoning_content', newline: '\n' }),
  without: ['signature'],
  async secondOpinion(origin) {
    const client = new OpenAI({ apiKey: testKey, baseURL: `${origin}/v1`, maxRetries: 0 });
    const stream = client.chat.completions.stream({ model, messages: [{ role: 'user', content: 'hi' }] });
    const { choices, usage } = await stream.finalChatCompletion();
    const message = choices[0]?.message;
    return {
      text: message?.content ?? '',
      calls: (message?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }]
          : [],
      ),
      outputTokens: usage?.completion_tokens ?? 0,
    };
  },
};

/** A server that implements the API loosely. */
export const compatibleAdapter: AdapterUnderTest = {
  ...base,
  name: 'openai-compatible',
  provider: 'openai-compatible',
  wire: wireOf({ whole: true, thinking: 'reasoning', newline: '\r\n' }),
  without: ['signature', 'pieces'],
};
