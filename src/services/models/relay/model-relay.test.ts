import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFreeSpend } from '../../../../test/fakes/free-spend.ts';
import { createRecordingLog } from '../../../../test/fakes/recording-log.ts';
import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { ModelChoice } from '../../../core/models/choose-model.ts';
import { createProviderGate } from '../../../core/models/provider-gate.ts';
import type { SpendRow } from '../../../core/models/spend-gate.ts';
import type {
  ModelFormat,
  ModelRelay,
  RelaySession,
  RelayTurn,
} from '../../../core/runtimes/harness-ports.ts';
import { createSystemClock } from '../../clock/system-clock.ts';
import { createSystemRandom } from '../../clock/system-random.ts';
import { createModelRelays, type ModelRelayOptions, type ModelRelays } from './model-relay.ts';

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const clock = createSystemClock();
const random = createSystemRandom();
const log = createRecordingLog();
let folder = '';
let seen: Seen[] = [];
let rows: (SpendRow & { readonly held: number })[] = [];
let reserved: object[] = [];
let turn: RelayTurn | null;
let admitted: Result<void>;
let held = 0;
let told: AppError[] = [];
let pauses: number[] = [];
let reply: (response: ServerResponse) => void;
let upstreamUrl = '';
let relays: ModelRelays;
const server = createServer((incoming, response) => {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.on('end', () => {
    const { url = '', headers } = incoming;
    seen.push({ url, headers, body: Buffer.concat(pieces).toString() });
    reply(response);
  });
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-relay-'));
  [held, told, reserved, pauses] = [0, [], [], []];
  [seen, rows, turn, admitted] = [
    [],
    [],
    {
      turnId: 't1',
      threadKey: 'dm|ada',
      onRefused: (error) => void told.push(error),
      onPaused: (inMs) => void pauses.push(inMs),
    },
    ok(undefined),
  ];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const socketPath = (id: string): Result<string> => ok(join(folder, `${id}.sock`));
  const heldBytes = { bytes: 200_000, bytesPerAddress: 100_000, slowMs: 10_000 };
  const openTools: ModelRelayOptions['openTools'] = async ({ agentId }) => ({
    serve: (_incoming, outgoing) => void outgoing.end(agentId),
    close: async () => undefined,
  });
  const addSecret = (): void => undefined;
  relays = createModelRelays({ clock, random, log, socketPath, addSecret }, { heldBytes, openTools });
});
afterEach(async () => {
  await relays.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const choiceOf = (change: Partial<ModelChoice> = {}): ModelChoice => ({
  provider: 'anthropic',
  adapter: 'anthropic',
  model: 'claude-test',
  baseUrl: upstreamUrl,
  apiKey: 'real-key',
  auth: 'api_key',
  scripted: false,
  reason: 'agent',
  ...change,
});

async function openRelay(choice = choiceOf(), formats: readonly ModelFormat[] = ['anthropic-messages']) {
  const session: RelaySession = {
    agentId: 'ada',
    formats,
    spend: createFreeSpend({
      admit: () => admitted,
      async reserve({ input, output }) {
        if (!admitted.ok) return admitted;
        reserved.push({ input, output });
        held += 1;
        return ok({
          release() {
            held -= 1;
          },
        });
      },
      record: (row) => void rows.push({ ...row, held }),
    }),
    models: { choose: () => ok(choice), gate: createProviderGate({ clock, random }) },
    tools: () => null,
    turn: () => turn,
  };
  const opened = await relays.open(session);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

const post = (relay: ModelRelay, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': relay.token, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const events = (...data: readonly object[]): string =>
  data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');
const stream = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'r1' });
  response.end(text);
};
const anthropicEvents = events(
  {
    type: 'message_start',
    message: { id: 'm', usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
);

describe('Model relay', () => {
  it('passes the body and the stream on as they are, and replaces the key (T18)', async () => {
    reply = stream(anthropicEvents);
    const relay = await openRelay();
    const body =
      '{ "stream":true,  "model":"claude-test", "messages":[{"role":"user","content":"\\u00e9 } ]"}]}';
    const response = await post(relay, '/v1/messages?beta=true', body, {
      'anthropic-version': '2023-06-01',
      authorization: 'Bearer other',
      cookie: 'c=1',
    });
    expect(await response.text()).toBe(anthropicEvents);
    expect(response.headers.get('request-id')).toBe('r1');
    const [got] = seen;
    expect(got?.body).toBe(body);
    expect(got?.url).toBe('/v1/messages?beta=true');
    expect(got?.headers).toMatchObject({ 'x-api-key': 'real-key', 'anthropic-version': '2023-06-01' });
    expect(got?.headers).not.toHaveProperty('authorization');
    expect(got?.headers).not.toHaveProperty('cookie');
    expect(JSON.stringify(got)).not.toContain(relay.token);
  });

  it('passes each piece on before the next arrives', async () => {
    let finish = (): void => undefined;
    reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      finish = () => response.end('data: 2\n\n');
    };
    const response = await post(await openRelay(), '/v1/messages', { model: 'claude-test' });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 2\n\n');
  });

  it.each([
    {
      format: 'anthropic-messages',
      adapter: 'anthropic',
      path: '/v1/messages',
      text: anthropicEvents,
      tokens: [10, 7, 5],
    },
    {
      format: 'openai-chat',
      adapter: 'openai-completions',
      path: '/v1/chat/completions',
      text: `${events({ choices: [{ delta: { content: 'x' } }] }, { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } } })}data: [DONE]\n\n`,
      tokens: [10, 3, 2],
    },
    {
      format: 'openai-responses',
      adapter: 'openai-responses',
      path: '/v1/responses',
      text: events({
        type: 'response.completed',
        response: {
          usage: { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 1 } },
        },
      }),
      tokens: [8, 4, 1],
    },
    {
      format: 'gemini',
      adapter: 'google',
      path: '/v1beta/models/other:streamGenerateContent?alt=sse',
      text: events(
        { candidates: [] },
        {
          usageMetadata: {
            promptTokenCount: 6,
            candidatesTokenCount: 2,
            thoughtsTokenCount: 1,
            cachedContentTokenCount: 1,
          },
        },
      ),
      tokens: [5, 3, 1],
    },
  ] as const)(
    'T27: records the usage of $format by turn',
    async ({ format, adapter, path, text, tokens }) => {
      // In small pieces, so that an event is cut between them.
      reply = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
        response.end();
      };
      const relay = await openRelay(choiceOf({ adapter, model: 'the-model' }), [format]);
      const response = await post(relay, path, { model: 'the-model', stream: true });
      expect(await response.text()).toBe(text);
      await expect.poll(() => rows.length).toBe(1);
      const [row] = rows;
      expect([row?.usage.input, row?.usage.output, row?.usage.cacheRead]).toEqual(tokens);
      expect(row).toMatchObject({
        agentId: 'ada',
        turnId: 't1',
        threadKey: 'dm|ada',
        model: 'the-model',
        unfinished: false,
      });
    },
  );

  it('T27: lets an agent use its own model only', async () => {
    reply = stream(anthropicEvents);
    const relay = await openRelay();
    await (
      await post(relay, '/v1/messages', '{"messages":[{"model":"x"}],"model": "claude-expensive" }')
    ).text();
    expect(seen[0]?.body).toBe('{"messages":[{"model":"x"}],"model": "claude-test" }');
    const twice = await post(relay, '/v1/messages', '{"model":"claude-test","model":"claude-expensive"}');
    expect([twice.status, seen.length]).toEqual([400, 1]);
    const gemini = await openRelay(choiceOf({ adapter: 'google', model: 'own' }), ['gemini']);
    await (await post(gemini, '/v1beta/models/expensive:generateContent', {})).text();
    expect(seen[1]?.url).toBe('/v1beta/models/own:generateContent');
  });

  it('T27: names the model of the agent alone to a program that looks for models, and counts tokens free', async () => {
    reply = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":3}');
    const relay = await openRelay();
    const get = (path: string, token = relay.token) =>
      fetch(`${relay.url}${path}`, { headers: { 'x-api-key': token } });
    for (const path of ['/v1/models', '/models', '/v1beta/models?pageSize=50'])
      expect(await (await get(path)).json()).toMatchObject({
        data: [{ id: 'claude-test' }],
        models: [{ name: 'models/claude-test' }],
      });
    expect(await (await get('/v1/models/claude-test')).json()).toMatchObject({ id: 'claude-test' });
    expect((await get('/v1/models', 'wrong')).status).toBe(401);
    expect(seen).toEqual([]);
    await (await post(relay, '/v1/messages/count_tokens', { model: 'claude-test' })).text();
    expect([seen.length, reserved.length, rows.length]).toEqual([1, 0, 0]);
  });

  it('asks servers of chat completions for the usage of a stream', async () => {
    reply = stream('data: [DONE]\n\n');
    const relay = await openRelay(choiceOf({ adapter: 'openai-completions' }), ['openai-chat']);
    await (await post(relay, '/chat/completions', '{"model":"claude-test","stream":true}')).text();
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      model: 'claude-test',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(seen[0]?.headers.authorization).toBe('Bearer real-key');
  });

  it('T27: asks OpenRouter for the cost of a response, and records it', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, cost: 0.25 };
    reply = stream(`${events({ choices: [], usage })}data: [DONE]\n\n`);
    const choice = choiceOf({ adapter: 'openai-completions', provider: 'openrouter' });
    const relay = await openRelay(choice, ['openai-chat']);
    await (await post(relay, '/chat/completions', '{"model":"claude-test","stream":true}')).text();
    const own = '{"model":"claude-test","stream":true,"usage":{"include":true}}';
    await (await post(relay, '/chat/completions', own)).text();
    for (const { body } of seen) expect(JSON.parse(body)).toMatchObject({ usage: { include: true } });
    expect(seen[1]?.body.match(/"usage"/g)).toHaveLength(1);
    expect(rows.map((row) => row.usage.cost?.total)).toEqual([0.25, 0.25]);
  });

  it('T27: sends nothing once the budget is used up, or between turns', async () => {
    const relay = await openRelay();
    admitted = err(fail('rate_limited', 'modelRelay.noTurn'));
    const stopped = await post(relay, '/v1/messages', { model: 'claude-test' });
    expect([stopped.status, stopped.headers.get('x-should-retry')]).toEqual([403, 'false']);
    expect(await stopped.json()).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
    expect(told).toMatchObject([{ code: 'rate_limited' }]);
    [admitted, turn] = [ok(undefined), null];
    expect((await post(relay, '/v1/messages', { model: 'claude-test' })).status).toBe(409);
    expect(seen).toEqual([]);
  });

  it('F11: tells the turn of a pause that is too long for the program, and of no other', async () => {
    const relay = await openRelay();
    for (const seconds of [30, 7_200]) {
      reply = (response) => response.writeHead(429, { 'retry-after': String(seconds) }).end('{}');
      await post(relay, '/v1/messages', { model: 'claude-test' });
    }
    expect(pauses).toEqual([]);
    const other = await openRelay();
    await post(other, '/v1/messages', { model: 'claude-test' });
    expect(pauses).toEqual([7_200_000]);
  });

  it('T27: reserves the cost of a request until it is recorded, whatever becomes of it', async () => {
    const relay = await openRelay();
    reply = stream(anthropicEvents);
    await (await post(relay, '/v1/messages', { model: 'claude-test', max_tokens: 900, stream: true })).text();
    expect(reserved).toMatchObject([{ output: 900 }]);
    expect(rows).toMatchObject([{ held: 1 }]);
    expect(held).toBe(0);
    reply = (response) => response.writeHead(500).end('{}');
    expect((await post(relay, '/v1/messages', { model: 'claude-test' })).status).toBe(500);
    reply = (response) => response.destroy();
    expect((await post(relay, '/v1/messages', { model: 'claude-test' })).status).toBe(502);
    expect([held, reserved.length]).toEqual([0, 3]);
  });

  it('T1, T2: refuses wrong and stale tokens, other hosts, pages and other formats', async () => {
    const relay = await openRelay();
    const status = async (change: Record<string, string>, path = '/v1/messages'): Promise<number> =>
      (await post(relay, path, { model: 'claude-test' }, change)).status;
    expect(await status({ 'x-api-key': 'wrong' })).toBe(401);
    expect(await status({ origin: 'https://example.org' })).toBe(403);
    expect(await status({}, '/v1/responses')).toBe(404);
    expect(await status({}, '/v1/files')).toBe(404);
    expect(await status({ 'content-type': 'text/plain' })).toBe(415);
    const rebound = request(`${relay.url}/v1/messages`, {
      method: 'POST',
      headers: { host: 'evil.example' },
    });
    rebound.end();
    const [answer] = (await once(rebound, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(421);
    answer.resume();
    await relay.close();
    expect(await status({})).toBe(401);
    expect(seen).toEqual([]);
  });

  it('T1, T2, T4: serves the tools of the host to the process of the agent alone', async () => {
    const relay = await openRelay();
    const tools = async (authorization: string, more: Record<string, string> = {}) => {
      const response = await fetch(`${relay.url}/mcp`, {
        method: 'POST',
        headers: { authorization, ...more },
        body: '{}',
      });
      return [response.status, response.ok ? await response.text() : ''];
    };
    const own = `Bearer ${relay.token}`;
    expect(await tools(own)).toEqual([200, 'ada']);
    expect(await tools('Bearer wrong')).toEqual([401, '']);
    expect(await tools(own, { origin: 'https://example.org' })).toEqual([403, '']);
    await relay.close();
    expect(await tools(own)).toEqual([401, '']);
  });

  it('closes the socket of a program that has not ended, such as one in a terminal, with the host', async () => {
    const relay = await openRelay();
    const outcome = () =>
      new Promise((resolve) => {
        const socket = connect(relay.socketPath);
        socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'));
        socket.once('connect', () => socket.destroy());
      });
    expect(await outcome()).toBe('connected');
    await relays.close();
    expect(await outcome()).toBe('refused');
    await relay.close();
  });

  it('T24, F12: holds a limited number of bytes of each program until its responses end', async () => {
    const answers: ServerResponse[] = [];
    reply = (response) => void answers.push(response);
    const relay = await openRelay();
    const other = await openRelay();
    const body = JSON.stringify({ model: 'claude-test', prompt: 'x'.repeat(60_000) });
    const first = post(relay, '/v1/messages', body);
    await expect.poll(() => answers.length).toBe(1);
    const refused = await post(relay, '/v1/messages', body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    const second = post(other, '/v1/messages', body);
    await expect.poll(() => answers.length).toBe(2);
    for (const response of answers) stream(anthropicEvents)(response);
    for (const answer of [await first, await second]) expect(await answer.text()).toContain('data:');
    reply = stream(anthropicEvents);
    await expect.poll(async () => (await post(relay, '/v1/messages', body)).status).toBe(200);
  });

  it('serves the same over its socket', async () => {
    reply = stream(anthropicEvents);
    const { socketPath, url, token } = await openRelay();
    const asked = request(`${url}/v1/messages`, {
      socketPath,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    asked.end('{"model":"claude-test"}');
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    await once(response, 'end');
    await expect.poll(() => rows.length).toBe(1);
  });

  it('F11: passes a rate limit on, and makes the next request wait for the pause', async () => {
    reply = (response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '30' });
      response.end('{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}');
    };
    const relay = await openRelay();
    const first = await post(relay, '/v1/messages', { model: 'claude-test' });
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await first.text()).toContain('slow down');
    const second = await post(relay, '/v1/messages', { model: 'claude-test' });
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(20);
    expect([seen.length, rows.length]).toEqual([1, 0]);
  });

  it('T27: records what a stopped program received, and stops the server', async () => {
    let isClosed = false;
    reply = (response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(anthropicEvents.split('\n\n').slice(0, 2).join('\n\n'));
    };
    const relay = await openRelay();
    const controller = new AbortController();
    const response = await fetch(`${relay.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': relay.token },
      body: JSON.stringify({ model: 'claude-test' }),
      signal: controller.signal,
    });
    await response.body?.getReader().read();
    controller.abort();
    await expect.poll(() => [isClosed, rows.length]).toEqual([true, 1]);
    expect(rows[0]).toMatchObject({ unfinished: true, usage: { input: 10, cacheRead: 5 } });
    expect(rows[0]?.usage.output).toBeGreaterThan(1);
  });

  it('reports a server that cannot be reached, without its key', async () => {
    const relay = await openRelay(choiceOf({ baseUrl: 'http://127.0.0.1:1' }));
    const response = await post(relay, '/v1/messages', { model: 'claude-test' });
    expect(response.status).toBe(502);
    expect(await response.text()).toMatch(/could not be reached/);
  });
});
