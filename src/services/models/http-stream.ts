/**
 * One streamed request to a model server, for every wire format. It promises exactly one terminal event and
 * never an exception; that a silent, cut or endless stream is ended; that content received before is kept;
 * and that the key appears only in its header.
 */
import { fail } from '../../contract/fail.ts';
import { raceAgainst } from '../../core/lib/sleep.ts';
import type { ModelEvent, ModelFailure, ModelOptions, ModelTarget } from '../../core/models/model-ports.ts';
import { isOverflow } from '../../core/models/overflow.ts';
import type { Clock } from '../../core/ports.ts';
import { refusalFailure, serverWords, withWords } from './http-failure.ts';
import { type DoneReason, MessageBuilder } from './message-builder.ts';
import { createSseParser, type SseEvent } from './sse-parser.ts';

export interface HttpModelDeps {
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
  /** ms until the response starts; local models may load for minutes. 300,000 when absent. */
  readonly firstByteMs?: number;
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type StreamVerdict =
  | { readonly type: 'done'; readonly reason: DoneReason }
  | { readonly type: 'failed'; readonly failure: ModelFailure };

/** Turns one response's events into blocks of a builder. */
export interface WireReader {
  /** Returns `null` to continue; nothing is read after a verdict. */
  read(event: SseEvent): StreamVerdict | null;
  /** Reads the single JSON document of a server that ignores `stream`; if absent, such a response fails. */
  readWhole?(text: string): StreamVerdict;
  /**
   * Interprets a body that ended properly without a verdict; if it is absent or returns `null`, the stream
   * counts as cut.
   */
  atEnd?(): StreamVerdict | null;
}

export interface HttpCall {
  readonly api: string;
  readonly target: ModelTarget;
  readonly options: Pick<ModelOptions, 'idleMs'>;
  readonly signal: AbortSignal;
  /** `null` if the target has no usable URL. */
  readonly request: HttpRequest | null;
  /** Creates a reader for each response. */
  readonly reader: (builder: MessageBuilder) => WireReader;
  /** For servers whose lines are not a standard event stream. */
  readonly parser?: (maxEventLength: number) => {
    push(piece: Uint8Array): readonly SseEvent[] | null;
    end(): readonly SseEvent[] | null;
  };
}

interface Running {
  readonly deps: HttpModelDeps;
  readonly call: HttpCall;
  readonly builder: MessageBuilder;
  /** Aborts with the caller's signal, and when the consumer leaves the stream. */
  readonly signal: AbortSignal;
}

const defaultIdleMs = 90_000;
const maxErrorBody = 16_384;
const maxWholeBody = 16 * 1024 * 1024;
/** Some servers repeat the whole reply in their last event. */
const maxEvent = 16 * 1024 * 1024;

export async function* streamOverHttp(deps: HttpModelDeps, call: HttpCall): AsyncGenerator<ModelEvent> {
  const { target, api } = call;
  const head = { api, provider: target.provider, model: target.model, timestamp: deps.clock.now() };
  const builder = new MessageBuilder(head);
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  call.signal.addEventListener('abort', abort, { once: true });
  if (call.signal.aborted) abort();
  const running: Running = { deps, call, builder, signal: controller.signal };
  try {
    yield* converse(running);
  } catch (error) {
    builder.fail(call.signal.aborted ? cancelled : bug(error));
  } finally {
    call.signal.removeEventListener('abort', abort);
    controller.abort();
  }
  if (!builder.ended) builder.fail(cutOff(target));
  yield* builder.take();
}

/** The server's name in failure messages. */
export const serverName = (target: Pick<ModelTarget, 'baseUrl' | 'provider'>): string =>
  URL.parse(target.baseUrl)?.host || target.provider;

/**
 * The base URL followed by a path; a bare host gets `version` first. `null` if the URL is not http or https.
 */
export function endpoint(baseUrl: string, version: string, path: string): string | null {
  const url = URL.parse(baseUrl);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = `${base === '' ? version : base}${path}`;
  url.hash = '';
  url.search = '';
  return url.href;
}

/** For APIs below a version segment: appends `/v1` to a base path that has none. */
export function versionedEndpoint(baseUrl: string, version: string, path: string): string | null {
  const below = /\/v\d+\w*\/*$/.test(URL.parse(baseUrl)?.pathname ?? '') ? '' : version;
  return endpoint(baseUrl, '', `${below}${path}`);
}

/** A failure reported in the body, handled as if the response had that status. */
export function toldFailure(target: ModelTarget, status: number, body: string): StreamVerdict {
  const { model, apiKey } = target;
  const server = serverName(target);
  const failure = refusalFailure({ status, body, server, model, apiKey, retryAfter: null, nowMs: 0 });
  return { type: 'failed', failure };
}

/** An error in the middle of a response. `text` is the event's data. */
export function streamError(
  target: ModelTarget,
  text: string,
  status: number | null = null,
  retryable = true,
): StreamVerdict {
  const server = serverName(target);
  const said = serverWords(text, target.apiKey);
  if (isOverflow(status, text)) {
    const error = withWords(fail('too_large', 'models.conversationTooLarge', { server }), said);
    return { type: 'failed', failure: { error, retryable: false, overflow: true } };
  }
  const error = withWords(fail('model_error', 'models.replyFailed', { server }), said);
  return { type: 'failed', failure: { error, retryable } };
}

export const unreadableAnswer = (target: ModelTarget): StreamVerdict => ({
  type: 'failed',
  failure: {
    error: fail('protocol', 'models.answerUnreadable', { server: serverName(target) }),
    retryable: true,
  },
});

async function* converse(running: Running): AsyncGenerator<ModelEvent> {
  const { call, builder } = running;
  const { request, target } = call;
  if (!request) {
    const { baseUrl } = target;
    const where = 'runtime.base_url';
    builder.fail({
      error: fail('invalid_input', 'models.invalidBaseUrl', { baseUrl }, { where }),
      retryable: false,
    });
    return;
  }
  const answer = await ask(running, request);
  if ('retryable' in answer) builder.fail(answer);
  else yield* readAnswer(running, answer);
}

async function ask({ deps, call, signal }: Running, request: HttpRequest): Promise<Response | ModelFailure> {
  try {
    const asked = (deps.fetch ?? fetch)(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...request.headers },
      body: JSON.stringify(request.body),
      redirect: 'manual',
      signal,
    });
    const answer = await raceAgainst(asked, deps.clock, deps.firstByteMs ?? 300_000, signal);
    if (answer.type === 'value') return answer.value;
    return answer.type === 'aborted' ? cancelled : stalled(call.target);
  } catch (error) {
    return call.signal.aborted ? cancelled : unreachable(call.target, error);
  }
}

async function* readAnswer(running: Running, response: Response): AsyncGenerator<ModelEvent> {
  const { call, builder } = running;
  if (response.status !== 200) {
    const failure = await refused(running, response);
    builder.fail(call.signal.aborted ? cancelled : failure);
    return;
  }
  const type = response.headers.get('content-type') ?? '';
  if (/^text\/html/i.test(type) || !response.body) {
    const server = serverName(call.target);
    const error = fail('protocol', 'models.answerIsWebPage', { server }, { help: 'models.checkBaseUrl' });
    builder.fail({ error, retryable: false });
    return;
  }
  const reader = call.reader(builder);
  if (!/^application\/json/i.test(type)) yield* readEvents(running, response.body, reader);
  else if (reader.readWhole) settle(running, await readWhole(running, response.body, reader.readWhole));
  else settle(running, unreadableAnswer(call.target));
}

async function refused(running: Running, response: Response): Promise<ModelFailure> {
  const { target } = running.call;
  const should = response.headers.get('x-should-retry');
  return refusalFailure({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    retryAfterMs: response.headers.get('retry-after-ms'),
    header: (name) => response.headers.get(name),
    ...(should === 'true' || should === 'false' ? { shouldRetry: should === 'true' } : {}),
    // A failure while reading this body does not matter: the status says enough.
    body: await bodyText(running, response.body, maxErrorBody, () => undefined),
    server: serverName(target),
    model: target.model,
    apiKey: target.apiKey,
    nowMs: running.deps.clock.now(),
  });
}

async function* readEvents(
  running: Running,
  body: ReadableStream<Uint8Array>,
  reader: WireReader,
): AsyncGenerator<ModelEvent> {
  const { builder, call } = running;
  const lines = call.parser?.(maxEvent);
  const parser = lines ?? createSseParser(maxEvent);
  for await (const piece of pieces(running, body, (failure) => builder.fail(failure))) {
    const events = parser.push(piece);
    settle(running, events ? readAll(running, reader, events) : tooMuch(call.target));
    yield* builder.take();
    if (builder.ended) return;
  }
  if (builder.ended) return;
  const rest = lines ? lines.end() : [];
  settle(running, rest ? readAll(running, reader, rest) : tooMuch(call.target));
  if (!builder.ended) settle(running, reader.atEnd?.() ?? null);
}

function readAll(running: Running, reader: WireReader, events: readonly SseEvent[]): StreamVerdict | null {
  for (const event of events) {
    const verdict = reader.read(event);
    if (verdict || running.builder.breach) return verdict;
  }
  return null;
}

/** A breach found by the builder overrides the reader's verdict. */
function settle({ builder, call }: Running, verdict: StreamVerdict | null): void {
  const { breach } = builder;
  if (breach) {
    const message = `${serverName(call.target)}: ${breach.message}`;
    builder.fail({ error: { ...breach, message }, retryable: breach.code === 'protocol' });
  } else if (verdict?.type === 'done') builder.done(verdict.reason);
  else if (verdict) builder.fail(verdict.failure);
}

async function readWhole(
  running: Running,
  body: ReadableStream<Uint8Array>,
  read: (text: string) => StreamVerdict,
): Promise<StreamVerdict | null> {
  const text = await bodyText(running, body, maxWholeBody, (failure) => running.builder.fail(failure));
  if (running.builder.ended) return null;
  return text.length > maxWholeBody ? tooMuch(running.call.target) : read(text);
}

/** Reads slightly more than `max` if the body is longer. */
async function bodyText(
  running: Running,
  body: ReadableStream<Uint8Array> | null,
  max: number,
  onFailure: (failure: ModelFailure) => void,
): Promise<string> {
  let text = '';
  if (!body) return text;
  const decoder = new TextDecoder();
  for await (const piece of pieces(running, body, onFailure)) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > max) break;
  }
  return text;
}

/** Yields the body as it arrives; reports a failure if it does not end properly. */
async function* pieces(
  { deps, call, signal }: Running,
  body: ReadableStream<Uint8Array>,
  onFailure: (failure: ModelFailure) => void,
): AsyncGenerator<Uint8Array> {
  const idleMs = call.options.idleMs ?? defaultIdleMs;
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await raceAgainst(reader.read(), deps.clock, idleMs, signal);
      if (next.type === 'aborted') onFailure(cancelled);
      else if (next.type === 'timeout') onFailure(stalled(call.target));
      if (next.type !== 'value' || next.value.done) return;
      yield next.value.value;
    }
  } catch {
    onFailure(call.signal.aborted ? cancelled : cutOff(call.target));
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

const cancelled: ModelFailure = {
  error: fail('cancelled', 'turns.replyStopped'),
  retryable: false,
};

const cutOff = (target: ModelTarget): ModelFailure => ({
  error: fail('unavailable', 'models.replyCutOff', { server: serverName(target) }),
  retryable: true,
});

const stalled = (target: ModelTarget): ModelFailure => ({
  error: fail('timeout', 'models.streamStalled', { server: serverName(target) }),
  retryable: true,
});

const tooMuch = (target: ModelTarget): StreamVerdict => ({
  type: 'failed',
  failure: {
    error: fail('too_large', 'models.streamTooLarge', { server: serverName(target) }),
    retryable: false,
  },
});

const bug = (error: unknown): ModelFailure => ({
  error: fail('internal', 'models.replyUnreadable', { name: error instanceof Error ? error.name : 'error' }),
  retryable: false,
});

function unreachable(target: ModelTarget, error: unknown): ModelFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return {
    error: fail(
      'unavailable',
      'models.unreachableWithCode',
      { serverName: serverName(target), code },
      { help: 'models.checkModelServer' },
    ),
    retryable: true,
  };
}
