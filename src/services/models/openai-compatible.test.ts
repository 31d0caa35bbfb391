import { describe, expect, it } from 'vitest';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import type { ModelEvent, ModelRequest } from '../../core/ports.ts';
import { retryAfterMs, serverWords } from './http-failure.ts';
import { completionsUrl, createOpenAiCompatibleModel } from './openai-compatible.ts';

const key = 'sk-very-secret-key-1234567890';
const request: ModelRequest = {
  provider: 'openai',
  model: 'm',
  baseUrl: 'http://models.test/v1',
  apiKey: key,
  system: 'S',
  messages: [{ role: 'user', content: 'hi' }],
  maxOutputTokens: 10,
};
const chunk = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\r\n\r\n`;
const recorded =
  `: hello\n${chunk('Grüße ')}${chunk('an 😀')}` +
  `data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}\n\n${chunk('', 'stop')}data: [DONE]\n\n`;

function stream(pieces: readonly Uint8Array[], end: 'close' | 'error' | 'hang' = 'close'): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[at];
      at += 1;
      if (piece) controller.enqueue(piece);
      else if (end === 'close') controller.close();
      else if (end === 'error') controller.error(new TypeError('terminated'));
      else return new Promise(() => undefined);
      return undefined;
    },
  });
  return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
}

async function collect(
  answer: () => Promise<Response>,
  change: Partial<ModelRequest> = {},
  clock = createVirtualClock(),
) {
  const model = createOpenAiCompatibleModel({ clock, fetch: answer });
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...request, ...change }, new AbortController().signal))
    events.push(event);
  return events;
}
const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');
const bytes = new TextEncoder().encode(recorded);

describe('openai-compatible model', () => {
  it('streams text and usage, and ends with done', async () => {
    const events = await collect(async () => stream([bytes]));
    expect(textOf(events)).toBe('Grüße an 😀');
    expect(events).toContainEqual({ type: 'usage', usage: { inputTokens: 3, outputTokens: 5 } });
    expect(events.at(-1)).toEqual({ type: 'done', stopReason: 'end' });
  });

  it('F13 cut at every byte offset, cleanly or by an error: no throw, the text before it kept, one last event', async () => {
    const whole = 'Grüße an 😀';
    for (const end of ['close', 'error'] as const) {
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const events = await collect(async () => stream([bytes.slice(0, cut)], end));
        const last = events.at(-1);
        expect(['done', 'failed']).toContain(last?.type);
        expect(events.filter((event) => event.type === 'done' || event.type === 'failed')).toHaveLength(1);
        expect(whole.startsWith(textOf(events))).toBe(true);
        if (last?.type === 'done') expect(textOf(events)).toBe(whole);
        else
          expect(last).toMatchObject({
            error: { message: 'models.test broke off in the middle of the reply.' },
            retryable: true,
          });
      }
    }
  });

  it('F13 arriving byte by byte changes nothing', async () => {
    const events = await collect(async () => stream(Array.from(bytes, (byte) => Uint8Array.of(byte))));
    expect(textOf(events)).toBe('Grüße an 😀');
    expect(events.at(-1)?.type).toBe('done');
  });

  it.each([
    [429, { 'retry-after': '7' }, '{"error":{"message":"slow down"}}', 'rate_limited', true, 7_000],
    [
      429,
      {},
      '{"error":{"code":"insufficient_quota","message":"no money"}}',
      'rate_limited',
      false,
      undefined,
    ],
    [500, {}, 'oops', 'unavailable', true, undefined],
    [503, { 'retry-after': '1.5' }, '', 'unavailable', true, 1_500],
    [
      401,
      {},
      `{"error":{"message":"Incorrect API key provided: ${key}"}}`,
      'unauthenticated',
      false,
      undefined,
    ],
    [404, {}, `{"error":{"message":"no such model, ${key}"}}`, 'not_found', false, undefined],
    [400, {}, '{"error":{"message":"bad"}}', 'model_error', false, undefined],
    [302, { location: 'http://evil.test' }, '', 'model_error', false, undefined],
  ] as const)('F11 answer %i is %s', async (status, headers, body, code, retryable, wait) => {
    const [event] = await collect(async () => new Response(body, { status, headers }));
    expect(event).toMatchObject({ type: 'failed', error: { code }, retryable });
    expect(event?.type === 'failed' ? event.retryAfterMs : null).toBe(wait);
    expect(JSON.stringify(event)).not.toContain('very-secret');
  });

  it('takes a web page with 200 for what it is', async () => {
    const page = new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(await collect(async () => page)).toMatchObject([{ type: 'failed', error: { code: 'protocol' } }]);
  });

  it('reads a server that ignores `stream`', async () => {
    const json = JSON.stringify({ choices: [{ message: { content: 'whole' }, finish_reason: 'length' }] });
    const events = await collect(
      async () => new Response(json, { headers: { 'content-type': 'application/json' } }),
    );
    expect(events).toEqual([
      { type: 'text_delta', text: 'whole' },
      { type: 'done', stopReason: 'length' },
    ]);
  });

  it.each([
    'data: {"choices":[{"delta":{"content":5}}]}\n\n',
    'data: {oops\n\n',
    'data: {"error":{"message":"x"}}\n\n',
  ])('F13 nonsense in the stream fails visibly: %j', async (text) => {
    const events = await collect(async () => stream([new TextEncoder().encode(`${chunk('a')}${text}`)]));
    expect(textOf(events)).toBe('a');
    expect(events.at(-1)).toMatchObject({ type: 'failed', retryable: true });
  });

  it('F12 a stream that falls silent is given up, and so is an answer that never starts', async () => {
    const clock = createVirtualClock();
    const quiet = collect(async () => stream([new TextEncoder().encode(chunk('a'))], 'hang'), {}, clock);
    await clock.advance(89_000);
    await clock.advance(2_000);
    expect((await quiet).at(-1)).toMatchObject({ type: 'failed', error: { code: 'timeout' } });
    const never = collect(() => new Promise(() => undefined), {}, clock);
    await clock.advance(301_000);
    expect(await never).toMatchObject([{ type: 'failed', error: { code: 'timeout' } }]);
  });

  it('ends at once when it is stopped', async () => {
    const stop = new AbortController();
    const model = createOpenAiCompatibleModel({
      clock: createVirtualClock(),
      fetch: async () => stream([new TextEncoder().encode(chunk('a'))], 'hang'),
    });
    const events: ModelEvent[] = [];
    const done = (async () => {
      for await (const event of model.stream(request, stop.signal)) events.push(event);
    })();
    await settle();
    stop.abort();
    await done;
    expect(events.at(-1)).toMatchObject({ type: 'failed', error: { code: 'cancelled' }, retryable: false });
  });

  it('a server that is not there is named, without the key', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const [event] = await collect(() =>
      Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: refused })),
    );
    expect(event).toMatchObject({ type: 'failed', error: { code: 'unavailable' }, retryable: true });
    expect(JSON.stringify(event)).toContain('models.test cannot be reached (ECONNREFUSED)');
  });

  it('sends system prompt, conversation and key where they belong', async () => {
    let seen: { url: string; init: RequestInit } | null = null;
    const model = createOpenAiCompatibleModel({
      clock: createVirtualClock(),
      fetch: async (url, init) => {
        seen = { url: String(url), init: init ?? {} };
        return stream([bytes]);
      },
    });
    for await (const _ of model.stream(request, new AbortController().signal));
    expect(seen).toMatchObject({
      url: 'http://models.test/v1/chat/completions',
      init: { redirect: 'manual', headers: { authorization: `Bearer ${key}` } },
    });
    const body = JSON.parse(String((seen as unknown as { init: RequestInit }).init.body));
    expect(body.messages[0]).toEqual({ role: 'system', content: 'S' });
    expect(body).toMatchObject({ model: 'm', stream: true, max_tokens: 10 });
  });

  it.each([
    ['http://localhost:11434', 'http://localhost:11434/v1/chat/completions'],
    ['https://x.test/api/v1/', 'https://x.test/api/v1/chat/completions'],
    ['ftp://x', null],
    ['nonsense', null],
  ])('address %s', (base, url) => expect(completionsUrl(base)).toBe(url));
});

describe('http failure', () => {
  it('reads Retry-After as seconds or as a date, never negative, at most a day', () => {
    const now = Date.UTC(2026, 4, 14, 20, 20, 0);
    expect(retryAfterMs('Thu, 14 May 2026 20:20:30 GMT', now)).toBe(30_000);
    expect(retryAfterMs('Thu, 14 May 2026 20:19:30 GMT', now)).toBe(0);
    expect(retryAfterMs('999999999', now)).toBe(86_400_000);
    expect(retryAfterMs('soon', now)).toBeUndefined();
    expect(retryAfterMs(null, now)).toBeUndefined();
  });
  it('T18 takes out anything that looks like a key', () => {
    expect(serverWords('{"message":"bad key sk-abc***wxyz and tok"}', 'tok')).toBe(
      ': bad key [key] and [key]',
    );
  });
});
