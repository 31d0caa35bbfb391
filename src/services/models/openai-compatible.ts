/**
 * Chat completions, streamed, from any server that speaks OpenAI's form (OpenAI, Ollama, LM Studio, vLLM, OpenRouter).
 * The last event is always `done` or `failed`; a cut stream keeps what came before; the key appears nowhere else.
 */
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { raceAgainst } from '../../core/lib/sleep.ts';
import type { Clock, ModelEvent, ModelPort, ModelRequest } from '../../core/ports.ts';
import { failed, httpFailure, serverWords } from './http-failure.ts';
import { createSseParser, type SseEvent } from './sse-parser.ts';

export interface OpenAiCompatibleDeps {
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
  /** ms without a byte after which a stream counts as dead; local models may load for minutes before the first. */
  readonly firstByteMs?: number;
  readonly idleMs?: number;
}

const maxErrorBody = 16_384;
const maxReplyLength = 400_000;

const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish() }).nullish(),
        message: z.looseObject({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
    .nullish(),
  error: z.unknown().optional(),
});

export function createOpenAiCompatibleModel(deps: OpenAiCompatibleDeps): ModelPort {
  return {
    provider: 'openai-compatible',
    stream: (request, signal) => streamSafely(deps, request, signal),
  };
}

async function* streamSafely(
  deps: OpenAiCompatibleDeps,
  request: ModelRequest,
  outer: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  outer.addEventListener('abort', abort, { once: true });
  if (outer.aborted) abort();
  try {
    yield* converse({ deps, request, signal: controller.signal });
  } catch (error) {
    yield outer.aborted ? cancelled() : unreachable(request, error);
  } finally {
    outer.removeEventListener('abort', abort);
    controller.abort();
  }
}

interface Call {
  readonly deps: OpenAiCompatibleDeps;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

async function* converse(call: Call): AsyncGenerator<ModelEvent> {
  const { deps, request, signal } = call;
  const url = completionsUrl(request.baseUrl);
  if (!url) {
    const text = `"${request.baseUrl}" is not an http or https address.`;
    yield failed(appError('invalid_input', text, { where: 'runtime.base_url' }), false);
    return;
  }
  const asked = (deps.fetch ?? fetch)(url, {
    method: 'POST',
    headers: headersFor(request),
    body: JSON.stringify(bodyFor(request, url)),
    redirect: 'manual',
    signal,
  });
  const answer = await raceAgainst(asked, deps.clock, deps.firstByteMs ?? 300_000, signal);
  if (answer.type !== 'value') {
    yield answer.type === 'aborted' ? cancelled() : stalled(request);
    return;
  }
  yield* readAnswer(call, answer.value);
}

async function* readAnswer(call: Call, response: Response): AsyncGenerator<ModelEvent> {
  const { request, deps } = call;
  if (response.status !== 200) {
    yield httpFailure({
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await errorBody(call, response),
      server: serverName(request),
      model: request.model,
      apiKey: request.apiKey,
      nowMs: deps.clock.now(),
    });
    return;
  }
  const type = response.headers.get('content-type') ?? '';
  if (/^text\/html/i.test(type) || !response.body) {
    const text = `${serverName(request)} answered with a web page instead of a reply.`;
    yield failed(appError('protocol', text, { hint: 'Check the base URL of this agent.' }), false);
    return;
  }
  // Some servers ignore `stream` and answer with one JSON document: read it as a single event.
  const whole = /^application\/json/i.test(type);
  yield* whole ? readWhole(call, response.body) : readEvents(call, response.body);
}

/** Decoded pieces of the body; ends with null when the other side closed properly. */
async function* pieces(call: Call, body: ReadableStream<Uint8Array>): AsyncGenerator<string | ModelEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const next = await raceAgainst(reader.read(), call.deps.clock, call.deps.idleMs ?? 90_000, call.signal);
      if (next.type === 'aborted') yield cancelled();
      else if (next.type === 'timeout') yield stalled(call.request);
      if (next.type !== 'value' || next.value.done) return;
      yield decoder.decode(next.value.value, { stream: true });
    }
  } catch {
    yield call.signal.aborted ? cancelled() : cutOff(call.request);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function* readEvents(call: Call, body: ReadableStream<Uint8Array>): AsyncGenerator<ModelEvent> {
  const parser = createSseParser();
  const reply: Reply = { length: 0, finish: null };
  for await (const piece of pieces(call, body)) {
    if (typeof piece !== 'string') {
      yield piece;
      return;
    }
    const made = readPiece(call.request, parser.push(piece), reply);
    yield* made;
    const last = made.at(-1);
    if (last?.type === 'done' || last?.type === 'failed') return;
  }
  yield reply.finish === null ? cutOff(call.request) : finished(reply);
}

const finished = (reply: Reply): ModelEvent => ({
  type: 'done',
  stopReason: reply.finish === 'length' ? 'length' : 'end',
});

/** Stops at the first `done` or `failed`: nothing after it counts. */
function readPiece(request: ModelRequest, events: readonly SseEvent[] | null, reply: Reply): ModelEvent[] {
  if (!events) return [tooMuch(request)];
  const made: ModelEvent[] = [];
  for (const event of events) {
    if (event.data.trim() === '[DONE]') return [...made, finished(reply)];
    made.push(...readChunk(request, event.data, reply));
    if (made.at(-1)?.type === 'failed') return made;
  }
  return made;
}

async function* readWhole(call: Call, body: ReadableStream<Uint8Array>): AsyncGenerator<ModelEvent> {
  let text = '';
  for await (const piece of pieces(call, body)) {
    if (typeof piece !== 'string') {
      yield piece;
      return;
    }
    text += piece;
    if (text.length > 4 * maxReplyLength) {
      yield tooMuch(call.request);
      return;
    }
  }
  const reply: Reply = { length: 0, finish: null };
  for (const made of readChunk(call.request, text, reply)) {
    yield made;
    if (made.type === 'failed') return;
  }
  yield finished(reply);
}

interface Reply {
  length: number;
  finish: string | null;
}

function readChunk(request: ModelRequest, data: string, reply: Reply): ModelEvent[] {
  const chunk = parseChunk(data);
  if (!chunk)
    return [failed(appError('protocol', `${serverName(request)} sent something unreadable.`), true)];
  if (chunk.error !== undefined && chunk.error !== null) {
    const said = serverWords(data, request.apiKey);
    return [failed(appError('model_error', `${serverName(request)} broke off with an error${said}.`), true)];
  }
  const made: ModelEvent[] = [];
  const choice = chunk.choices?.[0];
  const text = choice?.delta?.content ?? choice?.message?.content ?? '';
  reply.finish = choice?.finish_reason ?? reply.finish;
  reply.length += text.length;
  if (reply.length > maxReplyLength) return [tooMuch(request)];
  if (text !== '') made.push({ type: 'text_delta', text });
  if (chunk.usage) {
    const usage = {
      inputTokens: chunk.usage.prompt_tokens ?? 0,
      outputTokens: chunk.usage.completion_tokens ?? 0,
    };
    made.push({ type: 'usage', usage });
  }
  return made;
}

function parseChunk(data: string): z.infer<typeof chunkSchema> | null {
  try {
    const parsed = chunkSchema.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

async function errorBody(call: Call, response: Response): Promise<string> {
  let text = '';
  if (!response.body) return text;
  for await (const piece of pieces(call, response.body)) {
    if (typeof piece !== 'string') break;
    text += piece;
    if (text.length > maxErrorBody) break;
  }
  return text;
}

/** A bare `http://host:port` gets `/v1`, as every such server expects. */
export function completionsUrl(baseUrl: string): string | null {
  const url = URL.parse(baseUrl);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = `${path === '' ? '/v1' : path}/chat/completions`;
  url.hash = '';
  return url.href;
}

function headersFor(request: ModelRequest): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  if (request.apiKey) headers.authorization = `Bearer ${request.apiKey}`;
  return headers;
}

function bodyFor(request: ModelRequest, url: string): unknown {
  const system = request.system === '' ? [] : [{ role: 'system', content: request.system }];
  // OpenAI itself refuses the older name for its newer models; the others know only the older one.
  const limit = new URL(url).hostname.endsWith('openai.com') ? 'max_completion_tokens' : 'max_tokens';
  return {
    model: request.model,
    messages: [...system, ...request.messages],
    stream: true,
    stream_options: { include_usage: true },
    [limit]: request.maxOutputTokens,
  };
}

function serverName(request: ModelRequest): string {
  return URL.parse(request.baseUrl)?.host ?? request.provider;
}

const cancelled = (): ModelEvent => failed(appError('cancelled', 'The reply was stopped.'), false);

const cutOff = (request: ModelRequest): ModelEvent =>
  failed(appError('unavailable', `${serverName(request)} broke off in the middle of the reply.`), true);

const stalled = (request: ModelRequest): ModelEvent =>
  failed(appError('timeout', `${serverName(request)} stopped sending.`), true);

const tooMuch = (request: ModelRequest): ModelEvent =>
  failed(appError('too_large', `${serverName(request)} sent far more than was asked for.`), false);

function unreachable(request: ModelRequest, error: unknown): ModelEvent {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return failed(
    appError('unavailable', `${serverName(request)} cannot be reached${code}.`, {
      hint: 'Is the model server running, and is the base URL right?',
    }),
    true,
  );
}
