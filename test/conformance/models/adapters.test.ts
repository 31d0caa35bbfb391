import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handOff } from '../../../src/core/models/hand-off.ts';
import { type Message, textBlock } from '../../../src/core/models/messages.ts';
import type { ModelContext, ModelOptions } from '../../../src/core/models/model-ports.ts';
import { createSystemClock } from '../../../src/services/clock/system-clock.ts';
import {
  type AdapterUnderTest,
  called,
  callsOf,
  collect,
  ending,
  hello,
  reply,
  type Script,
  said,
  targetOf,
  testKey,
  textOf,
  thought,
} from './adapter-under-test.ts';
import { adaptersUnderTest } from './adapters.ts';
import { broken } from './grammar.ts';
import { type Answer, type ModelServer, startModelServer } from './model-server.ts';

const options: ModelOptions = { maxOutputTokens: 4_096, thinkingLevel: 'low' };
const clock = createSystemClock();
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const streams = (adapter: AdapterUnderTest, script: Script): Answer => ({ frames: adapter.wire(script) });

async function ask(
  adapter: AdapterUnderTest,
  answers: Answer | readonly Answer[],
  context: ModelContext = hello,
  more: { readonly signal?: AbortSignal; readonly idleMs?: number } = {},
) {
  server.answer(...(Array.isArray(answers) ? (answers as Answer[]) : [answers as Answer]));
  const model = adapter.create({ clock });
  const { signal, idleMs } = more;
  const wishes = idleMs === undefined ? options : { ...options, idleMs };
  const target = targetOf(adapter, server.origin);
  const events = await collect(model.stream(target, context, wishes, signal ?? new AbortController().signal));
  expect(broken(events)).toEqual([]);
  expect(JSON.stringify(events)).not.toContain('very-secret');
  return { events, message: ending(events), end: events.at(-1) };
}

describe.each(adaptersUnderTest)('$name', (adapter) => {
  const has = (what: 'thinking' | 'signature' | 'pieces'): boolean => !adapter.without?.includes(what);

  it('streams text in pieces and names provider, model and response ID', async () => {
    const { events, message } = await ask(adapter, streams(adapter, reply([said('Grüße ', 'an ', '😀')])));
    expect(events.map((event) => (event.type === 'text_delta' ? event.delta : '')).join('')).toBe(
      'Grüße an 😀',
    );
    expect(message).toMatchObject({
      stopReason: 'stop',
      provider: adapter.provider,
      model: adapter.model,
      responseId: 'resp_1',
    });
    expect(textOf(message)).toBe('Grüße an 😀');
  });

  it('returns thinking as a separate block before the text', async () => {
    if (!has('thinking')) return;
    const { message } = await ask(adapter, streams(adapter, reply([thought('let ', 'me'), said('Hi')])));
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'let me' },
      { type: 'text', text: 'Hi' },
    ]);
    if (has('signature')) expect(message.content[0]).toHaveProperty('thinkingSignature');
  });

  it('parses parallel tool calls with arguments in pieces, and one without arguments', async () => {
    const { message } = await ask(
      adapter,
      streams(
        adapter,
        reply([
          said('I look.'),
          called('call_a', 'read_file', '{"pa', 'th":"a \\"b', '\\" ü.md"}'),
          called('call_b', 'list_dir'),
        ]),
      ),
    );
    expect(message.stopReason).toBe('toolUse');
    expect(callsOf(message)).toMatchObject([
      { id: 'call_a', name: 'read_file', arguments: { path: 'a "b" ü.md' } },
      { id: 'call_b', name: 'list_dir', arguments: {} },
    ]);
    for (const call of callsOf(message)) expect(call.argumentsError).toBeUndefined();
  });

  it('counts input, output, reasoning and cached tokens separately', async () => {
    const { message } = await ask(adapter, streams(adapter, reply([said('x')])));
    expect(message.usage).toMatchObject({
      input: 12,
      output: 7,
      cacheRead: 5,
      totalTokens: 24,
      reasoning: 2,
    });
  });

  it('reports stop reason "length"; a tool call cut by it has an arguments error', async () => {
    const short = await ask(adapter, streams(adapter, reply([said('and then')], { stop: 'length' })));
    expect(short.message.stopReason).toBe('length');
    if (!has('pieces')) return;
    const cut = reply([called('c', 'read_file', '{"path":"a')], { stop: 'length' });
    const { message } = await ask(adapter, streams(adapter, cut));
    expect(message.stopReason).toBe('length');
    expect(callsOf(message)[0]).toHaveProperty('argumentsError');
  });

  it.each([
    [400, 'model_error', false],
    [401, 'unauthenticated', false],
    [403, 'unauthenticated', false],
    [404, 'not_found', false],
    [408, 'unavailable', true],
    [409, 'unavailable', true],
    [413, 'too_large', false],
    [429, 'rate_limited', true],
    [500, 'unavailable', true],
    [502, 'unavailable', true],
    [503, 'unavailable', true],
    [529, 'unavailable', true],
    [302, 'model_error', false],
  ])('F11 maps HTTP %i to %s, retryable: %s', async (status, code, retryable) => {
    const body = JSON.stringify({ error: { type: 'x', message: `no, ${testKey}` } });
    const { end } = await ask(adapter, { status, frames: [body], headers: { location: 'http://evil.test' } });
    expect(end).toMatchObject({ type: 'error', failure: { error: { code }, retryable, status } });
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{}, undefined],
  ])('F11 reads the retry delay from %j', async (headers, wait) => {
    const { end } = await ask(adapter, { status: 429, headers });
    expect(end?.type === 'error' ? end.failure.retryAfterMs : null).toBe(wait);
  });

  it('F11 reads the retry delay from an HTTP date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { end } = await ask(adapter, { status: 503, headers: { 'retry-after': date } });
    const wait = end?.type === 'error' ? (end.failure.retryAfterMs ?? 0) : 0;
    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThanOrEqual(61_000);
  });

  it('distinguishes a context overflow from other rejections', async () => {
    const body = JSON.stringify({ error: { message: 'prompt is too long: 9 tokens > 8 maximum' } });
    const { end } = await ask(adapter, { status: 400, frames: [body] });
    expect(end).toMatchObject({ failure: { overflow: true, retryable: false } });
    const other = await ask(adapter, { status: 400, frames: ['{"error":{"message":"bad"}}'] });
    expect(other.end).not.toHaveProperty('failure.overflow');
  });

  it('reports a protocol error for an HTML response', async () => {
    const { end } = await ask(adapter, { headers: { 'content-type': 'text/html' }, frames: ['<html>'] });
    expect(end).toMatchObject({ failure: { error: { code: 'protocol' }, retryable: false } });
  });

  it('stops at once on abort, keeps the text so far and closes the connection', async () => {
    const frames = adapter.wire(reply([said('one ', 'two ', 'three')]));
    const until = frames.findIndex((frame) => frame.includes('two')) + 1;
    server.answer({ frames: frames.slice(0, until), after: 'silence' });
    const left = server.left();
    const stop = new AbortController();
    const model = adapter.create({ clock });
    const events = [];
    for await (const event of model.stream(targetOf(adapter, server.origin), hello, options, stop.signal)) {
      events.push(event);
      if (event.type === 'text_delta' && event.delta.includes('two')) stop.abort();
    }
    expect(broken(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'error', reason: 'aborted' });
    expect(textOf(ending(events))).toBe('one two ');
    await expect.poll(() => server.left()).toBe(left + 1);
  });

  it('sends no request if already aborted', async () => {
    const before = server.asked.length;
    const { end } = await ask(adapter, streams(adapter, reply([said('x')])), hello, {
      signal: AbortSignal.abort(),
    });
    expect(end).toMatchObject({ reason: 'aborted' });
    expect(server.asked).toHaveLength(before);
  });

  it('F12 times out when the stream falls silent', async () => {
    const frames = adapter.wire(reply([said('one ', 'two')])).slice(0, -2);
    const { end } = await ask(adapter, { frames, after: 'silence' }, hello, { idleMs: 40 });
    expect(end).toMatchObject({ reason: 'error', failure: { error: { code: 'timeout' }, retryable: true } });
  });

  it('F13 reports a broken connection as retryable and keeps the text so far', async () => {
    const frames = adapter.wire(reply([said('one ', 'two ', 'three')]));
    const until = frames.findIndex((frame) => frame.includes('two')) + 1;
    const { end, message } = await ask(adapter, { frames: frames.slice(0, until), after: 'break' });
    expect(end).toMatchObject({ failure: { error: { code: 'unavailable' }, retryable: true } });
    expect(['', 'one ', 'one two ']).toContain(textOf(message));
  });

  it('F13 reports a protocol error for invalid data in the stream', async () => {
    const { end } = await ask(adapter, { frames: ['data: {"oops\n\n'] });
    expect(end).toMatchObject({ type: 'error', failure: { error: { code: 'protocol' } } });
  });

  it('reports an unreachable server as unavailable and rejects a URL that is not HTTP', async () => {
    const model = adapter.create({ clock });
    const target = { ...targetOf(adapter, ''), baseUrl: `http://127.0.0.1:9${adapter.basePath}` };
    const events = await collect(model.stream(target, hello, options, new AbortController().signal));
    expect(events.at(-1)).toMatchObject({ failure: { error: { code: 'unavailable' }, retryable: true } });
    const nowhere = { ...target, baseUrl: 'file:///etc/passwd' };
    const refused = await collect(model.stream(nowhere, hello, options, new AbortController().signal));
    expect(refused).toMatchObject([{ type: 'error', failure: { error: { code: 'invalid_input' } } }]);
  });

  it('sends the system prompt, tools and images, and the API key only in a header', async () => {
    const image = { type: 'image', data: 'aW1hZ2U=', mimeType: 'image/png' } as const;
    const messages: Message[] = [{ role: 'user', content: [textBlock('look'), image], timestamp: 1 }];
    await ask(adapter, streams(adapter, reply([said('x')])), { ...hello, messages });
    const asked = server.asked.at(-1);
    const body = JSON.stringify(asked?.body);
    for (const part of ['You are a test.', 'read_file', 'aW1hZ2U=', 'image/png', 'look'])
      expect(body).toContain(part);
    expect(body).not.toContain(testKey);
    expect(asked?.path).not.toContain(testKey);
    expect(JSON.stringify(asked?.headers)).toContain(testKey);
  });

  it('sends an OAuth login as a bearer token', async () => {
    server.answer(streams(adapter, reply([said('x')])));
    const target = { ...targetOf(adapter, server.origin), auth: 'oauth' as const };
    await collect(adapter.create({ clock }).stream(target, hello, options, new AbortController().signal));
    expect(server.asked.at(-1)?.headers.authorization).toBe(`Bearer ${testKey}`);
  });

  it('parses a stream like the provider’s own SDK', async () => {
    if (!adapter.secondOpinion) return;
    const script = reply([said('I ', 'look.'), called('call_a', 'read_file', '{"path":', '"ü.md"}')]);
    const { message } = await ask(adapter, streams(adapter, script));
    const opinion = await adapter.secondOpinion(`${server.origin}${adapter.basePath}`);
    expect(opinion).toEqual({
      text: textOf(message),
      calls: callsOf(message).map((call) => ({ name: call.name, arguments: call.arguments })),
      outputTokens: message.usage.output,
    });
  });

  it.each(adaptersUnderTest)('sends its earlier text, tool calls and results to $name', async (next) => {
    const first = await ask(
      adapter,
      streams(
        adapter,
        reply([thought('hm'), said('I look.'), called('call_a', 'read_file', '{"path":"a"}')]),
      ),
    );
    const { api } = next.create({ clock });
    const messages: Message[] = [...hello.messages, first.message, resultOf(first.message)];
    const target = { api, provider: next.provider, model: next.model, vision: true };
    await ask(next, streams(next, reply([said('done')])), {
      ...hello,
      messages: handOff(messages, target),
    });
    const body = JSON.stringify(server.asked.at(-1)?.body);
    for (const part of ['I look.', 'read_file', 'it says hello']) expect(body).toContain(part);
    const [call] = callsOf(first.message);
    expect(body.split(call?.id ?? 'none').length - 1).toBe(2);
    if (next.name === adapter.name && has('signature')) expect(body).toContain('c2lnbmF0dXJl');
    if (next.name !== adapter.name) expect(body).not.toMatch(/c2lnbmF0dXJl|"hm"/);
  });
});

function resultOf(message: Parameters<typeof callsOf>[0]): Message {
  const [call] = callsOf(message);
  return {
    role: 'toolResult',
    toolCallId: call?.id ?? '',
    toolName: call?.name ?? '',
    content: [textBlock('it says hello')],
    isError: false,
    timestamp: 3,
  };
}
