import { afterEach, describe, expect, it } from 'vitest';
import { openProxyRig, overBudget, type ProxyRigOptions } from '../../../test/fakes/proxy-rig.ts';
import { lastMessage, recordedStream, streamedAnswer } from '../../../test/fakes/streamed-answer.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { transcriptText } from '../../core/models/messages.ts';

const recorded = (name: string): ProxyRigOptions['answer'] => {
  return async () => streamedAnswer([recordedStream(name)]);
};
let opened: Awaited<ReturnType<typeof openProxyRig>>[] = [];
afterEach(async () => {
  await Promise.all(opened.map((rig) => rig.close()));
  opened = [];
});
async function rig(options: Partial<ProxyRigOptions> = {}) {
  const made = await openProxyRig({ answer: recorded('openai-completions-text'), ...options });
  opened.push(made);
  return made;
}
const linesOf = (text: string): Record<string, unknown>[] =>
  text.split('\n').flatMap((line) => {
    return line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Record<string, unknown>] : [];
  });

describe('Request checks of the stream proxy', () => {
  it.each([
    ['another Host', { headers: { host: 'evil.test' } }, 421],
    ['the right name with another port', { headers: { host: '127.0.0.1:1' } }, 421],
    ['an Origin, even its own', { headers: { origin: 'http://127.0.0.1' } }, 403],
    ['no token', { headers: { authorization: undefined } }, 401],
    ['a wrong token', { headers: { authorization: 'Bearer kennel_wrong' } }, 401],
    ['the right token as a password', { headers: { authorization: 'Basic kennel_right' } }, 401],
    ['another path', { path: '/api/other' }, 404],
    ['GET', { method: 'GET', body: '' }, 405],
    ['a form', { headers: { 'content-type': 'text/plain' } }, 415],
    ['no JSON', { body: '{' }, 400],
    ['no conversation', { body: '{"model":{"id":"m"}}' }, 400],
    ['deep JSON', { body: `{"a":${'['.repeat(80)}${']'.repeat(80)}}` }, 400],
  ] as const)('T1 T2 T24 refuse %s', async (_name, change, status) => {
    const { post, spent, wishes } = await rig();
    const answer = await post(change);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error: expect.stringMatching(/./) });
    expect([spent, wishes]).toEqual([[], []]);
  });

  it('T24 refuse a body over 10 MiB with or without a content length', async () => {
    const { post } = await rig();
    const body = new Uint8Array(10 * 1024 * 1024 + 1).fill(32);
    expect(
      (
        await post({ headers: { 'content-length': String(body.length) }, body: '' }).catch(() => ({
          status: 413,
        }))
      ).status,
    ).toBe(413);
    const refused = await post({ headers: { 'transfer-encoding': 'chunked' }, body }).catch(() => ({
      status: 413,
    }));
    expect(refused.status).toBe(413);
  });

  it('T1 accept the three local host names', async () => {
    const { post, url } = await rig();
    const { port } = new URL(url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      expect((await post({ headers: { host } })).status).toBe(200);
    }
  });

  it('explain a used-up budget, an unknown model, a proxy chain and a missing key', async () => {
    const spentOut = await rig({ budget: overBudget });
    expect(await spentOut.post()).toMatchObject({ status: 429, text: expect.stringContaining('used up') });
    const unknown = await rig({ choose: () => err(textError('not_found', 'No such model.')) });
    expect(await unknown.post()).toMatchObject({
      status: 404,
      text: expect.stringContaining('No such model'),
    });
    const chained = await rig({ choose: () => ok({ ...spentOut.choice, adapter: 'stream-proxy' }) });
    expect((await chained.post()).text).toContain('ask that one');
    const bare = await rig({ choose: () => ok({ ...spentOut.choice, adapter: 'scripted', scripted: true }) });
    expect(await bare.post()).toMatchObject({ status: 503, text: expect.stringContaining('no model') });
  });
});

describe('Response of the stream proxy', () => {
  it('streams events without partial messages and ends with the usage', async () => {
    const { post, spent, wishes } = await rig({ answer: recorded('openai-completions-calls') });
    const body = JSON.stringify({
      model: { provider: 'vllm', id: 'm', baseUrl: 'http://evil.test', api: 'x' },
      context: {
        systemPrompt: 'S',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ name: 'list_dir', parameters: { type: 'object' } }],
      },
      options: { maxTokens: 5, sessionId: 't1', transport: 'sse', headers: { a: 'b' } },
    });
    const { headers, text } = await post({ body });
    expect(headers['content-type']).toContain('text/event-stream');
    const events = linesOf(text);
    expect(events.some((event) => 'partial' in event || 'message' in event)).toBe(false);
    expect(events.map(({ type, contentIndex }) => [type, contentIndex])).toEqual([
      ['start', undefined],
      ['text_start', 0],
      ['text_delta', 0],
      ['text_end', 0],
      ['toolcall_start', 1],
      ['toolcall_delta', 1],
      ['toolcall_start', 2],
      ['toolcall_delta', 1],
      ['toolcall_delta', 2],
      ['toolcall_end', 1],
      ['toolcall_end', 2],
      ['done', undefined],
    ]);
    expect(events[4]).toMatchObject({ id: 'call_a', toolName: 'read_file' });
    expect(events.at(-1)).toMatchObject({
      reason: 'toolUse',
      usage: { input: 20, output: 42, cacheRead: 100 },
    });
    expect(wishes).toEqual([{ provider: 'vllm', model: 'm' }]);
    expect(spent).toMatchObject([
      {
        agentId: 'proxy:laptop',
        threadKey: 'program|t1',
        provider: 'vllm',
        model: 'm',
      },
    ]);
  });

  it('comes from a model call with the host’s key and only the allowed client fields', async () => {
    const asked: (RequestInit | undefined)[] = [];
    const { post } = await rig({
      answer: async (init) => {
        asked.push(init);
        return streamedAnswer([recordedStream('openai-completions-text')]);
      },
    });
    await post({
      body: JSON.stringify({
        model: 'default',
        context: { systemPrompt: 'S', messages: [{ role: 'user', content: 'hi' }] },
        options: { maxTokens: 5, temperature: 0.5, reasoning: 'low', apiKey: 'theirs' },
      }),
    });
    expect(new Headers(asked[0]?.headers).get('authorization')).toBe('Bearer sk-of-the-host-1234567890');
    expect(JSON.parse(String(asked[0]?.body))).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      temperature: 0.5,
      reasoning_effort: 'low',
    });
  });

  it('is rebuilt by the client like a direct response', async () => {
    const withCalls = await rig({ answer: recorded('openai-completions-calls') });
    const message = lastMessage(await withCalls.think({ context: { system: 'S' } }));
    expect(message).toMatchObject({
      api: 'stream-proxy',
      provider: 'kennel-proxy',
      model: 'default',
      stopReason: 'toolUse',
      responseId: 'chatcmpl-0a1',
      usage: { input: 20, output: 42, cacheRead: 100, reasoning: 12 },
    });
    expect(message.content).toEqual([
      { type: 'text', text: 'Ich schaue nach…' },
      {
        type: 'toolCall',
        id: 'call_a',
        name: 'read_file',
        arguments: { path: 'notizen/ä.md', lines: [1, 20] },
      },
      { type: 'toolCall', id: 'call_b', name: 'list_dir', arguments: { path: 'notizen' } },
    ]);
    const thoughtful = await rig({ answer: recorded('openai-completions-reasoning-content') });
    expect(lastMessage(await thoughtful.think()).content).toEqual([
      { type: 'thinking', thinking: 'Ich prüfe 🧭 zuerst.', thinkingSignature: 'reasoning_content' },
      { type: 'text', text: 'Grüße an 😀, fertig.' },
    ]);
  });

  it('F13 ends with a retryable error after an upstream break and keeps the paid text', async () => {
    const half = recordedStream('openai-completions-text').slice(0, 500);
    const { think } = await rig({ answer: async () => streamedAnswer([half], 'error') });
    const events = await think();
    expect(transcriptText(lastMessage(events))).toMatch(/^Grüße/);
    expect(events.at(-1)).toMatchObject({ type: 'error', reason: 'error', failure: { retryable: true } });
  });

  it('F11 passes on retry-after and sends no upstream request before', async () => {
    let asked = 0;
    const { think, post } = await rig({
      answer: async () => {
        asked += 1;
        return new Response('{}', { status: 429, headers: { 'retry-after': '7' } });
      },
    });
    const [last] = (await think()).slice(-1);
    expect(last).toMatchObject({
      failure: { error: { code: 'rate_limited' }, retryable: true, retryAfterMs: 7_000 },
    });
    expect(await post()).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    expect(asked).toBe(1);
  });

  it('aborts the upstream request when the client disconnects', async () => {
    let upstream: AbortSignal | null | undefined;
    const half = recordedStream('openai-completions-text').slice(0, 500);
    const { think } = await rig({
      answer: async (init) => {
        upstream = init?.signal;
        return streamedAnswer([half], 'hang');
      },
    });
    const controller = new AbortController();
    const events = think({ signal: controller.signal });
    await expect.poll(() => upstream !== undefined).toBe(true);
    controller.abort();
    expect((await events).at(-1)).toMatchObject({ type: 'error', reason: 'aborted' });
    await expect.poll(() => upstream?.aborted).toBe(true);
  });

  it('T24 is limited to eight concurrent requests per token', async () => {
    const ends: (() => void)[] = [];
    const { post } = await rig({
      answer: () =>
        new Promise((resolve) => {
          ends.push(() => resolve(streamedAnswer([recordedStream('openai-completions-text')])));
        }),
    });
    const eight = Array.from({ length: 8 }, () => post());
    await expect.poll(() => ends.length).toBe(8);
    expect(await post()).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    for (const end of ends.splice(0)) end();
    expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    const again = post();
    await expect.poll(() => ends.length).toBe(1);
    ends[0]?.();
    expect((await again).status).toBe(200);
  });
});
