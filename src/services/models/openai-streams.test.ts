import { createServer, type Server } from 'node:http';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  collectEvents,
  lastMessage,
  recordedStream,
  streamedAnswer,
} from '../../../test/fakes/streamed-answer.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { type AssistantMessage, transcriptText } from '../../core/models/messages.ts';
import type { ModelPort } from '../../core/models/model-ports.ts';
import type { HttpModelDeps } from './http-stream.ts';
import { createOpenAiCompletionsModel } from './openai-completions.ts';
import { createOpenAiResponsesModel } from './openai-responses.ts';

const makers: Record<string, (deps: HttpModelDeps) => ModelPort> = {
  'openai-responses': createOpenAiResponsesModel,
  'openai-completions': createOpenAiCompletionsModel,
};
const clock = createVirtualClock();
const modelFor = (name: string, fetch: typeof globalThis.fetch): ModelPort => {
  const make = Object.entries(makers).find(([prefix]) => name.startsWith(prefix))?.[1];
  if (!make) throw new Error(name);
  return make({ clock, fetch });
};

const words = 'Grüße an 😀, fertig.';
const calls = [
  { id: 'call_a', name: 'read_file', arguments: { path: 'notizen/ä.md', lines: [1, 20] } },
  { id: 'call_b', name: 'list_dir', arguments: { path: 'notizen' } },
];
const usage = { input: 20, output: 42, cacheRead: 100, cacheWrite: 0, reasoning: 12, totalTokens: 162 };
const look = 'Ich schaue nach…';
const thought = 'Ich prüfe 🧭 zuerst.';

interface Expected {
  readonly text: string;
  readonly stopReason: string;
  readonly calls?: typeof calls;
  readonly thinking?: string;
  readonly usage?: typeof usage | null;
}
const recordings: Record<string, Expected> = {
  'openai-responses-text': { text: words, stopReason: 'stop' },
  'openai-responses-thinking-and-calls': {
    text: look,
    stopReason: 'toolUse',
    calls,
    thinking: `${thought}\n\nDann lese ich.`,
  },
  'openai-responses-length': { text: 'Das wird zu la', stopReason: 'length' },
  'openai-responses-failed': { text: 'Bis hier', stopReason: 'error' },
  'openai-completions-text': { text: words, stopReason: 'stop' },
  'openai-completions-calls': { text: look, stopReason: 'toolUse', calls },
  'openai-completions-reasoning-content': { text: words, stopReason: 'stop', thinking: thought },
  'openai-completions-reasoning-openrouter': { text: words, stopReason: 'stop', thinking: thought },
  'openai-completions-whole-calls-same-index': { text: look, stopReason: 'toolUse', calls },
  'openai-completions-whole-calls-no-index': { text: look, stopReason: 'toolUse', calls, usage: null },
  'openai-completions-length': { text: 'Das wird zu la', stopReason: 'length' },
};
const callsOf = (message: AssistantMessage) => message.content.filter((block) => block.type === 'toolCall');
const thinkingOf = (message: AssistantMessage): string =>
  message.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('');

describe.each(Object.entries(recordings))('Recorded stream %s', (name, expected) => {
  const bytes = recordedStream(name);

  const expectWhole = (message: AssistantMessage): void => {
    expect(transcriptText(message)).toBe(expected.text);
    expect(message.stopReason).toBe(expected.stopReason);
    expect(thinkingOf(message)).toBe(expected.thinking ?? '');
    expect(callsOf(message)).toMatchObject(expected.calls ?? []);
    if (expected.usage !== null) expect(message.usage).toMatchObject(usage);
    expect(message.responseId).toBe(name.startsWith('openai-responses') ? 'resp_0a1' : 'chatcmpl-0a1');
  };

  it('is parsed in full, at once and byte by byte (F13)', async () => {
    const atOnce = await collectEvents(modelFor(name, async () => streamedAnswer([bytes])));
    expectWhole(lastMessage(atOnce));
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expectWhole(lastMessage(await collectEvents(modelFor(name, async () => streamedAnswer(single)))));
  });
});

describe('Comparison with the official OpenAI client', () => {
  let server: Server;
  let baseURL = '';
  let name = '';
  const seen: { path: string; body: Record<string, unknown> }[] = [];
  beforeAll(async () => {
    server = createServer((req, res) => {
      let body = '';
      req.on('data', (piece) => {
        body += piece;
      });
      req.on('end', () => {
        seen.push({ path: req.url ?? '', body: JSON.parse(body) as Record<string, unknown> });
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.end(recordedStream(name));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    baseURL = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const client = (): OpenAI => new OpenAI({ apiKey: 'k', baseURL, maxRetries: 0 });
  const ours = async (): Promise<AssistantMessage> =>
    lastMessage(await collectEvents(modelFor(name, fetch), { target: { baseUrl: baseURL } }));

  it.each(Object.keys(recordings).filter((one) => /^openai-responses-(text|thinking|length)/.test(one)))(
    '%s gives the same result in both clients',
    async (recording) => {
      name = recording;
      let text = '';
      const theirCalls: unknown[] = [];
      for await (const event of await client().responses.create({ model: 'm', input: 'hi', stream: true })) {
        if (event.type === 'response.output_text.delta') text += event.delta;
        if (event.type === 'response.output_item.done' && event.item.type === 'function_call') {
          const { call_id, name: tool, arguments: args } = event.item;
          theirCalls.push({ id: call_id, name: tool, arguments: JSON.parse(args) as unknown });
        }
      }
      const message = await ours();
      expect(transcriptText(message)).toBe(text);
      expect(callsOf(message)).toMatchObject(theirCalls);
      expect(seen.map(({ path }) => path).slice(-2)).toEqual(['/v1/responses', '/v1/responses']);
    },
  );

  it.each(Object.keys(recordings).filter((one) => /^openai-completions-(text|calls|length)/.test(one)))(
    '%s gives the same result in both clients',
    async (recording) => {
      name = recording;
      const theirs = client().chat.completions.stream({
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
      });
      const snapshot = await theirs.finalChatCompletion().catch(() => theirs.currentChatCompletionSnapshot);
      const said = snapshot?.choices[0]?.message;
      const text = said?.content ?? '';
      const theirCalls = (said?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [
              {
                id: call.id,
                name: call.function.name,
                arguments: JSON.parse(call.function.arguments) as unknown,
              },
            ]
          : [],
      );
      const message = await ours();
      expect(transcriptText(message)).toBe(text);
      expect(callsOf(message)).toMatchObject(theirCalls);
      expect(seen.map(({ path }) => path).slice(-2)).toEqual([
        '/v1/chat/completions',
        '/v1/chat/completions',
      ]);
    },
  );
});
