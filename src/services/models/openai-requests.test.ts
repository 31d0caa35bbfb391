import { describe, expect, it } from 'vitest';
import { collectEvents, lastMessage, streamedAnswer } from '../../../test/fakes/streamed-answer.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { type AssistantMessage, noUsage, transcriptText, userMessage } from '../../core/models/messages.ts';
import type { ModelContext, ModelOptions, ModelTarget } from '../../core/models/model-ports.ts';
import { createOpenAiCompletionsModel } from './openai-completions.ts';
import { createOpenAiResponsesModel } from './openai-responses.ts';

const clock = createVirtualClock();
const assistant = (content: AssistantMessage['content']): AssistantMessage => ({
  role: 'assistant',
  content,
  api: 'x',
  provider: 'openai',
  model: 'm',
  usage: noUsage,
  stopReason: 'toolUse',
  timestamp: 1,
});
const sealed = { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: [] };
const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
const context: ModelContext = {
  system: 'Be brief.',
  messages: [
    userMessage('look', 1),
    assistant([
      { type: 'thinking', thinking: 'hm', thinkingSignature: JSON.stringify(sealed) },
      { type: 'thinking', thinking: 'hm', thinkingSignature: 'reasoning_content' },
      { type: 'text', text: 'Looking.' },
      { type: 'toolCall', id: 'call_1', name: 'shoot', arguments: { what: 'ä' } },
      { type: 'toolCall', id: 'call_2', name: 'list', arguments: {} },
    ]),
    {
      role: 'toolResult',
      toolCallId: 'call_1',
      toolName: 'shoot',
      isError: false,
      timestamp: 2,
      content: [{ type: 'text', text: 'taken' }, picture],
    },
    {
      role: 'toolResult',
      toolCallId: 'call_2',
      toolName: 'list',
      isError: true,
      timestamp: 2,
      content: [{ type: 'text', text: 'no' }],
    },
    assistant([{ type: 'thinking', thinking: 'alone', thinkingSignature: JSON.stringify(sealed) }]),
    { role: 'user', content: [{ type: 'text', text: 'and this?' }, picture], timestamp: 3 },
  ],
  tools: [{ name: 'list', description: 'Lists.', parameters: { type: 'object', properties: {} } }],
};

const done: Record<string, string> = {
  responses: `data: ${JSON.stringify({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } })}\n\n`,
  completions: `data: ${JSON.stringify({ id: 'c', choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
};
interface Asking {
  readonly target?: Partial<ModelTarget>;
  readonly options?: Partial<ModelOptions>;
  /** Error messages before the server accepts; the status is 400 unless given. */
  readonly refusals?: readonly string[];
}

async function ask(kind: 'responses' | 'completions', asking: Asking = {}) {
  const asked: { url: string; headers: Headers; body: Record<string, unknown> }[] = [];
  const refusals = [...(asking.refusals ?? [])];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const body = JSON.parse(String(init?.body)) as Record<string, unknown>;
    asked.push({ url: String(input), headers: new Headers(init?.headers), body });
    const refusal = refusals.shift();
    if (refusal !== undefined) return new Response(refusal, { status: 400 });
    return streamedAnswer([new TextEncoder().encode(done[kind])]);
  };
  const make = kind === 'responses' ? createOpenAiResponsesModel : createOpenAiCompletionsModel;
  const model = make({ clock, fetch });
  const events = await collectEvents(model, { context, ...asking });
  return { asked, model, message: lastMessage(events), body: asked.at(-1)?.body ?? {} };
}

describe('Responses API request', () => {
  it('carries calls, results, images and encrypted reasoning, and asks the server to store nothing', async () => {
    const { body, asked } = await ask('responses', {
      target: { model: 'gpt-5.2' },
      options: { thinkingLevel: 'high', sessionId: 's1', maxOutputTokens: 3 },
    });
    expect(asked[0]?.url).toBe('http://models.test/v1/responses');
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer sk-very-secret-key-1234567890');
    const { input, ...rest } = body;
    expect(rest).toEqual({
      model: 'gpt-5.2',
      instructions: 'Be brief.',
      stream: true,
      store: false,
      max_output_tokens: 16,
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      tools: [
        {
          type: 'function',
          name: 'list',
          description: 'Lists.',
          strict: false,
          parameters: { type: 'object', properties: {} },
        },
      ],
      prompt_cache_key: 's1',
    });
    const image = { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' };
    expect(input).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'look' }] },
      sealed,
      { role: 'assistant', content: 'Looking.' },
      { type: 'function_call', call_id: 'call_1', name: 'shoot', arguments: '{"what":"ä"}' },
      { type: 'function_call', call_id: 'call_2', name: 'list', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [{ type: 'input_text', text: 'taken' }, image],
      },
      { type: 'function_call_output', call_id: 'call_2', output: 'no' },
      { role: 'user', content: [{ type: 'input_text', text: 'and this?' }, image] },
    ]);
  });

  it.each([
    ['gpt-4o', 'off', undefined],
    ['gpt-5', 'off', 'minimal'],
    ['gpt-5-mini', 'xhigh', 'high'],
    ['gpt-5.2', 'off', 'none'],
    ['gpt-5.2', 'xhigh', 'xhigh'],
    ['o3', 'minimal', 'low'],
    ['openai/gpt-5.2', 'low', 'low'],
  ] as const)('maps %s at level %s to effort %s', async (model, thinkingLevel, effort) => {
    const { body } = await ask('responses', { target: { model }, options: { thinkingLevel } });
    expect((body.reasoning as { effort?: string } | undefined)?.effort).toBe(effort);
  });

  it('is repeated without fields that the organisation or model may not use', async () => {
    const { asked, message } = await ask('responses', {
      target: { model: 'gpt-5.2' },
      options: { temperature: 1 },
      refusals: [
        '{"error":{"message":"Your organization must be verified to generate reasoning summaries.","param":"reasoning.summary"}}',
        '{"error":{"message":"Unsupported parameter: \'temperature\' is not supported with this model."}}',
      ],
    });
    expect(asked.map(({ body }) => [body.reasoning, body.temperature])).toEqual([
      [{ effort: 'none', summary: 'auto' }, 1],
      [{ effort: 'none' }, 1],
      [{ effort: 'none' }, undefined],
    ]);
    expect(message.stopReason).toBe('stop');
  });
});

describe('Chat completions request', () => {
  it('carries calls, results, images and returned thinking, and no needless fields', async () => {
    const { body, asked } = await ask('completions', { options: { sessionId: 's1' } });
    expect(asked[0]?.url).toBe('http://models.test/v1/chat/completions');
    const { messages, ...rest } = body;
    expect(rest).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      tools: [
        {
          type: 'function',
          function: { name: 'list', description: 'Lists.', parameters: { type: 'object', properties: {} } },
        },
      ],
    });
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
    const call = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    });
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: 'Looking.',
        reasoning_content: 'hm',
        tool_calls: [call('call_1', 'shoot', '{"what":"ä"}'), call('call_2', 'list', '{}')],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'taken\n(a picture, shown below)' },
      { role: 'tool', tool_call_id: 'call_2', content: 'no' },
      { role: 'user', content: [{ type: 'text', text: 'Pictures of the results above:' }, image] },
      { role: 'user', content: [{ type: 'text', text: 'and this?' }, image] },
    ]);
  });

  it('uses OpenAI’s own name for the token limit, and appends /v1 to a bare address', async () => {
    const there = await ask('completions', {
      target: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5.2' },
      options: { sessionId: 's1', thinkingLevel: 'max' },
    });
    expect(there.body).toMatchObject({
      max_completion_tokens: 100,
      reasoning_effort: 'max',
      prompt_cache_key: 's1',
    });
    expect(there.body).not.toHaveProperty('max_tokens');
    const bare = await ask('completions', { target: { baseUrl: 'http://127.0.0.1:11434/', apiKey: null } });
    expect(bare.asked[0]?.url).toBe('http://127.0.0.1:11434/v1/chat/completions');
    expect(bare.asked[0]?.headers.has('authorization')).toBe(false);
  });

  it.each([
    [
      '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}',
      'stream_options',
    ],
    ['{"error":{"message":"Unknown parameter: reasoning_effort"}}', 'reasoning_effort'],
    ['{"error":{"message":"temperature is fixed"}}', 'temperature'],
    ['{"error":{"message":"\'max_tokens\' is not supported, use \'max_completion_tokens\'"}}', 'max_tokens'],
  ])('is repeated once without the field that %s names, and later requests omit it', async (said, field) => {
    const options = { thinkingLevel: 'low', temperature: 0.5 } as const;
    const { asked, message, model } = await ask('completions', { refusals: [said], options });
    expect(asked.map(({ body }) => field in body)).toEqual([true, false]);
    expect(transcriptText(message)).toBe('ok');
    await collectEvents(model, { context, options });
    expect(field in (asked[2]?.body ?? {})).toBe(false);
    expect(asked).toHaveLength(3);
  });

  it('is not repeated for other refusals, or twice for the same field', async () => {
    const other = await ask('completions', { refusals: ['{"error":{"message":"bad request"}}'] });
    expect(other.asked).toHaveLength(1);
    expect(other.message).toMatchObject({ stopReason: 'error' });
    expect(other.message.errorMessage).toContain('bad request');
    const stubborn = await ask('completions', { refusals: Array(5).fill('stream_options') as string[] });
    expect(stubborn.asked).toHaveLength(2);
    expect(stubborn.message.stopReason).toBe('error');
  });

  it('does not follow a redirect with its key', async () => {
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      expect(init?.redirect).toBe('manual');
      return new Response('', { status: 302, headers: { location: 'http://evil.test' } });
    };
    const events = await collectEvents(createOpenAiCompletionsModel({ clock, fetch }));
    expect(events).toMatchObject([{ type: 'error', failure: { status: 302, retryable: false } }]);
  });

  it('accepts a response without streaming', async () => {
    const whole = { id: 'c', choices: [{ message: { content: 'whole' }, finish_reason: 'length' }] };
    const fetch: typeof globalThis.fetch = async () => Response.json(whole);
    const message = lastMessage(await collectEvents(createOpenAiCompletionsModel({ clock, fetch })));
    expect([transcriptText(message), message.stopReason]).toEqual(['whole', 'length']);
  });
});
