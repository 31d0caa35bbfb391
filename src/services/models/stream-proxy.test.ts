import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { collectEvents, lastMessage, streamedAnswer } from '../../../test/fakes/streamed-answer.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { transcriptText } from '../../core/models/messages.ts';
import type { ModelEvent } from '../../core/models/model-ports.ts';
import { createStreamProxyModel } from './stream-proxy.ts';

const usage = { input: 3, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 8 };
const line = (event: object): string => `data: ${JSON.stringify(event)}\n`;
const begun = [
  { type: 'start' },
  { type: 'text_start', contentIndex: 0 },
  { type: 'text_delta', contentIndex: 0, delta: 'Grüße' },
].map(line);
const ended = [
  { type: 'text_end', contentIndex: 0, contentSignature: 'sig' },
  { type: 'done', reason: 'stop', usage },
].map(line);
const bytes = (text: string) => new TextEncoder().encode(text);

function client(answer: () => Promise<Response>) {
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const log = createRecordingLog();
  const model = createStreamProxyModel({
    clock: createVirtualClock(),
    log,
    fetch: async (input, init) => {
      asked.push({ url: String(input), init });
      return answer();
    },
  });
  return { model, asked, log };
}
const says = (text: string, end: 'close' | 'error' | 'hang' = 'close') =>
  client(async () => streamedAnswer([bytes(text)], end));

describe('Stream proxy client', () => {
  it('sends only its token and the expected fields, and ignores a trailing slash in the address', async () => {
    const { model, asked } = says([...begun, ...ended].join(''));
    await collectEvents(model, {
      target: { baseUrl: 'http://box:9/', apiKey: 'kennel_t', model: 'openrouter/openai/gpt-5' },
      options: { sessionId: 's', temperature: 0.1, thinkingLevel: 'low', idleMs: 5 },
    });
    expect(asked[0]?.url).toBe('http://box:9/api/stream');
    expect(new Headers(asked[0]?.init?.headers).get('authorization')).toBe('Bearer kennel_t');
    expect(JSON.parse(String(asked[0]?.init?.body))).toEqual({
      model: { provider: 'openrouter', id: 'openai/gpt-5' },
      context: { systemPrompt: 'S', messages: [], tools: [] },
      options: { maxTokens: 100, reasoning: 'low', temperature: 0.1, sessionId: 's' },
    });
  });

  it('rebuilds the message, with or without blank lines, cut at any byte (F13)', async () => {
    for (const text of [[...begun, ...ended].join(''), [...begun, ...ended].join('\n')]) {
      const all = bytes(text);
      for (let cut = 0; cut <= all.length; cut += 1) {
        const { model } = client(async () => streamedAnswer([all.slice(0, cut), all.slice(cut)]));
        const message = lastMessage(await collectEvents(model));
        expect(message.content).toEqual([{ type: 'text', text: 'Grüße', textSignature: 'sig' }]);
        expect(message.usage).toMatchObject(usage);
        const short = client(async () => streamedAnswer([all.slice(0, cut)]));
        const cutOff = lastMessage(await collectEvents(short.model));
        expect('Grüße'.startsWith(transcriptText(cutOff))).toBe(true);
      }
    }
  });

  it('reads a last line without a line break', async () => {
    const { model } = says([...begun, ...ended].join('').trimEnd());
    expect(lastMessage(await collectEvents(model))).toMatchObject({ stopReason: 'stop', usage });
  });

  it('treats a clean close without a last event as retryable failure, and keeps the text', async () => {
    const { model } = says(begun.join(''));
    const events = await collectEvents(model);
    expect(transcriptText(lastMessage(events))).toBe('Grüße');
    expect(events.at(-1)).toMatchObject({ type: 'error', failure: { retryable: true } });
  });

  it('skips unknown events with a warning', async () => {
    const { model, log } = says(
      [...begun, line({ type: 'image_start', contentIndex: 7 }), ...ended].join(''),
    );
    expect(lastMessage(await collectEvents(model)).stopReason).toBe('stop');
    expect(log.lines).toMatchObject([{ event: 'proxy_event_unknown', fields: { type: 'image_start' } }]);
  });

  it.each([
    { type: 'thinking_delta', contentIndex: 0, delta: 'x' },
    { type: 'toolcall_delta', contentIndex: 0, delta: 'x' },
    { type: 'text_delta', contentIndex: 1, delta: 'x' },
    { type: 'thinking_end', contentIndex: 0 },
    { type: 'thinking_start', contentIndex: 0 },
    { type: 'text_delta', contentIndex: 0, delta: 5 },
    { type: 'text_delta', contentIndex: -1, delta: 'x' },
  ])('fails with a protocol error at %j for a block of another type', async (event) => {
    const { model } = says([...begun, line(event), ...ended].join(''));
    const events = await collectEvents(model);
    expect(events.at(-1)).toMatchObject({ type: 'error', failure: { error: { code: 'protocol' } } });
    expect(transcriptText(lastMessage(events))).toBe('Grüße');
  });

  it('builds a call from its pieces, or from its end event if there were no pieces', async () => {
    const call = (contentIndex: number) =>
      line({ type: 'toolcall_start', contentIndex, id: `c${contentIndex}`, toolName: 'f' });
    const { model } = says(
      [
        call(0),
        line({ type: 'toolcall_delta', contentIndex: 0, delta: '{"a":' }),
        line({ type: 'toolcall_delta', contentIndex: 0, delta: '1}' }),
        line({
          type: 'toolcall_end',
          contentIndex: 0,
          toolCall: { arguments: { a: 2 }, thoughtSignature: 's' },
        }),
        call(1),
        line({ type: 'toolcall_end', contentIndex: 1, toolCall: { arguments: { b: 1 } } }),
        line({ type: 'done', reason: 'toolUse', usage }),
      ].join(''),
    );
    expect(lastMessage(await collectEvents(model)).content).toEqual([
      { type: 'toolCall', id: 'c0', name: 'f', arguments: { a: 1 }, thoughtSignature: 's' },
      { type: 'toolCall', id: 'c1', name: 'f', arguments: { b: 1 } },
    ]);
  });

  it.each([
    [400, '{"error":"The window is too small"}', 'The window is too small'],
    [500, 'oops', 'Teapot'],
    [401, '{"error":"A valid token is needed"}', 'refused the API key'],
  ])('reports why a request was refused: %i %s', async (status, body, said) => {
    const { model } = client(async () => new Response(body, { status, statusText: 'Teapot' }));
    const events = await collectEvents(model);
    expect(lastMessage(events).errorMessage).toContain(said);
    expect(events).toMatchObject([{ type: 'error', failure: { status, retryable: status === 500 } }]);
  });

  it('passes on an error of the proxy with usage and overflow flag', async () => {
    const failure = { code: 'too_large', retryable: false, overflow: true };
    const { model } = says(
      [...begun, line({ type: 'error', reason: 'error', errorMessage: 'does not fit', usage, failure })].join(
        '',
      ),
    );
    const events = await collectEvents(model);
    expect(events.at(-1)).toMatchObject({
      failure: {
        error: { code: 'too_large', message: expect.stringContaining('does not fit') },
        overflow: true,
      },
      message: { usage },
    });
  });

  it('ends as aborted when stopped, and keeps the text', async () => {
    const controller = new AbortController();
    const { model } = says(begun.join(''), 'hang');
    const stopAtText = ({ type }: ModelEvent): void => {
      if (type === 'text_delta') controller.abort();
    };
    const message = lastMessage(await collectEvents(model, { signal: controller.signal }, stopAtText));
    expect([message.stopReason, transcriptText(message)]).toEqual(['aborted', 'Grüße']);
  });
});
